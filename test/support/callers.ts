import { type Right, rights } from '../../src/contract/rights.ts'
import { aRole } from './roles.ts'
import { aSession, aUser } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Who calls a route: a right is a user with only that right, and `other rights` one with all that the route does not name. */
export type Caller =
  | 'nobody'
  | 'base role'
  | Right
  | 'other rights'
  | 'all rights'
  | 'blocked'
  | 'ended session'
  | 'forged session'
export interface Person {
  id: number
  email: string
  name: string
}

/**
 * Every kind of caller of a route that names these rights. A user with all other rights together is refused, so no single one
 * of them gives access.
 */
export const callersOf = (named: readonly Right[]): Caller[] => [
  ...(['nobody', 'base role', ...named] as const),
  ...(named.length > 0 ? (['other rights'] as const) : []),
  ...(['all rights', 'blocked', 'ended session', 'forged session'] as const),
]

/** Whether the caller has a valid session. */
export const isAuthenticated = (caller: Caller) =>
  !['nobody', 'blocked', 'ended session', 'forged session'].includes(caller)

/** Finds the user of each kind, who is added when asked for the first time. */
export type FindCaller = (caller: Caller, named: readonly Right[]) => Promise<Person | undefined>

export function createCallers(site: TestApp): FindCaller {
  const people = new Map<string, Person>()
  return async (caller, named) => {
    if (caller === 'nobody') return undefined
    const held = heldBy(caller, named)
    const key = [caller, ...held].join()
    const known = people.get(key)
    if (known) return known
    const number = people.size
    const roleId = held.length > 0 ? await aRole(site, `rol ${number}: ${caller}`, held) : null
    const name = `Iemand: ${caller}`
    const email = `${caller.replace(/\W/g, '-')}-${number}@example.nl`
    const person = { id: await aUser(site, { name, email, roleId, blocked: caller === 'blocked' }), email, name }
    people.set(key, person)
    return person
  }
}

/** Those who are not authenticated have every right. */
function heldBy(caller: Caller, named: readonly Right[]): Right[] {
  if (caller === 'base role') return []
  if (caller === 'other rights') return rights.filter((right) => !named.includes(right))
  const alone = rights.filter((right) => right === caller)
  return alone.length > 0 ? alone : [...rights]
}

/** A new session for each call, because some calls end it. */
export async function cookieOf(site: TestApp, caller: Caller, userId: number): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  return aSession(site, userId, {
    ...(caller === 'ended session' && { endsInMs: -1_000 }),
    ...(caller === 'forged session' && { secret: 'another secret' }),
  })
}
