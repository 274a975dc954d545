import { rights } from '../../src/contract/rights.ts'
import { aRole } from './roles.ts'
import { aSession, aUser } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Every kind of caller. */
export const callers = [
  'nobody',
  'base role',
  ...rights,
  'all rights',
  'blocked',
  'ended session',
  'forged session',
] as const
export type Caller = (typeof callers)[number]
export interface Person {
  id: number
  email: string
  name: string
}

/** Whether the caller has a valid session. */
export const isAuthenticated = (caller: Caller) =>
  !['nobody', 'blocked', 'ended session', 'forged session'].includes(caller)

/** Inserts one user of each kind; those who are not authenticated have every right. */
export async function createCallers(site: TestApp): Promise<Map<Caller, Person>> {
  const people = new Map<Caller, Person>()
  for (const caller of callers) {
    if (caller === 'nobody') continue
    const held = rights.filter((right) => right === caller || !['base role', ...rights].includes(caller))
    const roleId = held.length > 0 ? await aRole(site, `rol: ${caller}`, held) : null
    const name = `Iemand: ${caller}`
    const email = `${caller.replace(/\W/g, '-')}@example.nl`
    people.set(caller, { id: await aUser(site, { name, email, roleId, blocked: caller === 'blocked' }), email, name })
  }
  return people
}

/** A new session for each call, because some calls end it. */
export async function cookieOf(site: TestApp, caller: Caller, userId: number): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  return aSession(site, userId, {
    ...(caller === 'ended session' && { endsInMs: -1_000 }),
    ...(caller === 'forged session' && { secret: 'another secret' }),
  })
}
