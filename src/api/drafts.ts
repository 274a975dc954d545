import {
  draft,
  draftToDiscard,
  draftToSave,
  presence,
  presenceEnd,
  presenceSignal,
  previewLink,
  savedDraft,
} from '../contract/drafts.ts'
import { pageParameters } from '../contract/pages.ts'
import { discardDraft, endPresence, getDraft, reportPresence, saveDraft } from '../domain/drafts/drafts.ts'
import { createPreviewLink } from '../domain/drafts/preview-link.ts'
import { createApi, defineRoute, json, jsonBody, noContent, refusalResponse } from '../http/api.ts'

const read = { anyRight: ['pages.write', 'pages.publish'] } as const
const write = { anyRight: ['pages.write'] } as const

const staleDraft = 'The draft has another revision (`stale`; it is in `current`)'

/** Drafts, presence on a page, and the preview link of a draft: `/pages/{id}/{locale}/…`. */
export const draftsApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/pages/{id}/{locale}/draft', {
        ...write,
        summary: 'Your draft of a page',
        description: 'Each user has drafts of their own.',
        request: { params: pageParameters },
        responses: { 200: json(draft, 'The draft') },
      }),
      async (c) => c.json(await getDraft(c.var.ctx, c.req.valid('param')), 200),
    )
    .openapi(
      defineRoute('put', '/pages/{id}/{locale}/draft', {
        ...write,
        summary: 'Save your draft',
        description:
          'A draft may be incomplete or invalid. It only replaces the draft with this `revision`: after a 409, merge it with `current` and send the result. With `user`, it is refused when another user is signed in.',
        request: { params: pageParameters, body: jsonBody(draftToSave, 'The content of the form') },
        responses: {
          200: json(savedDraft, 'Saved, as the next revision'),
          409: refusalResponse(`${staleDraft}, or the page is in the trash (\`page_in_bin\`)`),
        },
      }),
      async (c) => c.json(await saveDraft(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/pages/{id}/{locale}/draft', {
        ...write,
        summary: 'Discard your draft',
        description:
          'With `revision`, a late autosave of that revision is refused, and a newer draft of another tab stays.',
        request: { params: pageParameters, query: draftToDiscard },
        responses: {
          204: { description: 'Deleted; the revision is one higher' },
          409: refusalResponse(staleDraft),
        },
      }),
      async (c) => noContent(c, discardDraft(c.var.ctx, c.req.valid('param'), c.req.valid('query'))),
    )
    .openapi(
      defineRoute('put', '/pages/{id}/{locale}/presence', {
        ...read,
        summary: 'Report that you have a page open, and list who else does',
        description: 'A report expires after half a minute.',
        request: { params: pageParameters, body: jsonBody(presenceSignal, 'The tab') },
        responses: { 200: json(presence, 'Who else has it open, and the current state') },
      }),
      async (c) => c.json(await reportPresence(c.var.ctx, c.req.valid('param'), c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/pages/{id}/{locale}/presence', {
        ...read,
        summary: 'Report that you closed a page',
        request: { params: pageParameters, query: presenceEnd },
        responses: { 204: { description: 'Left' } },
      }),
      async (c) => noContent(c, endPresence(c.var.ctx, c.req.valid('param'), c.req.valid('query'))),
    )
    .openapi(
      defineRoute('post', '/pages/{id}/{locale}/preview', {
        ...read,
        summary: 'Create a preview link of your draft',
        description: 'Anyone with the link can open it, for a day. Without a draft it shows the saved text.',
        request: { params: pageParameters },
        responses: { 201: json(previewLink, 'The link') },
      }),
      async (c) => c.json(await createPreviewLink(c.var.ctx, c.req.valid('param')), 201),
    )
