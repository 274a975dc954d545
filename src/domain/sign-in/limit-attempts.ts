import { createHmac } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { dayMs, limits } from '../../contract/limits.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  type AttemptCount,
  decrementAttempts,
  deleteAttempts,
  deleteKnownBrowsers,
  findAttempts,
  listKnownBrowsers,
  upsertAttempts,
  upsertKnownBrowsers,
} from './attempt.queries.ts'

/** The client of a sign-in. */
export interface ClientOrigin {
  /** The IPv4 address or IPv6 network. */
  address: string
  /** The cookie value of a browser in which a sign-in succeeded before. */
  browser: string | undefined
}

type LimitContext = Pick<Context, 'db' | 'dialect' | 'now' | 'secret' | 'transaction'>

/** How many failures are allowed under a key within a window. */
interface Rule {
  /** A keyed hash, see `keyed`. */
  key: string
  maxFailures: number
  windowMs: number
  /** Beyond `maxFailures`, each attempt must wait twice as long as the one before; otherwise until the window ends. */
  growing?: true
}

/**
 * Counts a sign-in attempt as failed before its result is known, so that concurrent attempts are counted; `uncount`
 * takes it back. Three limits apply:
 * - for a name from one address: a number of failures in a window;
 * - for an address, whatever the name: likewise;
 * - for a name from anywhere: a delay that grows. It does not apply to browsers and addresses from which the user signed in
 *   before, so that an attacker cannot lock the user out.
 *
 * In a known browser, only the failures in that browser count.
 * @param identifier the name as typed, parsed; existing and unknown names are counted alike
 * @returns `known`: the user signed in from this browser or address before
 * @throws {Refusal} `too_many`; such an attempt is not counted
 */
export async function countAttempt(
  ctx: LimitContext,
  identifier: string,
  client: ClientOrigin,
): Promise<{ uncount(): Promise<void>; known: boolean }> {
  const knownKeys = await listKnownBrowsers(ctx.db, clientKeys(ctx, identifier, client), ctx.now())
  return { ...(await count(ctx, rulesFor(ctx, identifier, client, knownKeys))), known: knownKeys.length > 0 }
}

/** Counts an attempt in a step without a name, by address alone. */
export const countAnonymousAttempt = (ctx: LimitContext, client: ClientOrigin): Promise<{ uncount(): Promise<void> }> =>
  count(ctx, [addressRule(ctx, client)])

/** Limits the start of a sign-in by passkey or identity provider, because each start stores a row for some minutes. */
export async function countSignInStart(ctx: LimitContext, client: ClientOrigin): Promise<void> {
  await count(ctx, [{ ...addressRule(ctx, client), key: keyed(ctx, 'began', client.address) }])
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
  await count(ctx, [{ key: keyed(ctx, 'reset from', client.address), maxFailures: limits.resetsPerAddress, windowMs }])
  try {
    await count(ctx, [{ key: keyed(ctx, 'reset of', identifier), maxFailures: limits.resetsPerMailbox, windowMs }])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Marks the client as known for this user. */
export async function rememberKnownBrowser(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'secret' | 'site'>,
  identifier: string,
  client: ClientOrigin,
): Promise<void> {
  const { signInDays } = ctx.site.retention ?? defaultRetention
  const until = new Date(ctx.now().getTime() + signInDays * dayMs)
  await upsertKnownBrowsers(tx, clientKeys(ctx, identifier, client), {
    person: keyed(ctx, 'person', identifier),
    until,
  })
}

/** Clears the failures of this user from this client. */
export const clearAttempts = (
  tx: Transaction,
  ctx: Pick<Context, 'secret'>,
  identifier: string,
  client: ClientOrigin,
): Promise<void> =>
  deleteAttempts(
    tx,
    clientKeys(ctx, identifier, client).map((key) => keyed(ctx, 'tries', key)),
  )

/** Deletes the user's known browsers, and the failures counted under the name alone. */
export async function forgetKnownBrowsers(
  tx: Transaction,
  ctx: Pick<Context, 'secret'>,
  identifier: string,
): Promise<void> {
  await deleteKnownBrowsers(tx, keyed(ctx, 'person', identifier))
  await deleteAttempts(tx, [keyed(ctx, 'name', identifier), keyed(ctx, 'reset of', identifier)])
}

/** @param knownKeys the keys of this client from which the user signed in before */
function rulesFor(ctx: LimitContext, identifier: string, client: ClientOrigin, knownKeys: string[]): Rule[] {
  const windowMs = limits.signInWindowMs
  const maxFailures = limits.signInFailuresPerOrigin
  const browserKey = client.browser && clientKey(ctx, 'device', identifier, client.browser)
  if (browserKey && knownKeys.includes(browserKey))
    return [{ key: keyed(ctx, 'tries', browserKey), maxFailures, windowMs }]

  const address = clientKey(ctx, 'address', identifier, client.address)
  const rules = [{ key: keyed(ctx, 'tries', address), maxFailures, windowMs }, addressRule(ctx, client)]
  if (knownKeys.includes(address)) return rules
  return [
    ...rules,
    {
      key: keyed(ctx, 'name', identifier),
      maxFailures: limits.signInFreeFailures,
      windowMs: limits.signInFailureWindowMs,
      growing: true,
    },
  ]
}

const addressRule = (ctx: LimitContext, client: ClientOrigin): Rule => ({
  key: keyed(ctx, 'from', client.address),
  maxFailures: limits.signInFailuresPerAddress,
  windowMs: limits.signInWindowMs,
})

/** Counts one failure under the key of each rule, unless one of them refuses the attempt. */
async function count(ctx: LimitContext, rules: Rule[]): Promise<{ uncount(): Promise<void> }> {
  // A fixed lock order prevents deadlocks.
  const keys = rules.map(({ key }) => key).sort()
  const withLocks = <T>(work: (tx: Transaction) => Promise<T>) =>
    ctx.transaction(async (tx) => {
      for (const key of keys) await ctx.dialect.lock(tx, key)
      return work(tx)
    })
  await withLocks(async (tx) => {
    const now = ctx.now()
    const stored = await findAttempts(tx, keys, now)
    const counts = new Map(rules.map((rule) => [rule.key, withinWindow(rule, stored.get(rule.key), now)]))
    const waitMs = Math.max(...rules.map((rule) => remainingWaitMs(rule, counts.get(rule.key), now)))
    if (waitMs > 0) throw new Refusal('too_many', { retryAfter: waitMs / 1_000 })
    for (const rule of rules) await upsertAttempts(tx, rule.key, incremented(rule, counts.get(rule.key), now))
  })
  return { uncount: () => withLocks((tx) => decrementAttempts(tx, keys)) }
}

/** The clocks of instances may differ a little; without this, guesses that alternate between two would never be limited. */
const clockSlackMs = 60_000

/** Ignores a count whose window ends later than one that begins now would: it was made while the clock was ahead. */
const withinWindow = (rule: Rule, count: AttemptCount | undefined, now: Date): AttemptCount | undefined =>
  count && count.windowEndsAt.getTime() - now.getTime() <= rule.windowMs + clockSlackMs ? count : undefined

/** Milliseconds until the next attempt is accepted. */
function remainingWaitMs(rule: Rule, count: AttemptCount | undefined, now: Date): number {
  if (!count || count.failures < rule.maxFailures) return 0
  const until = rule.growing ? count.waitUntil : count.windowEndsAt
  return until ? until.getTime() - now.getTime() : 0
}

function incremented(rule: Rule, count: AttemptCount | undefined, now: Date): AttemptCount {
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  const failures = (count?.failures ?? 0) + 1
  if (!rule.growing) return { failures, waitUntil: undefined, windowEndsAt: count?.windowEndsAt ?? inMs(rule.windowMs) }
  const excess = failures - rule.maxFailures
  const waitMs = Math.min(limits.signInFirstWaitMs * 2 ** excess, limits.signInLongestWaitMs)
  return { failures, waitUntil: excess >= 0 ? inMs(waitMs) : undefined, windowEndsAt: inMs(rule.windowMs) }
}

/** The keys of a name from this address and from this browser. */
const clientKeys = (ctx: Pick<Context, 'secret'>, identifier: string, client: ClientOrigin): string[] => [
  clientKey(ctx, 'address', identifier, client.address),
  ...(client.browser ? [clientKey(ctx, 'device', identifier, client.browser)] : []),
]

/** `device`, a known browser, is part of the stored hashes: another word would forget all known browsers. */
const clientKey = (ctx: Pick<Context, 'secret'>, kind: 'address' | 'device', identifier: string, origin: string) =>
  keyed(ctx, kind, identifier, origin)

/** A keyed hash, so that no names or addresses are stored. */
const keyed = (ctx: Pick<Context, 'secret'>, ...parts: string[]): string =>
  createHmac('sha256', ctx.secret).update(JSON.stringify(parts)).digest('base64url')
