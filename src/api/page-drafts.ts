import { createRoute } from '@hono/zod-openapi'
import { listOf } from '../contract/list.ts'
import {
  draft,
  draftEnd,
  draftToSave,
  pageInLocale,
  pageParameters,
  pageVersion,
  presence,
  presenceEnd,
  presenceSignal,
  restoredText,
  revision,
  revisionGroup,
  revisionParameters,
  revisionQuery,
  savedDraft,
  saveToUndo,
} from '../contract/pages.ts'
import { discardDraft, getDraft, saveDraft } from '../domain/pages/drafts.ts'
import { getRevision, listRevisions } from '../domain/pages/history.ts'
import { bePresent, leavePage } from '../domain/pages/presence.ts'
import { restoreRevision } from '../domain/pages/restore-revision.ts'
import { undoSave } from '../domain/pages/undo-save.ts'
import { createApi, json, refused } from '../http/api.ts'

const read = { rights: ['pages.write', 'pages.publish'] } as const
const write = { rights: ['pages.write'] } as const

/** What is being written on a page, by whom, and what was written before: `/pages/{id}/{locale}/…`. */
export const pageDraftsApi = () => createApi().route('/', draftApi()).route('/', historyApi())

const draftApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/{id}/{locale}/draft',
        ...write,
        summary: 'Your draft of a page',
        description: 'Nobody else has it.',
        request: { params: pageParameters },
        responses: { 200: json(draft, 'The draft') },
      }),
      async (c) => c.json(await getDraft(c.var.ctx, c.req.valid('param')), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/pages/{id}/{locale}/draft',
        ...write,
        summary: 'Keep what you are writing',
        description:
          'Anything in it may still be missing or wrong. `number` counts the saves of one tab: a smaller one that comes later changes nothing. What another of your tabs wrote since `knownNumber` is joined with it.',
        request: { params: pageParameters, body: { required: true, ...json(draftToSave, 'What stands in the form') } },
        responses: { 200: json(savedDraft, 'Kept'), 409: refused('The page lies in the bin (`page_in_bin`)') },
      }),
      async (c) => c.json(await saveDraft(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/pages/{id}/{locale}/draft',
        ...write,
        summary: 'Throw your draft away',
        description:
          'With the tab and its last number, autosaves that come late bring nothing back. What another of your tabs wrote since `knownNumber` stays.',
        request: { params: pageParameters, query: draftEnd },
        responses: { 204: { description: 'Gone' } },
      }),
      async (c) => {
        await discardDraft(c.var.ctx, c.req.valid('param'), c.req.valid('query'))
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/pages/{id}/{locale}/presence',
        ...read,
        summary: 'Say that you have a page open, and hear who else has',
        description: 'Who is not heard of for half a minute has left.',
        request: { params: pageParameters, body: { required: true, ...json(presenceSignal, 'Which tab') } },
        responses: { 200: json(presence, 'Who else is there, and what stands now') },
      }),
      async (c) => c.json(await bePresent(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/pages/{id}/{locale}/presence',
        ...read,
        summary: 'Leave a page',
        request: { params: pageParameters, query: presenceEnd },
        responses: { 204: { description: 'Left' } },
      }),
      async (c) => {
        await leavePage(c.var.ctx, c.req.valid('param'), c.req.valid('query'))
        return c.body(null, 204)
      },
    )

const historyApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/{id}/{locale}/revisions',
        ...read,
        summary: 'List what was saved of a page',
        description:
          'The newest first. The saves of one person, with pauses under half an hour, are one line; with `line`, a revision, those of its line are told one by one.',
        request: { params: pageParameters, query: revisionQuery },
        responses: { 200: json(listOf(revisionGroup), 'One page of the history') },
      }),
      async (c) => c.json(await listRevisions(c.var.ctx, c.req.valid('param'), c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/pages/{id}/{locale}/revisions/{revision}',
        ...read,
        summary: 'What a page said once',
        request: { params: revisionParameters },
        responses: { 200: json(revision, 'The text of then') },
      }),
      async (c) => {
        const { revision: revisionId, ...at } = c.req.valid('param')
        return c.json(await getRevision(c.var.ctx, at, revisionId), 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/{locale}/revisions/{revision}/restore',
        ...write,
        summary: 'Save again what a page said once',
        description: 'As a new version; visitors see it when it is published. `undo` takes it back.',
        request: { params: revisionParameters, body: { required: true, ...json(pageVersion, 'What is saved now') } },
        responses: {
          200: json(restoredText, 'Saved'),
          409: refused('Somebody saved meanwhile (`stale`), or the page lies in the bin (`page_in_bin`)'),
        },
      }),
      async (c) => {
        const { revision: revisionId, ...at } = c.req.valid('param')
        const { version } = c.req.valid('json')
        return c.json(await restoreRevision(c.var.ctx, at, { revisionId, version }), 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/pages/{id}/{locale}/undo',
        ...write,
        summary: 'Take a save back',
        description:
          'With what the save answered as `undo`: what was saved before is saved anew. Where the save was published too, visitors see again what they saw before, and the plan that it dropped stands again when its time is still to come, which takes the right to publish. All of it or nothing.',
        request: { params: pageParameters, body: { required: true, ...json(saveToUndo, 'How it stood before') } },
        responses: {
          200: json(pageInLocale, 'Taken back'),
          409: refused(
            'Somebody saved, published, planned or unpublished since (`stale`), the page is always there (`fixed_page`), or in the bin (`page_in_bin`)',
          ),
        },
      }),
      async (c) => c.json(await undoSave(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
