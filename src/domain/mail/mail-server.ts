import { randomUUID } from 'node:crypto'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import {
  type ChangedMailServer,
  type ImapSettings,
  type MailServer,
  type MailStep,
  type MailStepResult,
  type MailTest,
  mailboxAddress,
  mailLimits,
  mailSteps,
  type SmtpSettings,
} from '../../contract/mail-server.ts'
import { holdsAll, rights } from '../../contract/rights.ts'
import { translator } from '../../i18n/translate.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { type SmtpTest, testSmtp } from '../../platform/mail/check-smtp.ts'
import {
  findImapSettings,
  findSmtpSettings,
  mailServerTag,
  type StoredMailSetting,
  storeMailSetting,
} from '../../platform/mail/mail-settings.ts'
import { storeTestEmail } from '../../platform/mail/mailbox-state.queries.ts'
import { makeWaitingDue } from '../../platform/mail/outbox-emails.ts'
import { type MailAddress, mailOf } from '../../platform/mail/transport.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'

/**
 * A mail server sees every email, including links that give access to accounts. So only users with all rights may change
 * it: they can access every account anyway.
 */
export const canChangeMailServer = (actor: Pick<Actor, 'rights'>): boolean => holdsAll(actor, rights)

/** Returns the mail server in use and the settings of staff, without the password. */
export async function showMailServer(ctx: Context): Promise<MailServer> {
  const actor = allow(ctx, ['config.write'])
  return toMailServer(ctx, actor, await findSmtpSettings(ctx.db, ctx.secret))
}

function toMailServer(ctx: Context, actor: Actor, stored: StoredMailSetting<SmtpSettings>): MailServer {
  const { version, value, hasPassword, password } = stored
  const { server, fromEnvironment, sends } = ctx.mail
  const settingsOrFiles = sends ? 'settings' : 'files'
  return {
    version,
    smtp: value ?? null,
    hasPassword,
    passwordLost: hasPassword && password === undefined,
    inUse: fromEnvironment ? 'environment' : settingsOrFiles,
    environment: fromEnvironment && typeof server === 'string' ? addressOf(server) : null,
    sender: ctx.site.sender.email,
    can: { change: canChangeMailServer(actor) },
  }
}

function addressOf(smtpUrl: string): { host: string; port: number } {
  const { protocol, hostname, port } = new URL(smtpUrl)
  return { host: hostname, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) }
}

/**
 * Within this time every process uses the new mail server. Sending earlier could fail, and the next attempt is up to
 * hours later.
 */
const inUseAfterMs = 2_000

/**
 * Stores the mail server after a successful sign-in to it, or removes it if `smtp` is null. Every process uses it
 * within seconds; waiting emails are tried again then.
 * @throws {Refusal} `stale`; `invalid` with advice at the field of the failed step
 */
export async function changeMailServer(ctx: Context, input: ChangedMailServer): Promise<MailServer> {
  const actor = allow(ctx, canChangeMailServer)
  requireConfirmed(ctx)
  const before = await findSmtpSettings(ctx.db, ctx.secret)
  refuseStale(ctx, actor, input, before)
  const { password: newPassword, ...smtp } = input.smtp ?? { ...noServer }
  const storedPassword = () => (smtp.user === '' ? undefined : storedPasswordFor('smtp', smtp, before))
  const password = input.smtp ? (newPassword ?? storedPassword()) : undefined
  if (input.smtp) await refuseUnlessWorking({ ...smtp, password: password ?? '' })

  await ctx.transaction(async (tx) => {
    // Takes the lock of the invalidation counter first, so that a change made meanwhile is seen.
    await invalidate(tx, [mailServerTag])
    const current = await findSmtpSettings(tx, ctx.secret)
    refuseStale(ctx, actor, input, current)
    const value = input.smtp ? smtp : null
    await storeMailSetting(tx, ctx.secret, {
      name: 'smtp',
      value,
      password: smtp.user === '' ? undefined : password,
      version: current.version + 1,
      at: ctx.now(),
    })
    if (value) await makeWaitingDue(tx, new Date(ctx.now().getTime() + inUseAfterMs))
    await record(tx, ctx, {
      action: 'mail_server.changed',
      subject: { type: 'mail_server', name: value?.host ?? '' },
      before: current.value && auditedServer(current.value),
      after: value ? auditedServer(value) : {},
    })
  })
  await ctx.wake.invalidation()
  const settingsOrFiles = input.smtp ? 'settings' : 'files'
  return { ...(await showMailServer(ctx)), inUse: ctx.mail.fromEnvironment ? 'environment' : settingsOrFiles }
}

const noServer: SmtpSettings = { provider: 'other', host: '', port: 587, security: 'tls', user: '', selectors: '' }

/** The properties that the audit log stores. */
const auditedServer = ({ host, port, security, user }: SmtpSettings) => ({ host, port, security, user })

function refuseStale(
  ctx: Context,
  actor: Actor,
  { version }: ChangedMailServer,
  stored: StoredMailSetting<SmtpSettings>,
): void {
  if (version !== stored.version) throw new Refusal('stale', { current: toMailServer(ctx, actor, stored) })
}

/**
 * The stored password, only for the server and user for which it was entered: others must not receive it.
 * @throws {Refusal} `invalid`
 */
export function storedPasswordFor<Account extends SmtpSettings | ImapSettings>(
  name: 'smtp' | 'imap',
  account: Account,
  { value, password }: StoredMailSetting<Account>,
): string {
  const isSame = (['host', 'port', 'security', 'user'] as const).every((field) => account[field] === value?.[field])
  if (!isSame || password === undefined)
    throw new Refusal('invalid', {
      problems: [{ path: `${name}.password`, key: value ? 'mailPasswordAgain' : 'required' }],
    })
  return password
}

/** The field at which a failed step is reported; that of other steps is the host. */
const fieldOfStep: Partial<Record<MailStep, string>> = {
  connect: 'smtp.port',
  greeting: 'smtp.port',
  encrypt: 'smtp.security',
  signIn: 'smtp.password',
}

async function refuseUnlessWorking(server: SmtpSettings & { password: string }): Promise<void> {
  const { failed } = await testSmtp(server, { stepMs: mailLimits.stepMs })
  if (failed)
    throw new Refusal('invalid', {
      problems: [{ path: fieldOfStep[failed.step] ?? 'smtp.host', ...mailProblem(failed.problem) }],
    })
}

/** Signs in to the mail server in use, without sending an email. @returns undefined without a mail server */
export const testMailServer = async ({
  mail,
}: {
  mail: Pick<Context['mail'], 'server'>
}): Promise<SmtpTest | undefined> => (mail.server ? testSmtp(mail.server, { stepMs: mailLimits.stepMs }) : undefined)

/** The validation problem for a key, with the timeout in seconds if the server did not answer in time. */
export const mailProblem = (
  key: FieldProblem['key'],
  withinMs = mailLimits.stepMs,
): Pick<FieldProblem, 'key' | 'limit'> => ({ key, ...(key === 'mailSilent' && { limit: withinMs / 1_000 }) })

/** Every step in order, with its outcome, and with advice on the failed one in the language `locale`. */
export function mailStepResults(tested: SmtpTest, locale: Locale): MailStepResult[] {
  const t = translator(locale)
  return mailSteps.map((step) => {
    const { failed } = tested
    if (failed?.step === step) {
      const { key, limit } = mailProblem(failed.problem)
      const advice = t(`validation.${key}`, limit === undefined ? {} : { limit })
      return { step, outcome: 'failed', problem: key, advice, ...(failed.answer && { answer: failed.answer }) }
    }
    if (tested.skipped.includes(step)) return { step, outcome: 'skipped' }
    return { step, outcome: tested.done.includes(step) ? 'ok' : 'notReached' }
  })
}

/**
 * Sends the actor a test email immediately, bypassing the outbox, and reports each SMTP step. If a mailbox is configured, a
 * second one is sent there; `readDeliveryReports` reads from it whether that server found SPF, DKIM and DMARC valid.
 * @returns `sent`: the actor's email was accepted; `returns`: the second one was
 * @throws {Refusal} `not_found` without a mail server
 */
export async function sendTestEmail(ctx: Context, locale: Locale): Promise<MailTest> {
  const { email: recipient, name } = allow(ctx, ['config.write'])
  const { server } = ctx.mail
  if (!server) throw new Refusal('not_found')
  const send = async (to: string) => {
    const messageId = `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`
    const raw = await composeTestEmail(ctx, locale, { name: to === recipient ? name : '', address: to }, messageId)
    return { messageId, smtpTest: await testSmtp(server, { message: { from, to, raw }, stepMs: mailLimits.stepMs }) }
  }
  const from = ctx.site.sender.email
  const { smtpTest } = await send(recipient)
  const mailbox = smtpTest.failed ? undefined : (await findImapSettings(ctx.db, ctx.secret)).value
  // A mailbox without an address of its own receives the emails to the sender's address.
  const toMailbox = mailbox && (await send(mailboxAddress(mailbox) ?? from))
  const returns = toMailbox !== undefined && !toMailbox.smtpTest.failed
  if (returns) await storeTestEmail(ctx.db, toMailbox.messageId, ctx.now())
  return { recipient, sent: smtpTest.failed === undefined, steps: mailStepResults(smtpTest, locale), returns }
}

async function composeTestEmail(ctx: Context, locale: Locale, to: MailAddress, messageId: string): Promise<Buffer> {
  const { renderTestEmail } = await import('./test-email.mail.tsx')
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const email = renderTestEmail(ctx.site, locale, { to, at: ctx.now() })
  const mail = mailOf({ ...email, id: 0, messageId, recipient: to.address, date: ctx.now() })
  return new MailComposer(mail).compile().build()
}
