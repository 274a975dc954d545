import { blockSchema } from '../blocks/registry.ts'
import { changedSectionSchema, newSectionSchema, section, sectionList, sectionParameter } from '../contract/sections.ts'
import { createSection, deleteSection, getSection, listSections, updateSection } from '../domain/sections/sections.ts'
import { createApi, createRoute, json, refusalResponse } from '../http/api.ts'

const read = { rights: ['pages.write', 'pages.publish'] } as const
const write = { rights: ['pages.write'] } as const

const newSection = newSectionSchema(blockSchema).meta({ id: 'NewSection' })
const changedSection = changedSectionSchema(blockSchema).meta({ id: 'ChangedSection' })

/** `/sections`: blocks under a name, for several pages. */
export const sectionsApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/sections',
        ...read,
        summary: 'List saved sections',
        description: 'All of them by name, without their blocks.',
        responses: { 200: json(sectionList, 'Every section') },
      }),
      async (c) => c.json({ data: await listSections(c.var.ctx) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/sections',
        ...write,
        summary: 'Save blocks as a section',
        description:
          'A page shows it with a block of type `section`, whose `section` is the id. A language without blocks shows those of the other.',
        request: { body: { required: true, ...json(newSection, 'The name and the blocks') } },
        responses: { 201: json(section, 'Saved') },
      }),
      async (c) => {
        const made = await createSection(c.var.ctx, c.req.valid('json'))
        return c.json(made, 201, { Location: `/api/sections/${made.id}` })
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/sections/{id}',
        ...read,
        summary: 'One section',
        description: 'With its blocks in each language, and the pages and sections that refer to it.',
        request: { params: sectionParameter },
        responses: { 200: json(section, 'The section') },
      }),
      async (c) => c.json(await getSection(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/sections/{id}',
        ...write,
        summary: 'Change a section',
        description:
          'Shows at once on each page with it. One on a live or scheduled page also requires the right to publish. A section cannot contain itself, also not through others.',
        request: {
          params: sectionParameter,
          body: { required: true, ...json(changedSection, 'The name and the blocks') },
        },
        responses: {
          200: json(section, 'Changed'),
          409: refusalResponse('Somebody else saved meanwhile; `current` is the saved state'),
        },
      }),
      async (c) => c.json(await updateSection(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/sections/{id}',
        ...write,
        summary: 'Delete a section',
        request: { params: sectionParameter },
        responses: {
          204: { description: 'Deleted' },
          409: refusalResponse('It is in use (`section_in_use`; `current.usages` says where)'),
        },
      }),
      async (c) => {
        await deleteSection(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
