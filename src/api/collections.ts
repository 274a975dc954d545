import { z } from '@hono/zod-openapi'
import { collection } from '../contract/site-config.ts'
import { createApi, createRoute, json } from '../http/api.ts'

const collectionsOfSite = z.object({ data: z.array(collection()) }).meta({ id: 'Collections' })

/** `GET /collections`: changed as a part of the configuration. */
export const collectionsApi = () =>
  createApi().openapi(
    createRoute({
      method: 'get',
      path: '/collections',
      rights: ['pages.write', 'pages.publish', 'config.write'],
      summary: 'The collections',
      description: 'Kinds of pages, with the fields that their entries have beside a text.',
      responses: { 200: json(collectionsOfSite, 'The collections') },
    }),
    async (c) => c.json({ data: c.var.ctx.site.collections ?? [] }, 200),
  )
