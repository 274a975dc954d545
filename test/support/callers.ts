import { randomBytes } from 'node:crypto'
import { generateSignedCookie } from 'hono/cookie'
import { rights } from '../../src/contract/rights.ts'
import { tokenHash } from '../../src/platform/auth/token-hash.ts'
import { aRole } from './roles.ts'
import { aUser } from './staff.ts'
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

/** Whether a caller is taken for somebody. */
export const isKnown = (caller: Caller) => !['nobody', 'blocked', 'ended session', 'forged session'].includes(caller)

/** Puts one of each kind in the database; those who are not let in hold every right all the same. */
export async function oneOfEach(site: TestApp): Promise<Map<Caller, Person>> {
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

/** A session of its own for each call, for some calls end it. */
export async function cookieOf(site: TestApp, caller: Caller, userId: number): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  const token = randomBytes(24).toString('base64url')
  const now = Date.now()
  const at = new Date(now).toISOString()
  await site.db
    .insertInto('session')
    .values({
      user_id: userId,
      token_hash: tokenHash(token),
      expires_at: new Date(now + (caller === 'ended session' ? -1_000 : 7 * 86_400_000)).toISOString(),
      created_at: at,
      updated_at: at,
    })
    .execute()
  const secret = caller === 'forged session' ? 'another secret' : site.app.context().secret
  return (await generateSignedCookie('etalage.session_token', token, secret)).split(';')[0]
}
