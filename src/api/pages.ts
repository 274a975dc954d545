import { blockSchema } from '../blocks/registry.ts'
import { idParameter, listOf } from '../contract/list.ts'
import { changedLock, pageLocks } from '../contract/locks.ts'
import {
  changedPageSchema,
  deletePageQuery,
  listedPage,
  menuRemovalQuery,
  newPage,
  pageInLocale,
  pageLanguages,
  pageParameters,
  pageQuery,
  pageSchedule,
  pageVersion,
  pageWithLinks,
  publishedPage,
  restoredPage,
  restoredText,
  returnedReview,
  reviewNumber,
  reviewOffer,
  revision,
  revisionGroup,
  revisionParameters,
  revisionQuery,
  savedPage,
  slugQuery,
  suggestedSlug,
  undoState,
} from '../contract/pages.ts'
import { changePageAndRemoveFromMenu } from '../domain/configuration/site-menu.ts'
import { createPage, duplicatePage, suggestSlug } from '../domain/pages/create-page.ts'
import { getRevision, listRevisions, restorePageRevision, undoSave } from '../domain/pages/history.ts'
import { getPage, getPageInLocale, listPageLanguages, listPages } from '../domain/pages/list-pages.ts'
import { getPageLocks, lockPage } from '../domain/pages/lock-page.ts'
import { publishPage, schedulePage, unpublishPage } from '../domain/pages/publish-page.ts'
import { publishReviewed, returnReview, submitForReview, withdrawReview } from '../domain/pages/review-page.ts'
import { savePage } from '../domain/pages/save-page.ts'
import { deletePage, restorePage, trashPage } from '../domain/pages/trash-page.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse } from '../http/api.ts'
import type { Context } from '../platform/context.ts'

const read = { anyRight: ['pages.write', 'pages.publish'] } as const
const write = { anyRight: ['pages.write'] } as const
const publish = { anyRight: ['pages.publish'] } as const

const pageUpdate = changedPageSchema(blockSchema).meta({ id: 'ChangedPage' })

const inTrash = refusalResponse('It is in the trash (`page_in_bin`)')
const staleOrInTrash = refusalResponse(
  'Somebody else saved meanwhile (`stale`; `current` has the saved page, the conflicts, and the merged text), or it is in the trash (`page_in_bin`)',
)

/** In parts: type inference is slow for one long chain. */
export const pagesApi = () =>
  createApi().route('/', pageApi()).route('/', pageInLocaleApi()).route('/', reviewApi()).route('/', historyApi())

const pageApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/pages', {
        ...read,
        summary: 'List pages',
        description:
          'The last saved page first. `search` matches titles and slugs in every language; every word must occur.',
        request: { query: pageQuery },
        responses: { 200: json(listOf(listedPage), 'One page of the list') },
      }),
      async (c) => c.json(await listPages(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/pages/languages', {
        ...read,
        summary: 'List the languages in which there are pages',
        description: 'Also languages that the site does not have now: their pages stay stored, and are hidden.',
        responses: { 200: json(pageLanguages, 'Each language with its number of pages') },
      }),
      async (c) => c.json({ data: await listPageLanguages(c.var.ctx) }, 200),
    )
    .openapi(
      defineRoute('get', '/pages/slug', {
        ...write,
        summary: 'Suggest a slug for a title',
        description: 'With a number appended when another page has the slug.',
        request: { query: slugQuery },
        responses: { 200: json(suggestedSlug, 'A slug that is free') },
      }),
      async (c) => c.json(await suggestSlug(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('post', '/pages', {
        ...write,
        summary: 'Add a page',
        description: 'The page has only a title, in one language. Visitors do not see it.',
        request: { body: jsonBody(newPage, 'The page') },
        responses: { 201: json(listedPage, 'Added') },
      }),
      async (c) => {
        const created = await createPage(c.var.ctx, c.req.valid('json'))
        return c.json(created, 201, { Location: `/api/pages/${created.id}` })
      },
    )
    .openapi(
      defineRoute('get', '/pages/{id}', {
        ...read,
        summary: 'One page, without its texts',
        request: { params: idParameter },
        responses: { 200: json(pageWithLinks, 'The page') },
      }),
      async (c) => c.json(await getPage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/duplicate', {
        ...write,
        summary: 'Copy a page',
        description: 'Copies the saved text of each language, under new slugs. The copy is not published.',
        request: { params: idParameter },
        responses: { 201: json(listedPage, 'The copy'), 409: inTrash },
      }),
      async (c) => {
        const created = await duplicatePage(c.var.ctx, c.req.valid('param').id)
        return c.json(created, 201, { Location: `/api/pages/${created.id}` })
      },
    )
    .openapi(
      defineRoute('post', '/pages/{id}/bin', {
        ...write,
        summary: 'Move a page to the trash',
        description:
          'It is taken off the site, which requires the right to publish if it is published. Its schedule is suspended.',
        request: { params: idParameter, query: menuRemovalQuery },
        responses: {
          200: json(listedPage, 'In the trash'),
          409: refusalResponse('It belongs to the site (`fixed_page`), or is in the trash already (`page_in_bin`)'),
        },
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        const trash = (ctx: Context) => trashPage(ctx, id)
        return c.json(await withMenuRemoval(c.var.ctx, c.req.valid('query'), { id }, trash), 200)
      },
    )
    .openapi(
      defineRoute('post', '/pages/{id}/restore', {
        ...write,
        summary: 'Restore a page from the trash',
        description:
          'If the caller may publish, it is published again as before, and schedules in the future apply again; otherwise it is restored unpublished, and `unplanned` names the languages whose schedule was dropped.',
        request: { params: idParameter },
        responses: {
          200: json(restoredPage, 'Restored; with the languages in which it got another slug or lost its schedule'),
          409: refusalResponse('It is not in the trash (`page_not_in_bin`)'),
        },
      }),
      async (c) => c.json(await restorePage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('get', '/pages/{id}/locks', {
        ...publish,
        summary: 'The locks of a page',
        description:
          'The roles that may change only texts and images, of the page or of one of its blocks, and the roles to choose from.',
        request: { params: idParameter },
        responses: { 200: json(pageLocks, 'The locks') },
      }),
      async (c) => c.json(await getPageLocks(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('put', '/pages/{id}/locks', {
        ...publish,
        summary: 'Lock a page or a block for roles',
        description:
          'Replaces the roles of one lock; this applies at once. A lock binds a user when it names each of the user’s roles that may write pages: such a user can change only texts and images there. A user whom a lock of the page binds cannot change any of its locks.',
        request: { params: idParameter, body: jsonBody(changedLock, 'The block, and the roles') },
        responses: { 200: json(pageLocks, 'The locks'), 409: inTrash },
      }),
      async (c) => c.json(await lockPage(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/pages/{id}', {
        ...write,
        summary: 'Delete a page permanently',
        description: 'Only from the trash. Also deletes its history and its drafts.',
        request: { params: idParameter, query: deletePageQuery },
        responses: {
          204: { description: 'Deleted' },
          409: refusalResponse('It is not in the trash (`page_not_in_bin`)'),
        },
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        const { gone, ...query } = c.req.valid('query')
        await withMenuRemoval(c.var.ctx, query, { id }, (ctx) => deletePage(ctx, id, { gone: gone === 'true' }))
        return c.body(null, 204)
      },
    )

/** Runs a change that unpublishes a page, and also removes its menu items if the request asks for it. */
const withMenuRemoval = <Result>(
  ctx: Context,
  { fromMenu }: { fromMenu?: 'true' | 'false' | undefined },
  page: Parameters<typeof changePageAndRemoveFromMenu>[1],
  change: (ctx: Context) => Promise<Result>,
): Promise<Result> => (fromMenu === 'true' ? changePageAndRemoveFromMenu(ctx, page, change) : change(ctx))

/** `/pages/{id}/{locale}` */
const pageInLocaleApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/pages/{id}/{locale}', {
        ...read,
        summary: 'A page in one language, as it is edited',
        description: 'Also in a language without a text yet: then `version` is 0.',
        request: { params: pageParameters },
        responses: { 200: json(pageInLocale, 'The saved and the published text, and the schedule') },
      }),
      async (c) => c.json(await getPageInLocale(c.var.ctx, c.req.valid('param')), 200),
    )
    .openapi(
      defineRoute('put', '/pages/{id}/{locale}', {
        ...write,
        summary: 'Save a page in one language',
        description:
          'The published text does not change, unless `publish` is set, which requires that right. When somebody saved since `version`, both changes are merged, and `merged` is true; on a conflict nothing is saved. `undo` reverts the save, and `droppedPlan` is the schedule that publishing replaced.',
        request: { params: pageParameters, body: jsonBody(pageUpdate, 'The new text') },
        responses: { 200: json(savedPage, 'Saved'), 409: staleOrInTrash },
      }),
      async (c) => c.json(await savePage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/publish', {
        ...publish,
        summary: 'Publish the saved text',
        description:
          'When its slug changed, the old URL redirects to the new one. A scheduled publication is dropped, and `droppedPlan` is its time.',
        request: { params: pageParameters, body: jsonBody(pageVersion, 'The version that the client has loaded') },
        responses: { 200: json(publishedPage, 'Published'), 409: staleOrInTrash },
      }),
      async (c) => c.json(await publishPage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/unpublish', {
        ...publish,
        summary: 'Unpublish a page in one language',
        request: {
          params: pageParameters,
          query: menuRemovalQuery,
          body: jsonBody(pageVersion, 'The version that the client has loaded'),
        },
        responses: {
          200: json(pageInLocale, 'Unpublished'),
          409: refusalResponse(
            'Somebody else saved meanwhile (`stale`), it cannot be unpublished (`fixed_page`), or it is in the trash (`page_in_bin`)',
          ),
        },
      }),
      async (c) => {
        const { id, locale } = c.req.valid('param')
        const unpublish = (ctx: Context) => unpublishPage(ctx, { id, locale }, c.req.valid('json'))
        return c.json(await withMenuRemoval(c.var.ctx, c.req.valid('query'), { id, locales: [locale] }, unpublish), 200)
      },
    )
    .openapi(
      defineRoute('put', '/pages/{id}/{locale}/plan', {
        ...publish,
        summary: 'Schedule the publication of a page, and its end',
        description: 'The text that is saved now will be published, without later changes.',
        request: { params: pageParameters, body: jsonBody(pageSchedule, 'The times; null: never') },
        responses: { 200: json(pageInLocale, 'Scheduled'), 409: staleOrInTrash },
      }),
      async (c) => c.json(await schedulePage(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )

const reviewEnded = refusalResponse(
  'It was decided, withdrawn or offered again meanwhile (`review_ended`; `current` is the page with its review), or the page is in the trash (`page_in_bin`)',
)

/** `/pages/{id}/{locale}/review` */
const reviewApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/review', {
        ...write,
        summary: 'Offer the saved text for review',
        description:
          'Users who may publish see it on their overview, and get an email if they chose so. Later saves are not part of the offer; offering again replaces it, and sends emails only about another text. The waiting offer of another writer is only replaced when `continues` names it; its author gets an email, and gets it back when the new one is withdrawn.',
        request: { params: pageParameters, body: jsonBody(reviewOffer, 'The version, and a note') },
        responses: {
          200: json(pageInLocale, 'Offered'),
          409: refusalResponse(
            'Somebody else saved meanwhile (`stale`), that text is live already (`nothing_to_review`), another writer has offered one (`review_waits`; `current` is the page with it), the one to continue does not wait any more (`review_ended`), or the page is in the trash (`page_in_bin`)',
          ),
          429: refusalResponse('Too many offers in an hour'),
        },
      }),
      async (c) => c.json(await submitForReview(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/review/withdraw', {
        ...write,
        summary: 'Withdraw a text from review',
        description: 'Only for the author of the offer. Others send it back, so that the author gets an email.',
        request: { params: pageParameters, body: jsonBody(reviewNumber, 'The number of the offer') },
        responses: { 200: json(pageInLocale, 'Withdrawn'), 409: reviewEnded },
      }),
      async (c) => c.json(await withdrawReview(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/review/publish', {
        ...publish,
        summary: 'Publish the text that was offered for review',
        description:
          'Publishes the offered revision, also when another text was saved since. A scheduled publication is dropped, and `droppedPlan` is its time.',
        request: { params: pageParameters, body: jsonBody(reviewNumber, 'The number of the offer') },
        responses: { 200: json(publishedPage, 'Published'), 409: reviewEnded },
      }),
      async (c) => c.json(await publishReviewed(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/review/return', {
        ...publish,
        summary: 'Send an offered text back to its author',
        request: { params: pageParameters, body: jsonBody(returnedReview, 'The number of the offer, and the reason') },
        responses: { 200: json(pageInLocale, 'Sent back'), 409: reviewEnded },
      }),
      async (c) => c.json(await returnReview(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )

/** `/pages/{id}/{locale}/revisions` and `…/undo` */
const historyApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/pages/{id}/{locale}/revisions', {
        ...read,
        summary: 'List revisions of a page',
        description:
          'The newest first. Revisions by one person with less than half an hour between them are grouped; with `line`, the id of a revision, the revisions of its group are listed one by one.',
        request: { params: pageParameters, query: revisionQuery },
        responses: { 200: json(listOf(revisionGroup), 'One page of the history') },
      }),
      async (c) => c.json(await listRevisions(c.var.ctx, c.req.valid('param'), c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/pages/{id}/{locale}/revisions/{revision}', {
        ...read,
        summary: 'A revision of a page',
        request: { params: revisionParameters },
        responses: { 200: json(revision, 'The text of that revision') },
      }),
      async (c) => {
        const { revision: revisionId, ...pageText } = c.req.valid('param')
        return c.json(await getRevision(c.var.ctx, pageText, revisionId), 200)
      },
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/revisions/{revision}/restore', {
        ...write,
        summary: 'Restore a revision of a page',
        description: 'Saved as a new version, which is not published. `undo` reverts it.',
        request: { params: revisionParameters, body: jsonBody(pageVersion, 'The version that is saved now') },
        responses: {
          200: json(restoredText, 'Saved'),
          409: refusalResponse('Somebody else saved meanwhile (`stale`), or the page is in the trash (`page_in_bin`)'),
        },
      }),
      async (c) => {
        const { revision: revisionId, ...pageText } = c.req.valid('param')
        const { version } = c.req.valid('json')
        return c.json(await restorePageRevision(c.var.ctx, pageText, { revisionId, version }), 200)
      },
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/undo', {
        ...write,
        summary: 'Undo a save',
        description:
          'Send the `undo` of the response to the save: the previous text is saved again. If the save was published too, the previous text is published again, and a dropped schedule in the future is restored, which requires the right to publish. All or nothing.',
        request: { params: pageParameters, body: jsonBody(undoState, 'The previous state') },
        responses: {
          200: json(pageInLocale, 'Undone'),
          409: refusalResponse(
            'Somebody saved, published, scheduled or unpublished it since (`stale`), the page cannot be unpublished (`fixed_page`), or it is in the trash (`page_in_bin`)',
          ),
        },
      }),
      async (c) => c.json(await undoSave(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
