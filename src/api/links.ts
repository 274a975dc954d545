import { deadLinks, externalLinks, externalLinksCheck, linksQuery, linksToPage } from '../contract/links.ts'
import { idParameter } from '../contract/list.ts'
import { checkExternalLinks, listDeadLinks, listLinksToPage } from '../domain/links/list-links.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse } from '../http/api.ts'
import type { Context } from '../platform/context.ts'
import { checkUrl } from '../platform/net/check-url.ts'
import { createTaskLimit } from '../platform/task-limit.ts'

const read = { anyRight: ['pages.write', 'pages.publish'] } as const

export interface LinkDependencies {
  /** Whether the site serves something other than a page at a path. */
  isServed: (ctx: Context, path: string) => Promise<boolean>
  /** Requests an external link. */
  check?: typeof checkUrl | undefined
}

/** `/links` and `/pages/{id}/links`: internal and external links. */
export const linksApi = ({ isServed, check = checkUrl }: LinkDependencies) => {
  const limitChecks = createTaskLimit({ atOnce: 1, waiting: 2 })
  return createApi()
    .openapi(
      defineRoute('get', '/pages/{id}/links', {
        ...read,
        summary: 'List the links to a page',
        description:
          'Links to the address of the page, or to an address that redirects to it, in other pages, saved sections, the header, the footer and menus. Menu items that refer to the page by its id are left out.',
        request: { params: idParameter, query: linksQuery },
        responses: { 200: json(linksToPage, 'The texts that contain these links') },
      }),
      async (c) => c.json(await listLinksToPage(c.var.ctx, c.req.valid('param').id, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/links/dead', {
        ...read,
        summary: 'List the broken internal links',
        description: 'Links to addresses of this site that do not exist. External links are not checked.',
        responses: { 200: json(deadLinks, 'The broken links, grouped by address') },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await listDeadLinks(ctx, (path) => isServed(ctx, path)), 200)
      },
    )
    .openapi(
      defineRoute('post', '/links/foreign/check', {
        ...read,
        summary: 'Check external links',
        description:
          'Requests a limited number of external links, and reads only the status of the response. Private addresses and unusual ports are not requested. For the following links, send `next` of the response as `after`.',
        request: { body: jsonBody(externalLinksCheck, 'The position to start from') },
        responses: {
          200: json(externalLinks, 'The checked links that do not work'),
          429: refusalResponse('Other users are checking links now'),
        },
      }),
      async (c) => {
        const { after } = c.req.valid('json')
        return c.json(await limitChecks(() => checkExternalLinks(c.var.ctx, { after }, check)), 200)
      },
    )
}
