import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { type MailTest, mailLimits } from '../../contract/mail-server.ts'
import type { Context } from '../../platform/context.ts'
import { trySmtp } from '../../platform/mail/check-smtp.ts'
import { mailOf } from '../../platform/mail/transport.ts'
import { allow } from '../allow.ts'
import { mailStepResults } from './mail-server.ts'

/**
 * Sends the actor an email now, without the outbox, and reports each step.
 * @throws {Refusal} `not_found` without a mail server
 */
export async function sendTestEmail(ctx: Context, locale: Locale): Promise<MailTest> {
  const { email: recipient, name } = allow(ctx, ['config.write'])
  const { server } = ctx.mail
  if (!server) throw new Refusal('not_found')
  const { renderTestEmail } = await import('./test-email.mail.tsx')
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const from = ctx.site.sender.email
  const raw = await new MailComposer(
    mailOf({
      ...renderTestEmail(ctx.site, locale, { to: { name, address: recipient }, at: ctx.now() }),
      id: 0,
      messageId: `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      recipient,
      date: ctx.now(),
    }),
  )
    .compile()
    .build()
  const tried = await trySmtp(server, { message: { from, to: recipient, raw }, stepMs: mailLimits.stepMs })
  return { recipient, sent: tried.failed === undefined, steps: mailStepResults(tried, locale) }
}
