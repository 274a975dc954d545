import { createRoute } from '@hono/zod-openapi'
import { listOf } from '../contract/list.ts'
import {
  letterKindList,
  letterKindParameter,
  letterPreview,
  letterPreviewQuery,
  lettersRetried,
  lettersToRetry,
  outboxCounts,
  outboxLetter,
  outboxQuery,
} from '../contract/outbox.ts'
import { retryLetters } from '../domain/outbox/retry-letters.ts'
import { countOutbox, showOutbox } from '../domain/outbox/show-outbox.ts'
import { listLetterKinds, previewLetter } from '../domain/preview-letters.ts'
import { createApi, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

const read = { rights: ['mail.read'] } as const

/** `/outbox`. */
export const outboxApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/outbox',
        ...read,
        summary: 'List letters',
        description:
          'The newest first. `search` looks at who gets them. What they say is not told: it may be a secret.',
        request: { query: outboxQuery },
        responses: { 200: json(listOf(outboxLetter), 'One page') },
      }),
      async (c) => c.json(await showOutbox(c.var.ctx, c.req.valid('query'), requestLocale(c.req.raw)), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/outbox/counts',
        ...read,
        summary: 'Count letters by their state',
        description: 'Sent ones are kept for thirty days.',
        responses: { 200: json(outboxCounts, 'Of this moment') },
      }),
      async (c) => c.json(await countOutbox(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/outbox/retry',
        ...read,
        summary: 'Send letters again that were given up',
        description:
          'Named ones also when their next try is more than a minute off. One that is sent or on its way is left alone.',
        request: { body: { required: true, ...json(lettersToRetry, 'Which; without `ids` all that were given up') } },
        responses: { 200: json(lettersRetried, 'How many are tried now') },
      }),
      async (c) => c.json({ retried: await retryLetters(c.var.ctx, c.req.valid('json').ids) }, 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/outbox/templates',
        ...read,
        summary: 'List the letters that the website writes',
        responses: { 200: json(letterKindList, 'Each with its name in words') },
      }),
      async (c) => c.json({ data: listLetterKinds(c.var.ctx, requestLocale(c.req.raw)) }, 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/outbox/templates/{kind}',
        ...read,
        summary: 'Look at a letter',
        description: 'With the configuration in force and somebody who does not exist. Nothing is sent.',
        request: { params: letterKindParameter, query: letterPreviewQuery },
        responses: { 200: json(letterPreview, 'The letter') },
      }),
      async (c) => {
        const { locale } = c.req.valid('query')
        return c.json(await previewLetter(c.var.ctx, c.req.valid('param').kind, locale), 200)
      },
    )
