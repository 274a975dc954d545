import { createRoute } from '@hono/zod-openapi'
import { blockSchema } from '../blocks/registry.ts'
import { idParameter, listOf } from '../contract/list.ts'
import {
  changedPageSchema,
  listedPage,
  newPage,
  pageInLocale,
  pageParameters,
  pagePlan,
  pageQuery,
  pageVersion,
  previewLink,
  publishedPage,
  restoredPage,
  savedPage,
  slugQuery,
  suggestedSlug,
} from '../contract/pages.ts'
import { binPage, deletePage, restorePage } from '../domain/pages/bin-page.ts'
import { createPage, suggestSlug } from '../domain/pages/create-page.ts'
import { duplicatePage } from '../domain/pages/duplicate-page.ts'
import { findPages, getPage, getPageInLocale } from '../domain/pages/find-pages.ts'
import { makePreview } from '../domain/pages/preview.ts'
import { planPage, publishPage, unpublishPage } from '../domain/pages/publish-page.ts'
import { savePage } from '../domain/pages/save-page.ts'
import { createApi, json, refused } from '../http/api.ts'

const read = { rights: ['pages.write', 'pages.publish'] } as const
const write = { rights: ['pages.write'] } as const
const publish = { rights: ['pages.publish'] } as const

const changedPage = changedPageSchema(blockSchema).meta({ id: 'ChangedPage' })

const inBin = refused('It lies in the bin (`page_in_bin`)')
const staleOrInBin = refused(
  'Somebody saved meanwhile (`stale`; `current` holds the page as it is now, what collides, and both changes together), or it lies in the bin (`page_in_bin`)',
)

/** Two parts, for a chain of more calls than this is slow to type. */
export const pagesApi = () => createApi().route('/', wholePagesApi()).route('/', pageInLocaleApi())

const wholePagesApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages',
        ...read,
        summary: 'List pages',
        description:
          'What was saved last comes first. `search` looks at titles and addresses in both languages; every word must be found.',
        request: { query: pageQuery },
        responses: { 200: json(listOf(listedPage), 'One page of the list') },
      }),
      async (c) => c.json(await findPages(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/slug',
        ...write,
        summary: 'Suggest an address for a title',
        description: 'With a number behind it when another page has it.',
        request: { query: slugQuery },
        responses: { 200: json(suggestedSlug, 'One that is free') },
      }),
      async (c) => c.json(await suggestSlug(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages',
        ...write,
        summary: 'Add a page',
        description: 'With a title alone, in one language. Visitors do not see it.',
        request: { body: { required: true, ...json(newPage, 'The page') } },
        responses: { 201: json(listedPage, 'Added') },
      }),
      async (c) => {
        const made = await createPage(c.var.ctx, c.req.valid('json'))
        return c.json(made, 201, { Location: `/api/pages/${made.id}` })
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/{id}',
        ...read,
        summary: 'One page, without its texts',
        request: { params: idParameter },
        responses: { 200: json(listedPage, 'The page') },
      }),
      async (c) => c.json(await getPage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/duplicate',
        ...write,
        summary: 'Copy a page',
        description: 'What is saved in each language, under addresses of its own. Visitors do not see the copy.',
        request: { params: idParameter },
        responses: { 201: json(listedPage, 'The copy'), 409: inBin },
      }),
      async (c) => {
        const made = await duplicatePage(c.var.ctx, c.req.valid('param').id)
        return c.json(made, 201, { Location: `/api/pages/${made.id}` })
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/bin',
        ...write,
        summary: 'Put a page into the bin',
        description:
          'Visitors do not find it any more, which takes the right to publish when they did. Its plans rest with it.',
        request: { params: idParameter },
        responses: {
          200: json(listedPage, 'In the bin'),
          409: refused('It belongs to the site (`fixed_page`), or lies there already (`page_in_bin`)'),
        },
      }),
      async (c) => c.json(await binPage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/restore',
        ...write,
        summary: 'Bring a page back from the bin',
        description:
          'What visitors saw they see again, and plans whose time is still to come count again, when the caller may publish; else it comes back unpublished, and `unplanned` names the languages whose plan is gone.',
        request: { params: idParameter },
        responses: {
          200: json(restoredPage, 'Back, where it got another address, and where its plan is gone'),
          409: refused('It does not lie in the bin (`page_not_in_bin`)'),
        },
      }),
      async (c) => c.json(await restorePage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/pages/{id}',
        ...write,
        summary: 'Delete a page for good',
        description: 'Out of the bin alone, with its history and its drafts.',
        request: { params: idParameter },
        responses: {
          204: { description: 'Gone' },
          409: refused('It does not lie in the bin (`page_not_in_bin`)'),
        },
      }),
      async (c) => {
        await deletePage(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )

/** `/pages/{id}/{locale}` */
const pageInLocaleApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/{id}/{locale}',
        ...read,
        summary: 'A page in one language, as it is edited',
        description: 'Also where there is no text yet: then `version` is 0.',
        request: { params: pageParameters },
        responses: { 200: json(pageInLocale, 'What is saved, what visitors see, and what is planned') },
      }),
      async (c) => c.json(await getPageInLocale(c.var.ctx, c.req.valid('param')), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/pages/{id}/{locale}',
        ...write,
        summary: 'Save a page in one language',
        description:
          'Visitors go on seeing what was published, unless `publish` says otherwise, which takes that right. When somebody saved since `version`, both changes are joined, and `merged` says so; where they collide nothing is saved. `undo` is what takes it back when it was a mistake, and `droppedPlan` the plan that publishing took the place of.',
        request: { params: pageParameters, body: { required: true, ...json(changedPage, 'The text as it is to be') } },
        responses: { 200: json(savedPage, 'Saved'), 409: staleOrInBin },
      }),
      async (c) => c.json(await savePage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/{locale}/publish',
        ...publish,
        summary: 'Show what is saved to visitors',
        description:
          'When its address changed, the old one leads to the new one from then on. A plan to publish it is dropped, and `droppedPlan` says for when it was.',
        request: {
          params: pageParameters,
          body: { required: true, ...json(pageVersion, 'What the caller looked at') },
        },
        responses: { 200: json(publishedPage, 'Published'), 409: staleOrInBin },
      }),
      async (c) => c.json(await publishPage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/{locale}/unpublish',
        ...publish,
        summary: 'Take a page off the site in one language',
        request: {
          params: pageParameters,
          body: { required: true, ...json(pageVersion, 'What the caller looked at') },
        },
        responses: {
          200: json(pageInLocale, 'Visitors do not find it any more'),
          409: refused(
            'Somebody saved meanwhile (`stale`), it is always there (`fixed_page`), or in the bin (`page_in_bin`)',
          ),
        },
      }),
      async (c) => c.json(await unpublishPage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/pages/{id}/{locale}/plan',
        ...publish,
        summary: 'Plan when a page is published, and until when',
        description: 'What is saved now is what will be published: a later save is not in it.',
        request: { params: pageParameters, body: { required: true, ...json(pagePlan, 'When; null is never') } },
        responses: { 200: json(pageInLocale, 'Planned'), 409: staleOrInBin },
      }),
      async (c) => c.json(await planPage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/{locale}/preview',
        ...read,
        summary: 'Make a link that shows your draft on the site',
        description: 'To whoever has it, for a day. Without a draft it shows what is saved.',
        request: { params: pageParameters },
        responses: { 201: json(previewLink, 'The link') },
      }),
      async (c) => c.json(await makePreview(c.var.ctx, c.req.valid('param')), 201),
    )
