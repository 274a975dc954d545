import { senderChecks } from '../contract/mail-checks.ts'
import { changedMailbox, changedMailServer, mailbox, mailServer, mailTest } from '../contract/mail-server.ts'
import { rights } from '../contract/rights.ts'
import { forgetMailProblems } from '../domain/health/problems.ts'
import { checkSender } from '../domain/mail/check-sender.ts'
import { changeMailServer, sendTestEmail, showMailServer } from '../domain/mail/mail-server.ts'
import { changeMailbox, showMailbox } from '../domain/mail/mailbox.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse, staleResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'
import { createTaskLimit } from '../platform/task-limit.ts'

const access = { rights: ['config.write'] } as const

/** `/mail-server`. */
export const mailServerApi = () => {
  const runConnection = createTaskLimit({ atOnce: 3, waiting: 3 })
  const runDnsCheck = createTaskLimit({ atOnce: 3, waiting: 10 })
  return createApi()
    .openapi(
      defineRoute('get', '/mail-server', {
        ...access,
        summary: 'The mail server',
        description: 'The settings and what is in use. Passwords are never returned.',
        responses: { 200: json(mailServer, 'Without passwords') },
      }),
      async (c) => c.json(await showMailServer(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/mail-server', {
        rights,
        allRights: true,
        summary: 'Change the mail server',
        description:
          'Connects and signs in to it before saving; when that fails, the error response gives advice at the field concerned. It applies to every process at once, unless `SMTP_URL` is set, which wins. It needs every right, because the mail server sees links to set a password, and a recent sign-in.',
        request: { body: jsonBody(changedMailServer, 'The server; without `password` the stored one') },
        responses: {
          200: json(mailServer, 'The settings now'),
          409: staleResponse,
          429: refusalResponse('Others are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        const changed = await runConnection(() => changeMailServer(ctx, c.req.valid('json')))
        if (changed.inUse !== 'environment') await forgetMailProblems(ctx)
        return c.json(changed, 200)
      },
    )
    .openapi(
      defineRoute('post', '/mail-server/test', {
        ...access,
        summary: 'Send yourself a test email',
        description:
          'Now, by the mail server in use. The answer has each step, and what to do about the one that failed.',
        responses: {
          200: json(mailTest, 'Each step'),
          404: refusalResponse('There is no mail server'),
          429: refusalResponse('Others are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await runConnection(() => sendTestEmail(ctx, requestLocale(c.req.raw))), 200)
      },
    )
    .openapi(
      defineRoute('get', '/mail-server/checks', {
        ...access,
        summary: "Check the DNS of the sender's domain",
        description: 'SPF, DKIM, DMARC and MX, asked now. What the DNS does not tell within some seconds is `unknown`.',
        responses: {
          200: json(senderChecks, 'Each with what was found and the record to add'),
          429: refusalResponse('Others are checking now'),
        },
      }),
      async (c) => c.json(await runDnsCheck(() => checkSender(c.var.ctx)), 200),
    )
    .openapi(
      defineRoute('get', '/mail-server/mailbox', {
        ...access,
        summary: 'The mailbox for delivery reports',
        description: 'Reports in it are tied to the email that was not delivered. Its password is never returned.',
        responses: { 200: json(mailbox, 'Without its password') },
      }),
      async (c) => c.json(await showMailbox(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('put', '/mail-server/mailbox', {
        rights,
        allRights: true,
        summary: 'Change the mailbox for delivery reports',
        description: 'Opens its inbox first. From then on new reports are read, every two minutes.',
        request: { body: jsonBody(changedMailbox, 'Without `password` the stored one') },
        responses: {
          200: json(mailbox, 'The settings now'),
          409: staleResponse,
          429: refusalResponse('Others are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await runConnection(() => changeMailbox(ctx, c.req.valid('json'), requestLocale(c.req.raw))), 200)
      },
    )
}
