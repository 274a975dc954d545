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
import { findLivePage, readPrivacyVersion } from '../pages/find-live-page.ts'
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

interface ReceivedMessage {
  message: ContactMessage
  /** The form and its answers; omitted for the contact form. */
  form?: { form: Form; answers: FormAnswer[] } | undefined
  /** Files of the form, from `checkAttachments`. */
  attachments?: readonly Attachment[]
  /** Whether the hidden honeypot field was filled in. */
  honeypot: boolean
  /** The signed timestamp of `signTimestamp`, as it was posted. */
  moment?: string | undefined
  locale: Locale
  /** The client's IP address; only a keyed hash of it is stored. */
  address: string
  /** The path and query of the page with the form, without the language prefix, as posted: it need not be a page. */
  page?: string | undefined
}

/**
 * Stores a message and queues its emails, in one transaction. The same message again within ten minutes, or from the
 * same address since the visitor reached the form, is not stored again and returns the same reference: browsers repeat
 * requests that failed. Spam is stored in its own folder and not emailed.
 * @returns `canPassSpamCheck`: passing the anti-spam check would move this suspected message to the inbox
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
  const { reasons, spamReason } = classify(ctx, input, formAge)
  const folder = spamReason ? 'spam' : 'inbox'
  const filledForm = input.form && {
    id: input.form.form.id,
    name: localized(input.form.form.name, locale).value,
    answers: input.form.answers,
    retentionDays: input.form.form.retentionDays,
  }
  const fileHashes = attachments.map(({ hash }) => hash)
  const content = filledForm
    ? [filledForm.id, filledForm.answers.map(({ field, text }) => [field, text]), fileHashes]
    : contactFields.map((name) => message[name])
  const fingerprint = keyedHash(ctx, 'message', JSON.stringify(content))
  const addressKey = addressKeyOf(ctx, input.address)
  const window = windowAround(now)
  // A browser may repeat the request for as long as its form is open.
  const sameSender = { addressKey, since: new Date(now.getTime() - Math.min(formAge ?? 0, limits.formOpenMs)) }

  const privacyVersion = await readPrivacyVersion(ctx, locale)
  const page = input.page === undefined ? undefined : await findLivePage(ctx, input.page, locale)
  const sentFrom = page ? countedPage(page.path, locale) : ''

  const { reference, foundIn } = await withStoredAttachments(ctx, attachments, (blobIds) =>
    ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'contact')
      const inInbox = await findSameMessage(tx, { fingerprint, folder: 'inbox', window, sameSender })
      // A post with a filled honeypot is never treated as a duplicate of a message in the inbox.
      if (inInbox && spamReason !== 'honeypot') return { reference: inInbox.reference, foundIn: 'inbox' }
      const inSpam = spamReason
        ? await findSameMessage(tx, { fingerprint, folder, spamReason, window, sameSender })
        : undefined
      if (inSpam) return { reference: inSpam.reference, foundIn: folder }
      if (ctx.rateLimited) {
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
        privacyVersion,
        fingerprint,
        addressKey,
        createdAt: now,
        form: filledForm,
      })
      await commitAttachments(tx, id, attachments, blobIds)
      if (folder === 'inbox') {
        const form = filledForm ?? { id: contactFormId, name: '', answers: [], retentionDays: null }
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

/** Applies the spam rules. If they throw, the message counts as not spam, so that it is not lost. */
function classify(
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

/** Returns the language and the form of a message that was received earlier. @throws {Refusal} `not_found` */
export async function getReceived(
  { db }: Pick<Context, 'db'>,
  reference: number,
): Promise<{ locale: Locale; formId: string }> {
  const id = await findIdByReference(db, reference)
  const message = id === undefined ? undefined : await findMessage(db, id)
  if (!message) throw new Refusal('not_found')
  return { locale: message.locale, formId: message.form.id }
}

/** Checks the rate limit alone, before the expensive checks of attached files. @throws {Refusal} `too_many` */
export async function refuseAboveMessageLimit(ctx: Context, address: string): Promise<void> {
  if (!ctx.rateLimited) return
  await refuseTooMany(ctx.db, { addressKey: addressKeyOf(ctx, address), now: ctx.now() })
}

/** It reaches into the future, because messages may have been stored while the clock was ahead. */
const windowAround = (now: Date): MessageWindow => ({
  since: new Date(now.getTime() - limits.contactWindowMs),
  until: new Date(now.getTime() + limits.contactWindowMs),
})

const addressKeyOf = (ctx: Context, address: string) => keyedHash(ctx, 'address', addressGroup(address))

/** @throws {Refusal} `too_many`, with the seconds until the oldest counted message leaves the window */
async function refuseTooMany(db: Db, { addressKey, now }: { addressKey: string; now: Date }): Promise<void> {
  const window = windowAround(now)
  const oldestCounted =
    (await findNthNewest(db, { nth: limits.contactAcceptedPerAddress, window, addressKey })) ??
    (await findNthNewest(db, { nth: limits.contactAcceptedInAll, window }))
  if (oldestCounted) throw tooManySince(oldestCounted, now)
}

async function refuseTooManyBytes(
  tx: Transaction,
  files: readonly Attachment[],
  { addressKey, now }: { addressKey: string; now: Date },
): Promise<void> {
  if (files.length === 0) return
  const newBytes = files.reduce((total, { bytes }) => total + bytes, 0)
  const window = windowAround(now)
  for (const { maxBytes, counted } of [
    { maxBytes: limits.attachmentBytesPerAddress, counted: { window, addressKey } },
    { maxBytes: limits.attachmentBytesInAll, counted: { window } },
  ]) {
    const { bytes, first = now } = await sumMessageFiles(tx, counted)
    if (bytes + newBytes > maxBytes) throw tooManySince(first, now)
  }
}

const tooManySince = (first: Date, now: Date) =>
  new Refusal('too_many', { retryAfter: (first.getTime() + limits.contactWindowMs - now.getTime()) / 1_000 })

/** A keyed hash, so that known texts or addresses cannot be looked up without the secret. */
const keyedHash = (ctx: Context, purpose: string, text: string) =>
  createHmac('sha256', ctx.secret).update(`${purpose}\0${text}`).digest('base64url')
