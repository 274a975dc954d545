import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Challenge, Solution } from 'altcha-lib/types'
import { Refusal } from '../../contract/errors.ts'
import { defaultSpamSettings } from '../../contract/spam.ts'
import { toLatinDigits } from '../../contract/text.ts'
import type { Context } from '../../platform/context.ts'
import { moveToFolder } from './change-messages.ts'
import { findIdByReference, findMessage, lockMessages } from './message.queries.ts'
import { updateSpamReasons } from './message-change.queries.ts'
import { sumPoints } from './spam-score.ts'

type Keyed = Pick<Context, 'secret'>

/** A signed timestamp, requested when a visitor reaches a form, to measure how fast it is filled in. */
export const signTimestamp = (ctx: Keyed & Pick<Context, 'now'>, formId: string): string => {
  const at = String(ctx.now().getTime())
  return `${at}.${signatureOf(ctx, 'moment', `${formId}\0${at}`)}`
}

/** The age of a signed timestamp of this form, in milliseconds; undefined when its signature is invalid. */
export function timestampAge(ctx: Keyed & Pick<Context, 'now'>, formId: string, signed: string): number | undefined {
  const [, at = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(signed) ?? []
  if (!isSignature(ctx, 'moment', `${formId}\0${at}`, signature)) return undefined
  return Math.max(0, ctx.now().getTime() - Number(at))
}

/** The signed token in the URL of the anti-spam check for a suspected message. */
export const checkToken = (ctx: Keyed, reference: number): string =>
  `${reference}.${signatureOf(ctx, 'check', String(reference))}`

/** @throws {Refusal} `not_found` */
export function readCheckToken(ctx: Keyed, token: string): number {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(token) ?? []
  if (!isSignature(ctx, 'check', reference, signature)) throw new Refusal('not_found')
  return Number(reference)
}

/** The proof-of-work parameters: about half a second of work for a browser. */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' }

/** A proof-of-work challenge for the browser that sent this message. */
export async function createChallenge(ctx: Keyed, reference: number): Promise<Challenge> {
  const { challenge, deriveKey } = await loadAltcha()
  return challenge.createChallenge({
    ...work,
    deriveKey,
    data: { reference },
    hmacSignatureSecret: keyOf(ctx),
  })
}

/** Whether this is a valid solution of the challenge for this message. */
export async function isSolved(
  ctx: Keyed,
  reference: number,
  { challenge, solution }: { challenge: Challenge; solution: Solution },
): Promise<boolean> {
  if (challenge.parameters.data?.reference !== reference) return false
  const altcha = await loadAltcha()
  const { verified } = await altcha.challenge.verifySolution({
    challenge,
    solution,
    deriveKey: altcha.deriveKey,
    hmacSignatureSecret: keyOf(ctx),
  })
  return verified
}

/** The two numbers of a sum, for a visitor without JavaScript; they differ for each attempt. */
export function questionOf(ctx: Keyed, reference: number, attempt: number): [one: number, other: number] {
  const [one = 0, other = 0] = createHmac('sha256', ctx.secret).update(`question:${reference}:${attempt}`).digest()
  return [(one % 9) + 1, (other % 9) + 1]
}

export function isAnswer(ctx: Keyed, reference: number, attempt: number, typed: string): boolean {
  const [one, other] = questionOf(ctx, reference, attempt)
  return toLatinDigits(typed).trim() === String(one + other)
}

/**
 * Records a passed check, which lowers the spam score of a suspected message; below the threshold the message moves to the
 * inbox and is emailed. Messages that staff or the honeypot marked as spam stay there.
 */
export async function recordPassedCheck(ctx: Context, reference: number): Promise<void> {
  const { threshold, points } = ctx.site.spam ?? defaultSpamSettings
  await ctx.transaction(async (tx) => {
    const id = await findIdByReference(tx, reference)
    if (id === undefined) throw new Refusal('not_found')
    await lockMessages(tx, ctx.dialect, [id])
    const message = await findMessage(tx, id)
    if (!message) throw new Refusal('not_found')
    const isPassed = message.spamReasons.some(({ rule }) => rule === 'proof')
    if (message.folder === 'spam' && message.spamReason === 'suspected' && !isPassed) {
      const reasons = [...message.spamReasons, { rule: 'proof' as const, points: -points.proof }]
      await updateSpamReasons(tx, id, reasons)
      if (sumPoints(reasons) < threshold) await moveToFolder(tx, ctx, { id, folder: 'inbox', reason: null })
    }
  })
  ctx.wake.email()
}

/** Loaded when a sender is suspected for the first time. */
async function loadAltcha() {
  const [challenge, { deriveKey }] = await Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')])
  return { challenge, deriveKey }
}

const keyOf = ({ secret }: Keyed) => createHmac('sha256', secret).update('challenge').digest('base64url')

const signatureOf = ({ secret }: Keyed, purpose: string, text: string) =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url').slice(0, 22)

const isSignature = (ctx: Keyed, purpose: string, text: string, signature: string) =>
  signature.length === 22 && timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(ctx, purpose, text)))
