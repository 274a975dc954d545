import { createHmac } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  type Attempts,
  deleteAttempts,
  findAttempts,
  findKnownPlaces,
  takeBackAttempts,
  upsertAttempts,
  upsertKnownPlaces,
} from './attempt.queries.ts'

/** Where a sign-in comes from. */
export interface Place {
  /** The address, or the network that one subscriber has. */
  address: string
  /** What a browser keeps since a sign-in succeeded in it. */
  device: string | undefined
}

type LimitContext = Pick<Context, 'db' | 'dialect' | 'now' | 'secret' | 'transaction'>

/** How many failures a key may have, and what then. */
interface Rule {
  key: string
  most: number
  windowMs: number
  /** Past `most`, every next try waits longer; without it, the window must end. */
  growing?: true
}

/**
 * Counts a try to sign in as failed before it is known, so that many at once are counted too; `takeBack` when it was not.
 * A name and an address together, and an address by itself, have so many in a window. A name by itself, from anywhere,
 * waits longer with each failure; but not where its owner signed in before, so that nobody else's guessing keeps the
 * owner out: a browser that is known has a count of its own and no other.
 * @param who the name as it was typed and parsed, known or not: both are counted alike
 * @throws {Refusal} `too_many`; such a try is not counted
 */
export async function countAttempt(
  ctx: LimitContext,
  who: string,
  place: Place,
): Promise<{ takeBack(): Promise<void>; known: boolean }> {
  const places = await findKnownPlaces(ctx.db, placeKeys(ctx, who, place), ctx.now())
  return { ...(await count(ctx, rulesFor(ctx, who, place, places))), known: places.length > 0 }
}

/** The same for a step that names nobody: only the address counts. */
export const countUnnamed = (ctx: LimitContext, place: Place): Promise<{ takeBack(): Promise<void> }> =>
  count(ctx, [addressRule(ctx, place)])

/** Counts a sign-in that begins by a passkey or a provider: each beginning is kept for some minutes, whoever it is. */
export async function countBeginning(ctx: LimitContext, place: Place): Promise<void> {
  await count(ctx, [{ ...addressRule(ctx, place), key: keyed(ctx, 'began', place.address) }])
}

/**
 * Counts somebody who asks for a letter.
 * @returns false when the mailbox has had enough of them: the answer must not tell
 * @throws {Refusal} `too_many` for the address that asks
 */
export async function countReset(ctx: LimitContext, who: string, place: Place): Promise<boolean> {
  const windowMs = limits.resetWindowMs
  await count(ctx, [{ key: keyed(ctx, 'reset from', place.address), most: limits.resetsPerAddress, windowMs }])
  try {
    await count(ctx, [{ key: keyed(ctx, 'reset of', who), most: limits.resetsPerMailbox, windowMs }])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** From now on this person is known here. */
export async function rememberPlace(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'secret'>,
  who: string,
  place: Place,
): Promise<void> {
  const until = new Date(ctx.now().getTime() + limits.knownPlaceDays * 86_400_000)
  await upsertKnownPlaces(tx, placeKeys(ctx, who, place), until)
}

/** Forgets what this person mistyped here before. */
export const forgetAttempts = (
  tx: Transaction,
  ctx: Pick<Context, 'secret'>,
  who: string,
  place: Place,
): Promise<void> =>
  deleteAttempts(
    tx,
    placeKeys(ctx, who, place).map((key) => keyed(ctx, 'tries', key)),
  )

function rulesFor(ctx: LimitContext, who: string, place: Place, known: string[]): Rule[] {
  const windowMs = limits.signInWindowMs
  const most = limits.signInFailuresPerPlace
  const device = place.device && placeKey(ctx, 'device', who, place.device)
  if (device && known.includes(device)) return [{ key: keyed(ctx, 'tries', device), most, windowMs }]

  const address = placeKey(ctx, 'address', who, place.address)
  const here = [{ key: keyed(ctx, 'tries', address), most, windowMs }, addressRule(ctx, place)]
  if (known.includes(address)) return here
  return [
    ...here,
    {
      key: keyed(ctx, 'name', who),
      most: limits.signInFreeFailures,
      windowMs: limits.signInFailuresKeptMs,
      growing: true,
    },
  ]
}

const addressRule = (ctx: LimitContext, place: Place): Rule => ({
  key: keyed(ctx, 'from', place.address),
  most: limits.signInFailuresPerAddress,
  windowMs: limits.signInWindowMs,
})

async function count(ctx: LimitContext, rules: Rule[]): Promise<{ takeBack(): Promise<void> }> {
  // Always in the same order, so that two that count the same keys do not wait for each other.
  const keys = rules.map(({ key }) => key).sort()
  const alone = <T>(work: (tx: Transaction) => Promise<T>) =>
    ctx.transaction(async (tx) => {
      for (const key of keys) await ctx.dialect.lock(tx, key)
      return work(tx)
    })
  await alone(async (tx) => {
    const now = ctx.now()
    const found = await findAttempts(tx, keys, now)
    const waits = rules.map((rule) => waitOf(rule, found.get(rule.key), now))
    const wait = Math.max(...waits)
    if (wait > 0) throw new Refusal('too_many', { retryAfter: wait / 1_000 })
    for (const rule of rules) await upsertAttempts(tx, rule.key, oneMore(rule, found.get(rule.key), now))
  })
  return { takeBack: () => alone((tx) => takeBackAttempts(tx, keys)) }
}

/** Milliseconds to go before the next try is read. */
function waitOf(rule: Rule, found: Attempts | undefined, now: Date): number {
  if (!found || found.failures < rule.most) return 0
  const until = rule.growing ? found.waitUntil : found.windowEndsAt
  return until ? until.getTime() - now.getTime() : 0
}

function oneMore(rule: Rule, found: Attempts | undefined, now: Date): Attempts {
  const later = (ms: number) => new Date(now.getTime() + ms)
  const failures = (found?.failures ?? 0) + 1
  if (!rule.growing)
    return { failures, waitUntil: undefined, windowEndsAt: found?.windowEndsAt ?? later(rule.windowMs) }
  const beyond = failures - rule.most
  const wait = Math.min(limits.signInFirstWaitMs * 2 ** beyond, limits.signInLongestWaitMs)
  return { failures, waitUntil: beyond >= 0 ? later(wait) : undefined, windowEndsAt: later(rule.windowMs) }
}

const placeKeys = (ctx: Pick<Context, 'secret'>, who: string, place: Place): string[] => [
  placeKey(ctx, 'address', who, place.address),
  ...(place.device ? [placeKey(ctx, 'device', who, place.device)] : []),
]

const placeKey = (ctx: Pick<Context, 'secret'>, kind: 'address' | 'device', who: string, where: string) =>
  keyed(ctx, kind, who, where)

/** Neither names nor addresses are kept, and nobody without the secret can tell whose a key is. */
const keyed = (ctx: Pick<Context, 'secret'>, ...parts: string[]): string =>
  createHmac('sha256', ctx.secret).update(JSON.stringify(parts)).digest('base64url')
