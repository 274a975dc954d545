import { idParameter, listOf } from '../contract/list.ts'
import { changedRedirect, newRedirect, redirect, redirectQuery } from '../contract/redirects.ts'
import { createRedirect, deleteRedirect, listRedirects, updateRedirect } from '../domain/redirects/redirects.ts'
import { createApi, defineRoute, json, jsonBody, noContent, staleResponse } from '../http/api.ts'

const read = { anyRight: ['pages.write', 'pages.publish'] } as const
const write = { anyRight: ['pages.publish'] } as const

/** `/redirects`: old addresses of pages. */
export const redirectsApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/redirects', {
        ...read,
        summary: 'List redirects',
        description: 'The newest first. `search` matches both URLs.',
        request: { query: redirectQuery },
        responses: { 200: json(listOf(redirect), 'One page of the list') },
      }),
      async (c) => c.json(await listRedirects(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('post', '/redirects', {
        ...write,
        summary: 'Add a redirect',
        description: 'Chains of redirects are shortened to one. The URL of a page cannot be redirected.',
        request: { body: jsonBody(newRedirect, 'From where to where') },
        responses: { 201: json(redirect, 'Added') },
      }),
      async (c) => c.json(await createRedirect(c.var.ctx, c.req.valid('json')), 201),
    )
    .openapi(
      defineRoute('put', '/redirects/{id}', {
        ...write,
        summary: 'Change a redirect',
        request: { params: idParameter, body: jsonBody(changedRedirect, 'From where to where') },
        responses: { 200: json(redirect, 'Changed'), 409: staleResponse },
      }),
      async (c) => c.json(await updateRedirect(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/redirects/{id}', {
        ...write,
        summary: 'Delete a redirect',
        request: { params: idParameter },
        responses: { 204: { description: 'Deleted' } },
      }),
      async (c) => noContent(c, deleteRedirect(c.var.ctx, c.req.valid('param').id)),
    )
