import { blockSchema } from '../blocks/registry.ts'
import { listOf } from '../contract/list.ts'
import { pageVersion, revisionGroup, revisionQuery } from '../contract/pages.ts'
import {
  changedSectionSchema,
  newSectionSchema,
  section,
  sectionList,
  sectionParameter,
  sectionRevision,
  sectionRevisionParameters,
  sectionTextParameters,
} from '../contract/sections.ts'
import {
  createSection,
  deleteSection,
  getSection,
  getSectionRevision,
  listSectionRevisions,
  listSections,
  restoreSectionRevision,
  updateSection,
} from '../domain/sections/sections.ts'
import { createApi, defineRoute, json, jsonBody, noContent, refusalResponse, staleResponse } from '../http/api.ts'

const read = { anyRight: ['pages.write', 'pages.publish'] } as const
const write = { anyRight: ['pages.write'] } as const

const newSection = newSectionSchema(blockSchema).meta({ id: 'NewSection' })
const changedSection = changedSectionSchema(blockSchema).meta({ id: 'ChangedSection' })

/** `/sections`: named groups of blocks, each for use on several pages. */
export const sectionsApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/sections', {
        ...read,
        summary: 'List saved sections',
        description: 'All sections, sorted by name, without their blocks.',
        responses: { 200: json(sectionList, 'Every section') },
      }),
      async (c) => c.json({ data: await listSections(c.var.ctx) }, 200),
    )
    .openapi(
      defineRoute('post', '/sections', {
        ...write,
        summary: 'Save blocks as a section',
        description:
          'A page shows the section with a block of type `section`, whose `section` is its id. A language without blocks shows the blocks of the main language.',
        request: { body: jsonBody(newSection, 'The name and the blocks') },
        responses: { 201: json(section, 'Saved') },
      }),
      async (c) => {
        const created = await createSection(c.var.ctx, c.req.valid('json'))
        return c.json(created, 201, { Location: `/api/sections/${created.id}` })
      },
    )
    .openapi(
      defineRoute('get', '/sections/{id}', {
        ...read,
        summary: 'One section',
        description: 'With its blocks in each language, and the pages and sections that refer to it.',
        request: { params: sectionParameter },
        responses: { 200: json(section, 'The section') },
      }),
      async (c) => c.json(await getSection(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('put', '/sections/{id}', {
        ...write,
        summary: 'Change a section',
        description:
          'The change shows at once on each page that uses the section. If one of these pages is live or scheduled, it also requires the right to publish. A section cannot contain itself, also not through other sections. Errors name Dutch and Persian blocks by `nl` and `fa`, also those of `texts`.',
        request: { params: sectionParameter, body: jsonBody(changedSection, 'The name and the blocks') },
        responses: { 200: json(section, 'Changed'), 409: staleResponse },
      }),
      async (c) => c.json(await updateSection(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/sections/{id}', {
        ...write,
        summary: 'Delete a section',
        request: { params: sectionParameter },
        responses: {
          204: { description: 'Deleted' },
          409: refusalResponse('It is in use (`section_in_use`; `current.usages` says where)'),
        },
      }),
      async (c) => noContent(c, deleteSection(c.var.ctx, c.req.valid('param').id)),
    )
    .openapi(
      defineRoute('get', '/sections/{id}/{locale}/revisions', {
        ...read,
        summary: 'List revisions of a section',
        description: 'The revisions of its blocks in one language, grouped as those of a page.',
        request: { params: sectionTextParameters, query: revisionQuery },
        responses: { 200: json(listOf(revisionGroup), 'One page of the history') },
      }),
      async (c) => c.json(await listSectionRevisions(c.var.ctx, c.req.valid('param'), c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/sections/{id}/{locale}/revisions/{revision}', {
        ...read,
        summary: 'A revision of a section',
        request: { params: sectionRevisionParameters },
        responses: { 200: json(sectionRevision, 'The blocks of that revision') },
      }),
      async (c) => {
        const { revision: revisionId, ...sectionText } = c.req.valid('param')
        return c.json(await getSectionRevision(c.var.ctx, sectionText, revisionId), 200)
      },
    )
    .openapi(
      defineRoute('post', '/sections/{id}/{locale}/revisions/{revision}/restore', {
        ...write,
        summary: 'Restore a revision of a section',
        description:
          'Saved as a new version, which shows at once on each page that uses the section. If one of these pages is live or scheduled, it also requires the right to publish.',
        request: { params: sectionRevisionParameters, body: jsonBody(pageVersion, 'The version that is saved now') },
        responses: { 200: json(section, 'Restored'), 409: staleResponse },
      }),
      async (c) => {
        const { revision: revisionId, ...sectionText } = c.req.valid('param')
        const { version } = c.req.valid('json')
        return c.json(await restoreSectionRevision(c.var.ctx, sectionText, { revisionId, version }), 200)
      },
    )
