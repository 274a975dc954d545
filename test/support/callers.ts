import { type Right, rights } from '../../src/contract/rights.ts'
import { aRole } from './roles.ts'
import { aSession, aUser } from './staff.ts'
import type { TestApp } from './test-app.ts'

/**
 * Who calls a route. A right stands for a user with only that right, `base role` for a user without rights, and `other rights`
 * for a user with all rights that the route does not name.
 */
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
 * Every kind of caller of a route that names these rights. One user with all other rights is enough: if that one is refused,
 * none of those rights gives access.
 */
export const callersOf = (named: readonly Right[]): Caller[] => [
  ...(['nobody', 'base role', ...named] as const),
  ...(named.length > 0 ? (['other rights'] as const) : []),
  ...(['all rights', 'blocked', 'ended session', 'forged session'] as const),
]

/** Whether the caller has a valid session. */
export const isAuthenticated = (caller: Caller) =>
  !['nobody', 'blocked', 'ended session', 'forged session'].includes(caller)

/** @returns the user of this kind, who is added the first time; undefined for `nobody` */
export type FindCaller = (caller: Caller, named: readonly Right[]) => Promise<Person | undefined>

/** Returns the function that finds the callers of an app, and remembers those that it has added. */
export function createCallers(site: TestApp): FindCaller {
  const people = new Map<string, Person>()
  return async (caller, named) => {
    if (caller === 'nobody') return undefined
    const held = rightsOf(caller, named)
    const key = [caller, ...held].join()
    const existing = people.get(key)
    if (existing) return existing
    const number = people.size
    const roleId = held.length > 0 ? await aRole(site, `rol ${number}: ${caller}`, held) : null
    const name = `Iemand: ${caller}`
    const email = `${caller.replace(/\W/g, '-')}-${number}@example.nl`
    const person = { id: await aUser(site, { name, email, roleId, blocked: caller === 'blocked' }), email, name }
    people.set(key, person)
    return person
  }
}

/** The rights of a caller: for those without a valid session all of them, so that only the session is what they lack. */
function rightsOf(caller: Caller, named: readonly Right[]): Right[] {
  if (caller === 'base role') return []
  if (caller === 'other rights') return rights.filter((right) => !named.includes(right))
  const matchingRights = rights.filter((right) => right === caller)
  return matchingRights.length > 0 ? matchingRights : [...rights]
}

/** Adds a session for one call, because some calls end it. @returns its cookie; undefined for `nobody` */
export async function createSessionCookie(site: TestApp, caller: Caller, userId: number): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  return aSession(site, userId, {
    ...(caller === 'ended session' && { endsInMs: -1_000 }),
    ...(caller === 'forged session' && { secret: 'another secret' }),
  })
}
