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
  releaseMailbox,
  resetMailboxState,
  storeMailboxState,
  storeTestResults,
} from '../../platform/mail/mailbox-state.queries.ts'
import { storeDeliveryReport } from '../../platform/mail/outbox-emails.ts'
import { mailboxProblemOf, readMailbox, testMailbox } from '../../platform/mail/read-mailbox.ts'
import { isReport, readAuthentication, readReports } from '../../platform/mail/read-report.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canChangeMailServer, mailProblem } from './mail-server.ts'

/** The mailbox that receives delivery reports, without its password. */
export async function showMailbox(ctx: Context, locale: Locale): Promise<Mailbox> {
  const actor = allow(ctx, ['config.write'])
  const stored = await findImapSettings(ctx.db, ctx.secret)
  return toMailbox({ ctx, actor, locale }, stored, await findMailboxState(ctx.db))
}

function toMailbox(
  { ctx, actor, locale }: { ctx: Context; actor: Actor; locale: Locale },
  { version, value, hasPassword, password }: StoredMailSetting<ImapSettings>,
  found: MailboxState | undefined,
): Mailbox {
  const reading = value && found
  const problem = reading?.problem && mailProblem(reading.problem, mailLimits.mailboxMs)
  const test = reading?.test
  return {
    version,
    imap: value ?? null,
    hasPassword,
    passwordLost: hasPassword && password === undefined,
    readAt: reading?.readAt?.toISOString() ?? null,
    problem: problem ? translator(locale)(`validation.${problem.key}`, { limit: problem.limit ?? 0 }) : null,
    sender: ctx.site.sender.email,
    test: test ? { sentAt: test.sentAt.toISOString(), results: test.results } : null,
    can: { change: canChangeMailServer(actor) },
  }
}

/**
 * Stores the mailbox after its inbox could be opened.
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
  const { password: typed, ...imap } = input.imap ?? {}
  const value = input.imap ? (imap as ImapSettings) : null
  const password = value ? (typed ?? storedPasswordFor(value, before)) : undefined
  if (value) {
    const wrong = await testMailbox({ ...value, password: password ?? '' }, mailLimits.mailboxMs)
    if (wrong) {
      const path = wrong.problem === 'mailSignIn' ? 'imap.password' : 'imap.host'
      throw new Refusal('invalid', { problems: [{ path, ...mailProblem(wrong.problem, mailLimits.mailboxMs) }] })
    }
  }

  await ctx.transaction(async (tx) => {
    // Takes the lock of the invalidation counter first, so that a change made meanwhile is seen.
    await invalidate(tx, ['mailbox'])
    const now = await findUnlessStale(tx)
    await storeMailSetting(tx, ctx.secret, { name: 'imap', value, password, version: now.version + 1, at: ctx.now() })
    if (value && isSameBox(value, now.value)) await releaseMailbox(tx)
    else await resetMailboxState(tx)
    await record(tx, ctx, {
      action: 'mailbox.changed',
      subject: { type: 'mailbox', name: value?.host ?? '' },
      before: now.value && shownIn(now.value),
      after: value ? shownIn(value) : {},
    })
  })
  return showMailbox(ctx, locale)
}

const isSameBox = (one: ImapSettings, other: ImapSettings | undefined): boolean =>
  one.host === other?.host && one.user === other.user

const shownIn = ({ host, port, security, user, address, deleteReports }: ImapSettings) => ({
  host,
  port,
  security,
  user,
  address,
  deleteReports,
})

/** Only for the server and user that it was typed for. */
function storedPasswordFor(imap: ImapSettings, { value, password }: StoredMailSetting<ImapSettings>): string {
  const same = (['host', 'port', 'security', 'user'] as const).every((name) => imap[name] === value?.[name])
  if (!same || password === undefined)
    throw new Refusal('invalid', {
      problems: [{ path: 'imap.password', key: value ? 'mailPasswordAgain' : 'required' }],
    })
  return password
}

/**
 * Reads new delivery reports, unless another instance is reading the mailbox, and stores each with the email it is about.
 * Other messages are not fetched; nothing is marked as read, and reports are deleted only if staff chose so.
 * @returns how many emails of this site the reports were about
 */
export async function readDeliveryReports(ctx: Omit<Context, 'actor'>, stopping?: AbortSignal): Promise<number> {
  const { value, password } = await findImapSettings(ctx.db, ctx.secret)
  if (!value || password === undefined) return 0
  const claimedUntil = await claimMailbox(ctx.db, ctx.dialect, mailLimits.mailboxPauseMs)
  if (!claimedUntil) return 0
  let tied = 0
  const store = (outcome: Parameters<typeof storeMailboxState>[2]) =>
    storeMailboxState(ctx.db, claimedUntil, outcome, ctx.now())
  try {
    const reading = await findMailboxState(ctx.db)
    const position = await readMailbox({ ...value, password }, reading?.position, {
      withinMs: mailLimits.mailboxMs,
      mayDelete: value.deleteReports,
      stopping,
      isWanted: ({ contentType, messageId }) => isReport(contentType) || messageId === reading?.test?.messageId,
      async handle(raw, { messageId }) {
        try {
          if (messageId === reading?.test?.messageId) {
            await storeTestResults(ctx.db, messageId, await readAuthentication(raw, ctx.now()))
            return { delete: false }
          }
          let ours = 0
          for (const report of await readReports(raw)) ours += await storeDeliveryReport(ctx.db, report, ctx.now())
          tied += ours
          return { delete: ours > 0 }
        } catch (error) {
          // Anyone can send a message here, so one that fails must not block the next ones. If the database is away, the
          // position is not stored either, so the message is read again.
          ctx.log.error({ err: error }, 'a message in the mailbox was not handled')
          return { delete: false }
        }
      },
      savePosition: (position) => store({ position }),
    })
    await store({ position })
  } catch (error) {
    if (stopping?.aborted) return tied
    const problem = mailboxProblemOf(error)
    if (problem === undefined) throw error
    await store({ problem })
  }
  return tied
}
