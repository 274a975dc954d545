import { deadLinks, foreignLinks, foreignLinksCheck, linksQuery, linksToPage } from '../contract/links.ts'
import { idParameter } from '../contract/list.ts'
import { checkForeignLinks, listDeadLinks, listLinksToPage } from '../domain/links/list-links.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse } from '../http/api.ts'
import type { Context } from '../platform/context.ts'
import { checkUrl } from '../platform/net/check-url.ts'
import { createTaskLimit } from '../platform/task-limit.ts'

const read = { rights: ['pages.write', 'pages.publish'] } as const

export interface LinkParts {
  /** Whether the site serves something other than a page at a path. */
  isServed: (ctx: Context, path: string) => Promise<boolean>
  /** Requests a link to another site. */
  check?: typeof checkUrl | undefined
}

/** `/links` and `/pages/{id}/links`: links within the site, and to other sites. */
export const linksApi = ({ isServed, check = checkUrl }: LinkParts) => {
  const runCheck = createTaskLimit({ atOnce: 1, waiting: 2 })
  return createApi()
    .openapi(
      defineRoute('get', '/pages/{id}/links', {
        ...read,
        summary: 'What links to a page',
        description:
          'By its address, also through a redirect: from other pages, saved sections, the header, the footer and menus. Menu items that name the page itself are not in it.',
        request: { params: idParameter, query: linksQuery },
        responses: { 200: json(linksToPage, 'The texts with such a link') },
      }),
      async (c) => c.json(await listLinksToPage(c.var.ctx, c.req.valid('param').id, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/links/dead', {
        ...read,
        summary: 'Links that lead nowhere',
        description: 'Links to addresses of this site at which there is nothing. Other sites are not requested.',
        responses: { 200: json(deadLinks, 'By address') },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await listDeadLinks(ctx, (path) => isServed(ctx, path)), 200)
      },
    )
    .openapi(
      defineRoute('post', '/links/foreign/check', {
        ...read,
        summary: 'Check links to other sites',
        description:
          'Requests some of them now, only at public addresses and the usual ports, without reading what they answer beyond the status. Go on with `next`.',
        request: { body: jsonBody(foreignLinksCheck, 'Where to begin') },
        responses: {
          200: json(foreignLinks, 'Those that are not alive'),
          429: refusalResponse('Others are checking links now'),
        },
      }),
      async (c) => {
        const { after } = c.req.valid('json')
        return c.json(await runCheck(() => checkForeignLinks(c.var.ctx, { after }, check)), 200)
      },
    )
}
