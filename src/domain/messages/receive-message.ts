import { createHmac } from 'node:crypto'
import { type ContactMessage, contactFields } from '../../contract/contact.ts'
import { Refusal } from '../../contract/errors.ts'
import { contactFormId, type Form } from '../../contract/form-fields.ts'
import type { FormAnswer } from '../../contract/forms.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, localized } from '../../contract/locales.ts'
import { defaultSpamSettings, type SpamReason, type spamOnArrival } from '../../contract/spam.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { findLivePage, privacyVersion } from '../pages/find-live-page.ts'
import { countedPage, countMessage } from '../views/statistics.ts'
import { addressGroup } from './address-group.ts'
import { type Attachment, commitAttachments, withStoredAttachments } from './attachments.ts'
import {
  findIdByReference,
  findMessage,
  findNthNewest,
  findSameMessage,
  insertMessage,
  type MessageWindow,
} from './message.queries.ts'
import { queueMessageEmail } from './message-email.ts'
import { sumMessageFiles } from './message-file.queries.ts'
import { scoreMessage, sumPoints, timestampAge } from './spam-check.ts'

export interface ReceivedMessage {
  message: ContactMessage
  /** The form and its answers; omitted for the contact form. */
  form?: { form: Form; answers: FormAnswer[] } | undefined
  /** Checked files of the form. */
  attachments?: readonly Attachment[]
  /** Whether the hidden honeypot field was filled in. */
  honeypot: boolean
  /** The signed timestamp of `signTimestamp`, as it was posted. */
  moment?: string | undefined
  locale: Locale
  /** The client's IP address; only a keyed hash of it is stored. */
  address: string
  /** The path and query of the page with the form, without language; counted for the statistics when it is a page. */
  page?: string | undefined
}

/**
 * Stores a message and queues its emails, in one transaction. The same message again within ten minutes, or since the
 * visitor reached the form, is not stored again and returns the same reference: a browser sends again what got no answer. Spam gets the same response, but is stored in its own folder and not emailed.
 * @returns the reference number, and whether passing the anti-spam check would move a suspected message to the inbox
 * @throws {Refusal} `too_many`
 */
export async function receiveMessage(
  ctx: Context,
  input: ReceivedMessage,
): Promise<{ reference: number; canPassSpamCheck: boolean }> {
  const now = ctx.now()
  const { site } = ctx
  const { message, locale, attachments = [] } = input
  const formAge =
    input.moment === undefined ? undefined : timestampAge(ctx, input.form?.form.id ?? contactFormId, input.moment)
  const { reasons, spamReason } = judge(ctx, input, formAge)
  const folder = spamReason ? 'spam' : 'inbox'
  const filled = input.form && {
    id: input.form.form.id,
    name: localized(input.form.form.name, locale).value,
    answers: input.form.answers,
    retentionDays: input.form.form.retentionDays,
  }
  const texts = contactFields.map((name) => message[name])
  const fingerprint = keyed(
    ctx,
    'message',
    JSON.stringify(
      filled
        ? [filled.id, filled.answers.map(({ field, text }) => [field, text]), attachments.map(({ hash }) => hash)]
        : texts,
    ),
  )
  const addressKey = addressKeyOf(ctx, input.address)
  const window = windowAround(now)
  // A browser may send the same again for as long as its form is open.
  const own = { addressKey, since: new Date(now.getTime() - Math.min(formAge ?? 0, limits.formOpenMs)) }

  const shown = await privacyVersion(ctx, locale)
  const page = input.page === undefined ? undefined : await findLivePage(ctx, input.page, locale)

  const sentFrom = page ? countedPage(page.path, locale) : ''

  const { reference, foundIn } = await withStoredAttachments(ctx, attachments, (blobIds) =>
    ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'contact')
      const inInbox = await findSameMessage(tx, { fingerprint, folder: 'inbox', window, own })
      // A post with a filled honeypot is never treated as a duplicate of a message in the inbox.
      if (inInbox && spamReason !== 'honeypot') return { reference: inInbox.reference, foundIn: 'inbox' }
      const inSpam = spamReason
        ? await findSameMessage(tx, { fingerprint, folder, spamReason, window, own })
        : undefined
      if (inSpam) return { reference: inSpam.reference, foundIn: folder }
      if (ctx.contactLimited) {
        await refuseTooMany(tx, { addressKey, now })
        await refuseTooManyBytes(tx, attachments, { addressKey, now })
      }

      const { id, reference } = await insertMessage(tx, {
        message,
        locale,
        folder,
        spamReason,
        spamReasons: reasons,
        page: sentFrom,
        counted: folder === 'inbox',
        privacyVersion: shown,
        fingerprint,
        addressKey,
        createdAt: now,
        form: filled,
      })
      await commitAttachments(tx, id, attachments, blobIds)
      if (folder === 'inbox') {
        const form = filled ?? { id: contactFormId, name: '', answers: [], retentionDays: null }
        const stored = { id, reference, message, locale, createdAt: now, form }
        await queueMessageEmail(tx, site, stored, now, input.form?.form)
        await countMessage(tx, ctx, { page: sentFrom, at: now })
      }
      return { reference, foundIn: folder }
    }),
  )
  ctx.wake.email()
  const { threshold, points } = site.spam ?? defaultSpamSettings
  const canPassSpamCheck =
    foundIn === 'spam' && spamReason === 'suspected' && sumPoints(reasons) - points.proof < threshold
  return { reference, canPassSpamCheck }
}

/** Applies the spam rules. If they fail with an error, the message is not spam, so that it is not lost. */
function judge(
  ctx: Context,
  { honeypot, message, form }: ReceivedMessage,
  filledInMs: number | undefined,
): { reasons: SpamReason[]; spamReason: (typeof spamOnArrival)[number] | null } {
  if (honeypot) return { reasons: [{ rule: 'honeypot', points: 0 }], spamReason: 'honeypot' }
  const settings = ctx.site.spam ?? defaultSpamSettings
  const texts = form
    ? form.answers.filter(({ kind }) => kind === 'text' || kind === 'longText').map(({ text }) => text)
    : [message.bericht]
  try {
    const reasons = scoreMessage(settings, { name: message.naam, texts, filledInMs }, ctx.site.locales)
    return { reasons, spamReason: sumPoints(reasons) >= settings.threshold ? 'suspected' : null }
  } catch (error) {
    ctx.log.error({ err: error }, 'a message was not judged')
    return { reasons: [], spamReason: null }
  }
}

/** The language and the form of a received message. @throws {Refusal} `not_found` */
export async function getReceived(
  { db }: Pick<Context, 'db'>,
  reference: number,
): Promise<{ locale: Locale; formId: string }> {
  const id = await findIdByReference(db, reference)
  const found = id === undefined ? undefined : await findMessage(db, id)
  if (!found) throw new Refusal('not_found')
  return { locale: found.locale, formId: found.form.id }
}

/**
 * Checks the rate limit before the expensive checks of attached files.
 * @throws {Refusal} `too_many` when this address, or all addresses together, reached the limit
 */
export async function requireRoomForMessage(ctx: Context, address: string): Promise<void> {
  if (!ctx.contactLimited) return
  await refuseTooMany(ctx.db, { addressKey: addressKeyOf(ctx, address), now: ctx.now() })
}

const windowAround = (now: Date): MessageWindow => ({
  since: new Date(now.getTime() - limits.contactWindowMs),
  until: new Date(now.getTime() + limits.contactWindowMs),
})

const addressKeyOf = (ctx: Context, address: string) => keyed(ctx, 'address', addressGroup(address))

/** `Retry-After` is the moment at which the oldest counted message leaves the window. */
async function refuseTooMany(db: Db, { addressKey, now }: { addressKey: string; now: Date }): Promise<void> {
  const window = windowAround(now)
  const full =
    (await findNthNewest(db, { nth: limits.contactAcceptedPerAddress, window, addressKey })) ??
    (await findNthNewest(db, { nth: limits.contactAcceptedInAll, window }))
  if (full)
    throw new Refusal('too_many', { retryAfter: (full.getTime() + limits.contactWindowMs - now.getTime()) / 1_000 })
}

async function refuseTooManyBytes(
  tx: Transaction,
  files: readonly Attachment[],
  { addressKey, now }: { addressKey: string; now: Date },
): Promise<void> {
  if (files.length === 0) return
  const added = files.reduce((total, { bytes }) => total + bytes, 0)
  const window = windowAround(now)
  for (const { most, of } of [
    { most: limits.attachmentBytesPerAddress, of: { window, addressKey } },
    { most: limits.attachmentBytesInAll, of: { window } },
  ]) {
    const { bytes, first = now } = await sumMessageFiles(tx, of)
    if (bytes + added > most) {
      throw new Refusal('too_many', { retryAfter: (first.getTime() + limits.contactWindowMs - now.getTime()) / 1_000 })
    }
  }
}

/** A keyed hash, so that known texts or addresses cannot be looked up without the secret. */
const keyed = (ctx: Context, purpose: string, text: string) =>
  createHmac('sha256', ctx.secret).update(`${purpose}\0${text}`).digest('base64url')
