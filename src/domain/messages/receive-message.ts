import { createHmac } from 'node:crypto'
import { type ContactMessage, contactFields } from '../../contract/contact.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { privacyVersion } from '../pages/find-page.ts'
import { addressGroup } from './address-group.ts'
import { findNthNewest, findSameMessage, insertMessage } from './message.queries.ts'
import { postMessageLetter } from './post-message-letter.ts'

export interface ReceivedMessage {
  message: ContactMessage
  /** Whether the field that people do not see was filled in. */
  honeypot: boolean
  locale: Locale
  /** The client's address; only a keyed hash of it is kept. */
  address: string
}

/**
 * Stores a message and promises its letters, in one transaction. The same message again within ten minutes is the same
 * message: it is answered as the first was. What looks like spam is answered alike, stored apart and not mailed.
 * @returns the reference number
 * @throws {Refusal} `too_many`
 */
export async function receiveMessage(ctx: Context, input: ReceivedMessage): Promise<{ id: number }> {
  const now = ctx.now()
  const { site } = ctx
  const { message, locale } = input
  const folder = input.honeypot ? 'spam' : 'inbox'
  const fingerprint = keyed(ctx, 'message', JSON.stringify(contactFields.map((name) => message[name])))
  const addressKey = keyed(ctx, 'address', addressGroup(input.address))
  const since = new Date(now.getTime() - limits.contactWindowMs)

  const shown = await privacyVersion(ctx, locale)

  const id = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'contact')
    const same = await findSameMessage(tx, { fingerprint, folder, since })
    if (same) return same.id
    if (ctx.contactLimited) await refuseTooMany(tx, { addressKey, since, now })

    const id = await insertMessage(tx, {
      message,
      locale,
      folder,
      spamReason: input.honeypot ? 'honeypot' : null,
      privacyVersion: shown,
      fingerprint,
      addressKey,
      createdAt: now,
    })
    if (folder === 'inbox') await postMessageLetter(tx, site, { id, message, locale, createdAt: now }, now)
    return id
  })
  ctx.signal.letter()
  return { id }
}

/** `Retry-After` is exact: when the oldest of the messages that fill the window leaves it. */
async function refuseTooMany(tx: Transaction, asked: { addressKey: string; since: Date; now: Date }): Promise<void> {
  const { addressKey, since, now } = asked
  const full =
    (await findNthNewest(tx, { nth: limits.contactAcceptedPerAddress, since, addressKey })) ??
    (await findNthNewest(tx, { nth: limits.contactAcceptedInAll, since }))
  if (full)
    throw new Refusal('too_many', { retryAfter: (full.getTime() + limits.contactWindowMs - now.getTime()) / 1_000 })
}

/** A hash that nobody without the secret can make, so that it cannot be searched for a known text or address. */
const keyed = (ctx: Context, purpose: string, text: string) =>
  createHmac('sha256', ctx.secret).update(`${purpose}\0${text}`).digest('base64url')
