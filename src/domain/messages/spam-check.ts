import { createHmac } from 'node:crypto'
import type { Challenge, Solution } from 'altcha-lib/types'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { defaultSpamSettings, type SpamReason, type SpamSettings } from '../../contract/spam.ts'
import { toLatinDigits } from '../../contract/text.ts'
import type { Context } from '../../platform/context.ts'
import { foldWords } from '../../platform/db/text-search.ts'
import { sign, verifySignature } from '../../platform/signature.ts'
import { moveToFolder } from './change-messages.ts'
import { findIdByReference, findMessage, lockMessages } from './message.queries.ts'
import { updateSpamReasons } from './message-change.queries.ts'

/** The input of the spam rules. */
interface ScoredMessage {
  name: string
  /** The visitor's text. */
  texts: readonly string[]
  /** Milliseconds since the visitor reached the form; undefined when that is not known, as without JavaScript. */
  filledInMs: number | undefined
}

/** Matches URLs and bare domains, but not the domain of an email address. */
const linkPattern =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![@\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|info|biz|online|shop|site|top|xyz|ru|cn|io)\b(?!@)(?:\/\S*)?/gi
const markupPattern = /<a\s[^>]{0,200}href|\[(?:url|link)[=\]]/i
/** The maximum number of links that add points. */
const maxScoredLinks = 3
const maxScoredWords = 4
const maxFormAgeMs = 24 * 60 * 60_000

/** Returns the spam rules that match a message, with their points. Rules with 0 points are off. */
export function scoreMessage(
  settings: SpamSettings,
  { name, texts, filledInMs }: ScoredMessage,
  locales: readonly Locale[],
): SpamReason[] {
  const { points } = settings
  const reasons: SpamReason[] = []
  const add = (rule: keyof typeof points, isMet: boolean, times = 1, evidence?: string) => {
    if (!isMet || points[rule] <= 0) return
    reasons.push({ rule, points: points[rule] * times, ...(evidence && { text: evidence }) })
  }
  const text = texts.join('\n')
  const links = [...new Set(text.match(linkPattern))]
  const scoredLinks = Math.min(links.length - settings.freeLinks, maxScoredLinks)
  add('link', scoredLinks > 0, scoredLinks, links.slice(0, maxScoredLinks).join(' ').slice(0, 200))
  add('linkInName', new RegExp(linkPattern, 'i').test(name))
  add('markup', markupPattern.test(text))
  add('otherScript', isMostlyInOtherScript(text, locales))
  add('noMoment', filledInMs === undefined)
  add('fast', filledInMs !== undefined && filledInMs < settings.fastSeconds * 1_000)
  add('old', filledInMs !== undefined && filledInMs > maxFormAgeMs)
  // Spaces around the text and around each word, so that only whole words match.
  const foldedText = ` ${foldWords([name, ...texts].join('\n').toLowerCase())} `
  const wordReasons = settings.words.flatMap((list) =>
    list.words.flatMap((word): SpamReason[] => {
      const foldedWord = foldWords(word.toLowerCase())
      const isFound = foldedWord !== '' && foldedText.includes(` ${foldedWord} `)
      return isFound ? [{ rule: 'word', points: list.points, text: word }] : []
    }),
  )
  return [...reasons, ...wordReasons.slice(0, maxScoredWords)]
}

export const sumPoints = (reasons: readonly SpamReason[]): number =>
  reasons.reduce((total, { points }) => total + points, 0)

/** Whether most letters of a text are neither Latin nor of a script of the site's languages; false below ten letters. */
function isMostlyInOtherScript(text: string, locales: readonly Locale[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 10) return false
  const scripts = new Set(['Latn', ...locales.map((locale) => new Intl.Locale(locale).maximize().script ?? 'Latn')])
  const unicodeScripts = [...scripts].flatMap((script) => unicodeScriptsOf[script] ?? [script]).filter(isUnicodeScript)
  const pattern = new RegExp(unicodeScripts.map((script) => `\\p{Script=${script}}`).join('|'), 'gu')
  const expected = text.match(pattern)?.length ?? 0
  return expected < letters / 2
}

/** The Unicode scripts of script codes (ISO 15924) that combine several scripts, or are a variant of one. */
const unicodeScriptsOf: Record<string, string[] | undefined> = {
  Aran: ['Arab'],
  Cyrs: ['Cyrl'],
  Geok: ['Geor'],
  Hanb: ['Hani', 'Bopo'],
  Hans: ['Hani'],
  Hant: ['Hani'],
  Hrkt: ['Hira', 'Kana'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Latf: ['Latn'],
  Latg: ['Latn'],
  Syre: ['Syrc'],
  Syrj: ['Syrc'],
  Syrn: ['Syrc'],
}

function isUnicodeScript(name: string): boolean {
  try {
    return Boolean(new RegExp(`\\p{Script=${name}}`, 'u'))
  } catch {
    return false
  }
}

type SecretContext = Pick<Context, 'secret'>

/**
 * Creates `<milliseconds>.<signature>`, which the browser requests when a visitor reaches a form, to measure how fast
 * it is filled in.
 */
export const signTimestamp = (ctx: SecretContext & Pick<Context, 'now'>, formId: string): string => {
  const at = String(ctx.now().getTime())
  return `${at}.${sign(ctx.secret, 'moment', `${formId}\0${at}`)}`
}

/** The age of a signed timestamp of this form, in milliseconds; undefined when its signature is invalid. */
export function timestampAge(
  ctx: SecretContext & Pick<Context, 'now'>,
  formId: string,
  signed: string,
): number | undefined {
  const [, at = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(signed) ?? []
  if (!verifySignature(ctx.secret, 'moment', `${formId}\0${at}`, signature)) return undefined
  return Math.max(0, ctx.now().getTime() - Number(at))
}

/** The data of a page with the anti-spam question. */
export interface SpamCheck {
  /** From `checkToken`. */
  token: string
  reference: number
  formId: string
  /** Selects the sum to solve, see `addendsOf`. */
  attempt: number
  locale: Locale
  /** The page with the form, to return to. */
  page: string | undefined
}

/** The token in the URL of the anti-spam check of a message, `<reference>.<signature>`. */
export const checkToken = (ctx: SecretContext, reference: number): string =>
  `${reference}.${sign(ctx.secret, 'check', String(reference))}`

/** Returns the reference in a token. @throws {Refusal} `not_found` when its signature is invalid */
export function readCheckToken(ctx: SecretContext, token: string): number {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(token) ?? []
  if (!verifySignature(ctx.secret, 'check', reference, signature)) throw new Refusal('not_found')
  return Number(reference)
}

/** The proof-of-work parameters: about half a second of work for a browser. */
const workParameters = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' }

/** A proof-of-work challenge for the browser that sent this message. */
export async function createChallenge(ctx: SecretContext, reference: number): Promise<Challenge> {
  const { challenge, deriveKey } = await loadAltcha()
  return challenge.createChallenge({
    ...workParameters,
    deriveKey,
    data: { reference },
    hmacSignatureSecret: challengeKey(ctx),
  })
}

/** Whether this is a valid solution of the challenge for this message. */
export async function isValidSolution(
  ctx: SecretContext,
  reference: number,
  { challenge, solution }: { challenge: Challenge; solution: Solution },
): Promise<boolean> {
  if (challenge.parameters.data?.reference !== reference) return false
  const altcha = await loadAltcha()
  const { verified } = await altcha.challenge.verifySolution({
    challenge,
    solution,
    deriveKey: altcha.deriveKey,
    hmacSignatureSecret: challengeKey(ctx),
  })
  return verified
}

/**
 * The two numbers, from 1 to 9, of the sum that a visitor without JavaScript solves. They are derived from reference
 * and attempt.
 */
export function addendsOf(ctx: SecretContext, reference: number, attempt: number): [first: number, second: number] {
  const [byte1 = 0, byte2 = 0] = createHmac('sha256', ctx.secret).update(`question:${reference}:${attempt}`).digest()
  return [(byte1 % 9) + 1, (byte2 % 9) + 1]
}

export function isCorrectAnswer(ctx: SecretContext, reference: number, attempt: number, answer: string): boolean {
  const [first, second] = addendsOf(ctx, reference, attempt)
  return toLatinDigits(answer).trim() === String(first + second)
}

/**
 * Records a passed check, which lowers the spam score of a suspected message once; below the threshold the message moves to the
 * inbox and is emailed. Messages that staff or the honeypot marked as spam stay there.
 * @throws {Refusal} `not_found`
 */
export async function recordPassedCheck(ctx: Context, reference: number): Promise<void> {
  const { threshold, points } = ctx.site.spam ?? defaultSpamSettings
  await ctx.transaction(async (tx) => {
    const id = await findIdByReference(tx, reference)
    if (id === undefined) throw new Refusal('not_found')
    await lockMessages(tx, ctx.dialect, [id])
    const message = await findMessage(tx, id)
    if (!message) throw new Refusal('not_found')
    const hasPassed = message.spamReasons.some(({ rule }) => rule === 'proof')
    if (message.folder === 'spam' && message.spamReason === 'suspected' && !hasPassed) {
      const reasons = [...message.spamReasons, { rule: 'proof' as const, points: -points.proof }]
      await updateSpamReasons(tx, id, reasons)
      if (sumPoints(reasons) < threshold) await moveToFolder(tx, ctx, { id, folder: 'inbox', reason: null })
    }
  })
  ctx.wake.email()
}

/** Imported when first needed: few senders are suspected. */
async function loadAltcha() {
  const [challenge, { deriveKey }] = await Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')])
  return { challenge, deriveKey }
}

const challengeKey = ({ secret }: SecretContext) => createHmac('sha256', secret).update('challenge').digest('base64url')
