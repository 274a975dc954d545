import { z } from '@hono/zod-openapi'
import { entryCount } from '../contract/configuration.ts'
import { collection } from '../contract/site-config.ts'
import { showCollections } from '../domain/pages/entries.ts'
import { createApi, createRoute, json } from '../http/api.ts'

const collectionsOfSite = z
  .object({
    data: z.array(collection()),
    /** Of each collection that has any outside the trash, also of one that the settings lack: its entries are hidden. */
    entries: z.array(entryCount),
  })
  .meta({ id: 'Collections' })

/** `GET /collections`: changed as a part of the configuration. */
export const collectionsApi = () =>
  createApi().openapi(
    createRoute({
      method: 'get',
      path: '/collections',
      rights: ['pages.write', 'pages.publish', 'config.write'],
      summary: 'The collections',
      description: 'Kinds of pages, with the fields that their entries have beside a text.',
      responses: { 200: json(collectionsOfSite, 'The collections, and how many entries each has') },
    }),
    async (c) => c.json(await showCollections(c.var.ctx), 200),
  )
