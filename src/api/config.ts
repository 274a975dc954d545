import { z } from 'zod'
import {
  changedConfiguration,
  checkedFile,
  configRevision,
  configuration,
  entryCount,
  fileReport,
  importedFile,
  restoredConfiguration,
  revisionWithConfig,
  visitorTexts,
  visitorTextsParameter,
} from '../contract/configuration.ts'
import { idParameter, listOf, listQuery } from '../contract/list.ts'
import { namedPage, namedPagesQuery, newMenuItem } from '../contract/menus.ts'
import { previewData, previewDataRequest } from '../contract/preview-data.ts'
import { collection } from '../contract/site-config.ts'
import {
  changeConfiguration,
  checkConfigFile,
  importConfigFile,
  restoreConfigRevision,
} from '../domain/configuration/change-configuration.ts'
import {
  exportConfiguration,
  showConfigRevision,
  showConfigRevisions,
  showConfiguration,
} from '../domain/configuration/show-configuration.ts'
import { addToMenu, listNamedPages, takeOverMenus } from '../domain/configuration/site-menu.ts'
import { listVisitorTexts } from '../domain/configuration/visitor-texts.ts'
import { listCollections } from '../domain/pages/entries.ts'
import { getPreviewData } from '../domain/pages/get-preview-data.ts'
import { createApi, defineRoute, json, jsonBody, staleResponse, untypedResponse } from '../http/api.ts'

const write = { anyRight: ['config.write'] } as const
const revisionQuery = listQuery(['id']).pick({ page: true, pageSize: true })

/** `/config`: the site configuration, its revisions, and its file. */
export const configApi = () =>
  createApi().route('/', configurationApi()).route('/', revisionsApi()).route('/', menuApi())

const configurationApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/config/texts/{locale}', {
        ...write,
        summary: 'List the built-in texts for visitors in a language',
        description:
          'The texts that the part `texts` of the configuration can replace, with the plural forms of the language.',
        request: { params: visitorTextsParameter },
        responses: { 200: json(visitorTexts, 'The texts') },
      }),
      async (c) => c.json({ data: listVisitorTexts(c.var.ctx, c.req.valid('param').locale) }, 200),
    )
    .openapi(
      defineRoute('get', '/config', {
        ...write,
        summary: 'The current configuration',
        responses: { 200: json(configuration, 'Without the pages that seed a new site') },
      }),
      async (c) => c.json(await showConfiguration(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/config', {
        ...write,
        summary: 'Change the configuration',
        description:
          'Parts that are left out are unchanged. The change applies to every process within a second. Each problem has its path in the configuration, like `palette.primary`.',
        request: { body: jsonBody(changedConfiguration, 'The changed parts') },
        responses: { 200: json(configuration, 'The current configuration'), 409: staleResponse },
      }),
      async (c) => c.json(await changeConfiguration(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('get', '/config/export', {
        ...write,
        summary: 'The configuration as a file',
        description:
          'Version 1.2, including the pages that seed a new site and the published entries of collections; `npm run cli config import` reads it too. `X-Entries-Left-Out` is the number of the oldest entries that did not fit.',
        responses: {
          200: {
            description: 'The file',
            content: { 'application/json': { schema: { type: 'object' } as object } },
          },
        },
      }),
      async (c) => {
        const { version, text, omitted } = await exportConfiguration(c.var.ctx)
        const name = `site.config.${version}.json`
        c.header('X-Entries-Left-Out', String(omitted))
        // The stored text itself, not a serialisation of the parsed configuration, so that an export equals the import.
        return untypedResponse(
          c.body(text, 200, {
            'Content-Type': 'application/json',
            'Content-Disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
          }),
        )
      },
    )
    .openapi(
      defineRoute('post', '/config/check', {
        ...write,
        summary: 'Preview the import of a file',
        description: 'A file of this version or an older one. Nothing is changed.',
        request: { body: jsonBody(checkedFile, 'The file, as text') },
        responses: { 200: json(fileReport, 'The parts as they would be after the import') },
      }),
      async (c) => c.json(await checkConfigFile(c.var.ctx, c.req.valid('json').file), 200),
    )
    .openapi(
      defineRoute('post', '/config/import', {
        ...write,
        summary: 'Import a file',
        request: { body: jsonBody(importedFile, 'The file, as text') },
        responses: { 200: json(configuration, 'The current configuration'), 409: staleResponse },
      }),
      async (c) => c.json(await importConfigFile(c.var.ctx, c.req.valid('json')), 200),
    )

const revisionsApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/config/revisions', {
        ...write,
        summary: 'List revisions of the configuration',
        description: 'The newest first.',
        request: { query: revisionQuery },
        responses: { 200: json(listOf(configRevision), 'One page of the list') },
      }),
      async (c) => c.json(await showConfigRevisions(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/config/revisions/{id}', {
        ...write,
        summary: 'One revision of the configuration, and the one before it',
        request: { params: idParameter },
        responses: { 200: json(revisionWithConfig, 'Both configurations') },
      }),
      async (c) => c.json(await showConfigRevision(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('post', '/config/revisions/{id}/restore', {
        ...write,
        summary: 'Restore a revision',
        description: 'The configuration is saved as a new revision. Pages are not changed.',
        request: {
          params: idParameter,
          body: jsonBody(restoredConfiguration, 'The version that the client has loaded'),
        },
        responses: { 200: json(configuration, 'The current configuration'), 409: staleResponse },
      }),
      async (c) => c.json(await restoreConfigRevision(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )

const menuApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/config/menu/pages', {
        ...write,
        summary: 'Find the pages of menu items',
        description: 'Their titles, and whether visitors see them. Pages that do not exist are left out.',
        request: { query: namedPagesQuery },
        responses: { 200: json(z.object({ data: z.array(namedPage) }), 'The pages') },
      }),
      async (c) => c.json({ data: await listNamedPages(c.var.ctx, c.req.valid('query').ids) }, 200),
    )
    .openapi(
      defineRoute('post', '/config/menu/items', {
        ...write,
        summary: 'Add a page to the menu',
        description:
          'In one language, at the end or in the submenu of an item. If no block shows the menu yet, the menus of the header are copied into it first.',
        request: { body: jsonBody(newMenuItem, 'The page and its position in the menu') },
        responses: { 200: json(configuration, 'The current configuration'), 409: staleResponse },
      }),
      async (c) => c.json(await addToMenu(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/config/menu/take-over', {
        ...write,
        summary: 'Copy the menus of the header into the menu',
        description:
          'The items of the menus for computer and phone become the menu of each language, which the blocks of the header then show. An item with the address of a published page refers to that page.',
        request: { body: jsonBody(restoredConfiguration, 'The version that the client has loaded') },
        responses: { 200: json(configuration, 'The current configuration'), 409: staleResponse },
      }),
      async (c) => c.json(await takeOverMenus(c.var.ctx, c.req.valid('json')), 200),
    )

const collectionsOfSite = z
  .object({
    data: z.array(collection()),
    /** For each collection with entries outside the trash; the entries are hidden if the configuration lacks it. */
    entries: z.array(entryCount),
  })
  .meta({ id: 'Collections' })

/** `GET /collections`. To change collections, change the configuration. */
export const collectionsApi = () =>
  createApi().openapi(
    defineRoute('get', '/collections', {
      anyRight: ['pages.write', 'pages.publish', 'config.write'],
      summary: 'List the collections',
      description: 'A collection is a kind of page; its pages, the entries, have extra fields.',
      responses: { 200: json(collectionsOfSite, 'The collections, and how many entries each has') },
    }),
    async (c) => c.json(await listCollections(c.var.ctx), 200),
  )

/** `POST /scene`. It writes nothing; it is a POST because the images of a page do not fit in a URL. */
export const previewDataApi = () =>
  createApi().openapi(
    defineRoute('post', '/scene', {
      anyRight: ['pages.write', 'config.write'],
      summary: 'The data for previews of blocks',
      description: 'The public part of the configuration, and the requested images. Nothing is changed.',
      request: { body: jsonBody(previewDataRequest, 'The images in the blocks') },
      responses: { 200: json(previewData, 'The data that blocks are rendered with') },
    }),
    async (c) => c.json(await getPreviewData(c.var.ctx, c.req.valid('json')), 200),
  )
