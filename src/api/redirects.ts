import { createRoute } from '@hono/zod-openapi'
import { idParameter, listOf } from '../contract/list.ts'
import { changedRedirect, newRedirect, redirect, redirectQuery } from '../contract/pages.ts'
import { createRedirect, findRedirects, removeRedirect, updateRedirectTo } from '../domain/pages/redirects.ts'
import { createApi, json, refused } from '../http/api.ts'

const read = { rights: ['pages.write', 'pages.publish'] } as const
const write = { rights: ['pages.publish'] } as const

/** `/redirects`: addresses of before that lead to those of now. */
export const redirectsApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/redirects',
        ...read,
        summary: 'List redirects',
        description: 'The newest first. `search` looks at both addresses.',
        request: { query: redirectQuery },
        responses: { 200: json(listOf(redirect), 'One page') },
      }),
      async (c) => c.json(await findRedirects(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/redirects',
        ...write,
        summary: 'Let an address lead to another',
        description: 'What would lead on twice leads there at once. An address that a page has leads nowhere else.',
        request: { body: { required: true, ...json(newRedirect, 'From where to where') } },
        responses: { 201: json(redirect, 'Added') },
      }),
      async (c) => c.json(await createRedirect(c.var.ctx, c.req.valid('json')), 201),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/redirects/{id}',
        ...write,
        summary: 'Change a redirect',
        request: { params: idParameter, body: { required: true, ...json(changedRedirect, 'From where to where') } },
        responses: {
          200: json(redirect, 'Changed'),
          409: refused('Somebody saved meanwhile; `current` is what stands now'),
        },
      }),
      async (c) => c.json(await updateRedirectTo(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/redirects/{id}',
        ...write,
        summary: 'Remove a redirect',
        request: { params: idParameter },
        responses: { 204: { description: 'Gone' } },
      }),
      async (c) => {
        await removeRedirect(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
