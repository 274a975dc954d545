import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { type MailTest, mailboxAddress, mailLimits } from '../../contract/mail-server.ts'
import type { Context } from '../../platform/context.ts'
import { trySmtp } from '../../platform/mail/check-smtp.ts'
import { findImapSettings } from '../../platform/mail/mail-settings.ts'
import { storeTestEmail } from '../../platform/mail/mailbox-state.queries.ts'
import { type MailAddress, mailOf } from '../../platform/mail/transport.ts'
import { allow } from '../allow.ts'
import { mailStepResults } from './mail-server.ts'

/**
 * Sends the actor a test email immediately, bypassing the outbox, and reports each SMTP step. If a mailbox is configured, a
 * second one is sent there, to read the authentication results of its server; see `readDeliveryReports`.
 * @throws {Refusal} `not_found` without a mail server
 */
export async function sendTestEmail(ctx: Context, locale: Locale): Promise<MailTest> {
  const { email: recipient, name } = allow(ctx, ['config.write'])
  const { server } = ctx.mail
  if (!server) throw new Refusal('not_found')
  const send = async (to: string) => {
    const messageId = `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`
    const raw = await composeTestEmail(ctx, locale, { name: to === recipient ? name : '', address: to }, messageId)
    return { messageId, tried: await trySmtp(server, { message: { from, to, raw }, stepMs: mailLimits.stepMs }) }
  }
  const from = ctx.site.sender.email
  const { tried } = await send(recipient)
  const box = tried.failed ? undefined : (await findImapSettings(ctx.db, ctx.secret)).value
  // Delivery reports to the sender come in there.
  const returned = box && (await send(mailboxAddress(box) ?? from))
  const returns = returned !== undefined && !returned.tried.failed
  if (returns) await storeTestEmail(ctx.db, returned.messageId, ctx.now())
  return { recipient, sent: tried.failed === undefined, steps: mailStepResults(tried, locale), returns }
}

async function composeTestEmail(ctx: Context, locale: Locale, to: MailAddress, messageId: string): Promise<Buffer> {
  const { renderTestEmail } = await import('./test-email.mail.tsx')
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const email = renderTestEmail(ctx.site, locale, { to, at: ctx.now() })
  const mail = mailOf({ ...email, id: 0, messageId, recipient: to.address, date: ctx.now() })
  return new MailComposer(mail).compile().build()
}
