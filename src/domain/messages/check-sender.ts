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

/** A signed moment, which a form is given when a visitor reaches it. */
export const signMoment = (ctx: Keyed & Pick<Context, 'now'>, formId: string): string => {
  const at = String(ctx.now().getTime())
  return `${at}.${signatureOf(ctx, 'moment', `${formId}\0${at}`)}`
}

/** How long ago a moment was signed for this form; undefined when it was not. */
export function ageOfMoment(ctx: Keyed & Pick<Context, 'now'>, formId: string, signed: string): number | undefined {
  const [, at = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(signed) ?? []
  if (!isSignature(ctx, 'moment', `${formId}\0${at}`, signature)) return undefined
  return Math.max(0, ctx.now().getTime() - Number(at))
}

/** The part of the address at which the sender of a suspected message is checked. */
export const checkToken = (ctx: Keyed, reference: number): string =>
  `${reference}.${signatureOf(ctx, 'check', String(reference))}`

/** @throws {Refusal} `not_found` */
export function readCheckToken(ctx: Keyed, token: string): number {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(token) ?? []
  if (!isSignature(ctx, 'check', reference, signature)) throw new Refusal('not_found')
  return Number(reference)
}

/** About half a second of a browser's work. */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' }

/** A task for the browser of the sender of this message. */
export async function createChallenge(ctx: Keyed, reference: number): Promise<Challenge> {
  const { challenge, deriveKey } = await loadAltcha()
  return challenge.createChallenge({
    ...work,
    deriveKey,
    data: { reference },
    hmacSignatureSecret: keyOf(ctx),
  })
}

/** Whether a browser did its task for this message. */
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

/** A sum for a visitor without JavaScript; each attempt has another. */
export function questionOf(ctx: Keyed, reference: number, attempt: number): [one: number, other: number] {
  const [one = 0, other = 0] = createHmac('sha256', ctx.secret).update(`question:${reference}:${attempt}`).digest()
  return [(one % 9) + 1, (other % 9) + 1]
}

export function isAnswer(ctx: Keyed, reference: number, attempt: number, typed: string): boolean {
  const [one, other] = questionOf(ctx, reference, attempt)
  return toLatinDigits(typed).trim() === String(one + other)
}

/**
 * Takes the points of a proof off a suspected message, and moves it to the inbox when it is no longer suspected; it is
 * then emailed. A message that others suspect, or that has gone, stays as it is.
 */
export async function passCheck(ctx: Context, reference: number): Promise<void> {
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
