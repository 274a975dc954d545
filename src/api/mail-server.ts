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

const access = { anyRight: ['config.write'] } as const

/** `/mail-server`. */
export const mailServerApi = () => {
  const limitTests = createTaskLimit({ atOnce: 3, waiting: 3 })
  const limitDnsChecks = createTaskLimit({ atOnce: 3, waiting: 10 })
  return createApi()
    .openapi(
      defineRoute('get', '/mail-server', {
        ...access,
        summary: 'The mail server',
        description: 'The settings and what is in use. Passwords are never returned.',
        responses: { 200: json(mailServer, 'The settings, without passwords') },
      }),
      async (c) => c.json(await showMailServer(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/mail-server', {
        allRights: rights,
        summary: 'Change the mail server',
        description:
          'Before saving, connects to the server and signs in; if that fails, the error response gives advice at the field concerned. The change applies to every process at once, unless `SMTP_URL` is set, which takes precedence. It requires every right, because the mail server sees links to set a password, and a recent sign-in.',
        request: { body: jsonBody(changedMailServer, 'The server; without `password`, the stored password stays') },
        responses: {
          200: json(mailServer, 'The settings after the change'),
          409: staleResponse,
          429: refusalResponse('Other users are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        const changed = await limitTests(() => changeMailServer(ctx, c.req.valid('json')))
        if (changed.inUse !== 'environment') await forgetMailProblems(ctx)
        return c.json(changed, 200)
      },
    )
    .openapi(
      defineRoute('post', '/mail-server/test', {
        ...access,
        summary: 'Send yourself a test email',
        description:
          'The email is sent at once, by the mail server in use. The response lists each step, and what to do about a step that failed.',
        responses: {
          200: json(mailTest, 'The steps'),
          404: refusalResponse('There is no mail server'),
          429: refusalResponse('Other users are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await limitTests(() => sendTestEmail(ctx, requestLocale(c.req.raw))), 200)
      },
    )
    .openapi(
      defineRoute('get', '/mail-server/checks', {
        ...access,
        summary: "Check the DNS of the sender's domain",
        description:
          'SPF, DKIM, DMARC and MX, queried at once. A record without a DNS response within some seconds is `unknown`.',
        responses: {
          200: json(senderChecks, 'The checks, each with the record that was found and the record to add'),
          429: refusalResponse('Other users are checking now'),
        },
      }),
      async (c) => c.json(await limitDnsChecks(() => checkSender(c.var.ctx)), 200),
    )
    .openapi(
      defineRoute('get', '/mail-server/mailbox', {
        ...access,
        summary: 'The mailbox for delivery reports',
        description:
          'Each report in it is matched to the email that was not delivered. The password is never returned.',
        responses: { 200: json(mailbox, 'The mailbox, without its password') },
      }),
      async (c) => c.json(await showMailbox(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('put', '/mail-server/mailbox', {
        allRights: rights,
        summary: 'Change the mailbox for delivery reports',
        description: 'Before saving, opens the inbox. From then on, new reports are read every two minutes.',
        request: { body: jsonBody(changedMailbox, 'The mailbox; without `password`, the stored password stays') },
        responses: {
          200: json(mailbox, 'The settings after the change'),
          409: staleResponse,
          429: refusalResponse('Other users are testing now'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        return c.json(await limitTests(() => changeMailbox(ctx, c.req.valid('json'), requestLocale(c.req.raw))), 200)
      },
    )
}
