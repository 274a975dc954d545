import { listOf } from '../contract/list.ts'
import {
  emailKindList,
  emailKindParameter,
  emailPreview,
  emailPreviewQuery,
  emailsRetried,
  emailsToRetry,
  outboxCounts,
  outboxEmail,
  outboxQuery,
} from '../contract/outbox.ts'
import { countOutbox, listOutbox, retryEmails } from '../domain/outbox/outbox.ts'
import { listEmailKinds, previewEmail } from '../domain/preview-emails.ts'
import { createApi, defineRoute, json, jsonBody } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

const read = { anyRight: ['mail.read'] } as const

/** `/outbox`. */
export const outboxApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/outbox', {
        ...read,
        summary: 'List emails',
        description: 'The newest first. `search` matches the recipient. The content is not included: it may be secret.',
        request: { query: outboxQuery },
        responses: { 200: json(listOf(outboxEmail), 'One page of the list') },
      }),
      async (c) => c.json(await listOutbox(c.var.ctx, c.req.valid('query'), requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('get', '/outbox/counts', {
        ...read,
        summary: 'Count emails by state',
        description: 'Sent emails are stored for `retention.emailDays` of the configuration.',
        responses: { 200: json(outboxCounts, 'The current numbers') },
      }),
      async (c) => c.json(await countOutbox(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('post', '/outbox/retry', {
        ...read,
        summary: 'Retry failed emails',
        description:
          'Emails in `ids` are also retried when they wait more than a minute for their next attempt. Emails that are sent or being sent are unchanged.',
        request: { body: jsonBody(emailsToRetry, 'The emails; without `ids`, all failed emails') },
        responses: { 200: json(emailsRetried, 'How many are due now') },
      }),
      async (c) => c.json({ retried: await retryEmails(c.var.ctx, c.req.valid('json').ids) }, 200),
    )
    .openapi(
      defineRoute('get', '/outbox/templates', {
        ...read,
        summary: 'List the email templates',
        responses: { 200: json(emailKindList, 'The templates with their names') },
      }),
      async (c) => c.json({ data: listEmailKinds(c.var.ctx, requestLocale(c.req.raw)) }, 200),
    )
    .openapi(
      defineRoute('get', '/outbox/templates/{kind}', {
        ...read,
        summary: 'Preview an email',
        description: 'With the current configuration and a fictitious person. Nothing is sent.',
        request: { params: emailKindParameter, query: emailPreviewQuery },
        responses: { 200: json(emailPreview, 'The email') },
      }),
      async (c) => {
        const { locale } = c.req.valid('query')
        return c.json(await previewEmail(c.var.ctx, c.req.valid('param').kind, locale), 200)
      },
    )
