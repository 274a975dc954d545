import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { type ChangedMailbox, type ImapSettings, type Mailbox, mailLimits } from '../../contract/mail-server.ts'
import { translator } from '../../i18n/translate.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { findImapSettings, type StoredMailSetting, storeMailSetting } from '../../platform/mail/mail-settings.ts'
import {
  claimMailbox,
  findMailboxState,
  type MailboxState,
  type ReadingOutcome,
  releaseMailbox,
  resetMailboxState,
  storeMailboxState,
  storeTestResults,
} from '../../platform/mail/mailbox-state.queries.ts'
import { storeDeliveryReport } from '../../platform/mail/outbox-emails.ts'
import { mailboxProblemOf, readMailbox, testMailbox } from '../../platform/mail/read-mailbox.ts'
import { isReport, readAuthenticationResults, readReports } from '../../platform/mail/read-report.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canChangeMailServer, mailProblem, storedPasswordFor } from './mail-server.ts'

/** Returns the mailbox that receives delivery reports, without its password. */
export async function showMailbox(ctx: Context, locale: Locale): Promise<Mailbox> {
  const actor = allow(ctx, ['config.write'])
  const stored = await findImapSettings(ctx.db, ctx.secret)
  return toMailbox({ ctx, actor, locale }, stored, await findMailboxState(ctx.db))
}

function toMailbox(
  { ctx, actor, locale }: { ctx: Context; actor: Actor; locale: Locale },
  { version, value, hasPassword, password }: StoredMailSetting<ImapSettings>,
  storedState: MailboxState | undefined,
): Mailbox {
  // Without settings, the state is that of a mailbox that was removed.
  const state = value && storedState
  const problem = state?.problem && mailProblem(state.problem, mailLimits.mailboxMs)
  const test = state?.test
  return {
    version,
    imap: value ?? null,
    hasPassword,
    passwordLost: hasPassword && password === undefined,
    readAt: state?.readAt?.toISOString() ?? null,
    problem: problem ? translator(locale)(`validation.${problem.key}`, { limit: problem.limit ?? 0 }) : null,
    sender: ctx.site.sender.email,
    test: test ? { sentAt: test.sentAt.toISOString(), results: test.results } : null,
    can: { change: canChangeMailServer(actor) },
  }
}

/**
 * Stores the mailbox after opening its inbox has succeeded, or removes it if `imap` is null.
 * @throws {Refusal} `stale`, `invalid`
 */
export async function changeMailbox(ctx: Context, input: ChangedMailbox, locale: Locale): Promise<Mailbox> {
  const actor = allow(ctx, canChangeMailServer)
  requireConfirmed(ctx)
  const findUnlessStale = async (db: Db) => {
    const stored = await findImapSettings(db, ctx.secret)
    if (input.version === stored.version) return stored
    throw new Refusal('stale', { current: toMailbox({ ctx, actor, locale }, stored, await findMailboxState(db)) })
  }
  const before = await findUnlessStale(ctx.db)
  const { password: newPassword, ...imap } = input.imap ?? {}
  const value = input.imap ? (imap as ImapSettings) : null
  const password = value ? (newPassword ?? storedPasswordFor('imap', value, before)) : undefined
  if (value) {
    const failed = await testMailbox({ ...value, password: password ?? '' }, mailLimits.mailboxMs)
    if (failed) {
      const path = failed.problem === 'mailSignIn' ? 'imap.password' : 'imap.host'
      throw new Refusal('invalid', { problems: [{ path, ...mailProblem(failed.problem, mailLimits.mailboxMs) }] })
    }
  }

  await ctx.transaction(async (tx) => {
    // Takes the lock of the invalidation counter first, so that a change made meanwhile is seen.
    await invalidate(tx, ['mailbox'])
    const current = await findUnlessStale(tx)
    const version = current.version + 1
    await storeMailSetting(tx, ctx.secret, { name: 'imap', value, password, version, at: ctx.now() })
    if (value && isSameMailbox(value, current.value)) await releaseMailbox(tx)
    else await resetMailboxState(tx)
    await record(tx, ctx, {
      action: 'mailbox.changed',
      subject: { type: 'mailbox', name: value?.host ?? '' },
      before: current.value && auditedMailbox(current.value),
      after: value ? auditedMailbox(value) : {},
    })
  })
  return showMailbox(ctx, locale)
}

const isSameMailbox = (changed: ImapSettings, current: ImapSettings | undefined): boolean =>
  changed.host === current?.host && changed.user === current.user

const auditedMailbox = ({ host, port, security, user, address, deleteReports }: ImapSettings) => ({
  host,
  port,
  security,
  user,
  address,
  deleteReports,
})

/**
 * Reads new delivery reports and stores each with the outbox email that it reports on, unless another instance is reading the
 * mailbox. It also reads the authentication results of the last test email. Other messages are not fetched; nothing is
 * marked as read, and reports are deleted only with the setting `deleteReports`. A problem of the mailbox is stored,
 * not thrown.
 * @returns the number of outbox emails that the reports matched
 */
export async function readDeliveryReports(ctx: Omit<Context, 'actor'>, stopping?: AbortSignal): Promise<number> {
  const { value, password } = await findImapSettings(ctx.db, ctx.secret)
  if (!value || password === undefined) return 0
  const claimedUntil = await claimMailbox(ctx.db, ctx.dialect, mailLimits.mailboxPauseMs)
  if (!claimedUntil) return 0
  let matchedEmails = 0
  const store = (outcome: ReadingOutcome) => storeMailboxState(ctx.db, claimedUntil, outcome, ctx.now())
  try {
    const state = await findMailboxState(ctx.db)
    const testMessageId = state?.test?.messageId
    const position = await readMailbox({ ...value, password }, state?.position, {
      withinMs: mailLimits.mailboxMs,
      mayDelete: value.deleteReports,
      stopping,
      isWanted: ({ contentType, messageId }) => isReport(contentType) || messageId === testMessageId,
      async handle(raw, { messageId }) {
        try {
          if (messageId === testMessageId) {
            await storeTestResults(ctx.db, messageId, await readAuthenticationResults(raw, ctx.now()))
            return { delete: false }
          }
          let matched = 0
          for (const report of await readReports(raw)) matched += await storeDeliveryReport(ctx.db, report, ctx.now())
          matchedEmails += matched
          return { delete: matched > 0 }
        } catch (error) {
          // Anyone can send a message here, so one that fails must not block the next ones. If the database is unavailable,
          // the position is not stored either, so the message is read again.
          ctx.log.error({ err: error }, 'a message in the mailbox was not handled')
          return { delete: false }
        }
      },
      savePosition: (position) => store({ position }),
    })
    await store({ position })
  } catch (error) {
    if (stopping?.aborted) return matchedEmails
    const problem = mailboxProblemOf(error)
    if (problem === undefined) throw error
    await store({ problem })
  }
  return matchedEmails
}
