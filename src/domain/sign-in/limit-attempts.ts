import { createHmac } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { dayMs, limits } from '../../contract/limits.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  type AttemptCount,
  decrementAttemptCounts,
  deleteAttemptCounts,
  deleteKnownBrowsers,
  findAttemptCounts,
  listKnownKeys,
  upsertAttemptCount,
  upsertKnownBrowsers,
} from './attempt.queries.ts'

/** Where a sign-in comes from. */
export interface ClientOrigin {
  /** The IPv4 address or IPv6 network. */
  address: string
  /** The cookie value of a browser in which a sign-in succeeded before. */
  browser: string | undefined
}

type LimitContext = Pick<Context, 'db' | 'dialect' | 'now' | 'secret' | 'transaction'>

/** How many failures are allowed under a key within a window. */
interface Rule {
  /** From `keyedHash`. */
  key: string
  maxFailures: number
  windowMs: number
  /**
   * Each failure begins the window again. From failure number `maxFailures` on, each also delays the next attempt, twice as
   * long as the one before, up to a maximum. Without it, attempts are refused until the window ends.
   */
  growingDelay?: true
}

/**
 * Counts a sign-in attempt as failed before its result is known, so that concurrent attempts are counted; `uncount`
 * takes it back. Three limits apply:
 * - for an identifier from one address: a number of failures in a window;
 * - for an address, whatever the identifier: likewise;
 * - for an identifier from anywhere: a delay that grows. It does not apply to known clients, the browsers and addresses
 *   from which the user signed in before, so that an attacker cannot lock the user out.
 *
 * In a known browser there is only one limit: a number of failures for the identifier in that browser.
 * @param identifier whose failures are counted: mostly the parsed email address, of an existing or an unknown user alike
 * @returns `isKnownClient`: the user signed in from this browser or address before
 * @throws {Refusal} `too_many`; such an attempt is not counted
 */
export async function countAttempt(
  ctx: LimitContext,
  identifier: string,
  client: ClientOrigin,
): Promise<{ uncount(): Promise<void>; isKnownClient: boolean }> {
  const knownKeys = await listKnownKeys(ctx.db, clientKeys(ctx, identifier, client), ctx.now())
  const { uncount } = await countFailure(ctx, rulesFor(ctx, identifier, client, knownKeys))
  return { uncount, isKnownClient: knownKeys.length > 0 }
}

/**
 * Counts an attempt in a step without an identifier, by address alone: a second factor, a passkey.
 * @throws {Refusal} `too_many`
 */
export const countAnonymousAttempt = (ctx: LimitContext, client: ClientOrigin): Promise<{ uncount(): Promise<void> }> =>
  countFailure(ctx, [addressRule(ctx, client)])

/**
 * Counts the start of a sign-in by passkey or identity provider, by address: each start stores a row for some minutes.
 * @throws {Refusal} `too_many`
 */
export async function countSignInStart(ctx: LimitContext, client: ClientOrigin): Promise<void> {
  await countFailure(ctx, [{ ...addressRule(ctx, client), key: keyedHash(ctx, 'began', client.address) }])
}

/**
 * Counts a password reset request.
 * @returns false when the mailbox has received enough emails; the response must not reveal it
 * @throws {Refusal} `too_many` for the client's address
 */
export async function countPasswordReset(
  ctx: LimitContext,
  identifier: string,
  client: ClientOrigin,
): Promise<boolean> {
  const windowMs = limits.resetWindowMs
  await countFailure(ctx, [
    { key: keyedHash(ctx, 'reset from', client.address), maxFailures: limits.resetsPerAddress, windowMs },
  ])
  try {
    await countFailure(ctx, [
      { key: keyedHash(ctx, 'reset of', identifier), maxFailures: limits.resetsPerMailbox, windowMs },
    ])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Stores the browser and the address of the client as known for this user: see `countAttempt`. */
export async function rememberKnownBrowser(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'secret' | 'site'>,
  identifier: string,
  client: ClientOrigin,
): Promise<void> {
  const { signInDays } = ctx.site.retention ?? defaultRetention
  const until = new Date(ctx.now().getTime() + signInDays * dayMs)
  await upsertKnownBrowsers(tx, clientKeys(ctx, identifier, client), {
    person: keyedHash(ctx, 'person', identifier),
    until,
  })
}

/** Deletes the failures of this user that were counted in this browser and from this address. */
export const clearAttempts = (
  tx: Transaction,
  ctx: Pick<Context, 'secret'>,
  identifier: string,
  client: ClientOrigin,
): Promise<void> =>
  deleteAttemptCounts(
    tx,
    clientKeys(ctx, identifier, client).map((key) => keyedHash(ctx, 'tries', key)),
  )

/** Deletes the user's known browsers, and the failures and password resets counted under the identifier alone. */
export async function forgetKnownBrowsers(
  tx: Transaction,
  ctx: Pick<Context, 'secret'>,
  identifier: string,
): Promise<void> {
  await deleteKnownBrowsers(tx, keyedHash(ctx, 'person', identifier))
  await deleteAttemptCounts(tx, [keyedHash(ctx, 'name', identifier), keyedHash(ctx, 'reset of', identifier)])
}

/**
 * The limits of `countAttempt` that apply.
 * @param knownKeys the keys of this client from which the user signed in before
 */
function rulesFor(ctx: LimitContext, identifier: string, client: ClientOrigin, knownKeys: string[]): Rule[] {
  const windowMs = limits.signInWindowMs
  const maxFailures = limits.signInFailuresPerOrigin
  const browserKey = client.browser && clientKey(ctx, 'device', identifier, client.browser)
  if (browserKey && knownKeys.includes(browserKey))
    return [{ key: keyedHash(ctx, 'tries', browserKey), maxFailures, windowMs }]

  const addressKey = clientKey(ctx, 'address', identifier, client.address)
  const rules = [{ key: keyedHash(ctx, 'tries', addressKey), maxFailures, windowMs }, addressRule(ctx, client)]
  if (knownKeys.includes(addressKey)) return rules
  return [
    ...rules,
    {
      key: keyedHash(ctx, 'name', identifier),
      maxFailures: limits.signInFreeFailures,
      windowMs: limits.signInFailureWindowMs,
      growingDelay: true,
    },
  ]
}

/** The limit for an address, whatever the identifier. */
const addressRule = (ctx: LimitContext, client: ClientOrigin): Rule => ({
  key: keyedHash(ctx, 'from', client.address),
  maxFailures: limits.signInFailuresPerAddress,
  windowMs: limits.signInWindowMs,
})

/**
 * Counts one failure under the key of each rule.
 * @throws {Refusal} `too_many` when one of the rules refuses the attempt; then none is counted
 */
async function countFailure(ctx: LimitContext, rules: Rule[]): Promise<{ uncount(): Promise<void> }> {
  // A fixed lock order prevents deadlocks.
  const keys = rules.map(({ key }) => key).sort()
  const withLocks = <T>(work: (tx: Transaction) => Promise<T>) =>
    ctx.transaction(async (tx) => {
      for (const key of keys) await ctx.dialect.lock(tx, key)
      return work(tx)
    })
  await withLocks(async (tx) => {
    const now = ctx.now()
    const stored = await findAttemptCounts(tx, keys, now)
    const counts = new Map(rules.map((rule) => [rule.key, ignoreFutureWindow(rule, stored.get(rule.key), now)]))
    const waitMs = Math.max(...rules.map((rule) => remainingWaitMs(rule, counts.get(rule.key), now)))
    if (waitMs > 0) throw new Refusal('too_many', { retryAfter: waitMs / 1_000 })
    for (const rule of rules) await upsertAttemptCount(tx, rule.key, addFailure(rule, counts.get(rule.key), now))
  })
  return { uncount: () => withLocks((tx) => decrementAttemptCounts(tx, keys)) }
}

/**
 * How far the clocks of two instances may differ. Without it, the one behind would ignore each count of the one ahead,
 * and guesses that alternate between the two would never be limited.
 */
const clockSlackMs = 60_000

/**
 * The count; undefined when its window ends more than `clockSlackMs` after one that begins now. Such a count was made while
 * the clock was ahead, and would last too long.
 */
const ignoreFutureWindow = (rule: Rule, count: AttemptCount | undefined, now: Date): AttemptCount | undefined =>
  count && count.windowEndsAt.getTime() - now.getTime() <= rule.windowMs + clockSlackMs ? count : undefined

/** Milliseconds until the next attempt is accepted; 0 or less: it is accepted now. */
function remainingWaitMs(rule: Rule, count: AttemptCount | undefined, now: Date): number {
  if (!count || count.failures < rule.maxFailures) return 0
  const until = rule.growingDelay ? count.waitUntil : count.windowEndsAt
  return until ? until.getTime() - now.getTime() : 0
}

/** The count with one more failure. */
function addFailure(rule: Rule, count: AttemptCount | undefined, now: Date): AttemptCount {
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  const failures = (count?.failures ?? 0) + 1
  const newWindowEndsAt = inMs(rule.windowMs)
  if (!rule.growingDelay)
    return { failures, waitUntil: undefined, windowEndsAt: count?.windowEndsAt ?? newWindowEndsAt }
  const doublings = failures - rule.maxFailures
  const waitMs = Math.min(limits.signInFirstWaitMs * 2 ** doublings, limits.signInLongestWaitMs)
  return { failures, waitUntil: doublings >= 0 ? inMs(waitMs) : undefined, windowEndsAt: newWindowEndsAt }
}

/** The keys of an identifier from this address and, if the browser has the cookie, in this browser. */
const clientKeys = (ctx: Pick<Context, 'secret'>, identifier: string, client: ClientOrigin): string[] => [
  clientKey(ctx, 'address', identifier, client.address),
  ...(client.browser ? [clientKey(ctx, 'device', identifier, client.browser)] : []),
]

/** `device` means a browser. The stored hashes contain the word, so another one would forget all known browsers. */
const clientKey = (ctx: Pick<Context, 'secret'>, kind: 'address' | 'device', identifier: string, origin: string) =>
  keyedHash(ctx, kind, identifier, origin)

/** A hash with the secret as key, so that no identifiers or addresses are stored. */
const keyedHash = (ctx: Pick<Context, 'secret'>, ...parts: string[]): string =>
  createHmac('sha256', ctx.secret).update(JSON.stringify(parts)).digest('base64url')
