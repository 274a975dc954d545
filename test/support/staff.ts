import { randomBytes } from 'node:crypto'
import { generateSignedCookie } from 'hono/cookie'
import { limits } from '../../src/contract/limits.ts'
import { administratorRoleId } from '../../src/contract/rights.ts'
import { sessionCookieName } from '../../src/http/page-cache.ts'
import { hashPassword } from '../../src/platform/auth/password.ts'
import { tokenHash } from '../../src/platform/auth/token-hash.ts'
import { cookieHeaderOf } from './session-cookies.ts'
import type { TestApp } from './test-app.ts'

/** The users of the tests. Roya has only the base role; the keys of the others are their role. */
export const staff = {
  beheerder: { name: 'Bente de Beheerder', email: 'bente@example.nl', roleId: administratorRoleId },
  redacteur: { name: 'Rik Redacteur', email: 'rik@example.nl', roleId: 3 },
  roya: { name: 'رویا مرادی', email: 'roya@example.nl', roleId: null },
} as const
type StaffName = keyof typeof staff

/** The password of every user in the tests. */
export const password = 'geheim-123'

/** A client with the session of a user. */
export interface SignedIn {
  id: number
  cookie: string
  request: (path: string, init?: RequestInit) => Promise<Response>
  get: (path: string) => Promise<Response>
  post: (path: string, body?: unknown) => Promise<Response>
  put: (path: string, body: unknown) => Promise<Response>
  delete: (path: string) => Promise<Response>
}

/** Inserts a user into the database; with `password` null one without a password. @returns the id */
export async function aUser(
  site: Pick<TestApp, 'db'>,
  user: { name: string; email: string; roleId?: number | null; blocked?: boolean; password?: string | null },
): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await site.db
    .insertInto('user')
    .values({
      email: user.email,
      name: user.name,
      role_id: user.roleId ?? null,
      blocked: user.blocked ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (user.password !== null) {
    await site.db
      .insertInto('account')
      .values({
        user_id: id,
        provider_id: 'credential',
        account_id: String(id),
        password: await hashOf(user.password ?? password),
        created_at: now,
        updated_at: now,
      })
      .execute()
  }
  return id
}

const hashes = new Map<string, Promise<string>>()

/** Hashes a password once, because that takes as long as the rest of adding a user. */
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** A client with a new session of one of `staff`, who is added when the site lacks that user. */
export async function as(site: TestApp, staffName: StaffName): Promise<SignedIn> {
  const existing = await site.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', staff[staffName].email)
    .executeTakeFirst()
  return withSession(site, existing?.id ?? (await aUser(site, staff[staffName])))
}

/** A client with a new session of this user, without signing in and so without the slow password hash. */
export async function withSession(site: TestApp, userId: number): Promise<SignedIn> {
  return { id: userId, ...withCookie(site, await aSession(site, userId)) }
}

/**
 * Inserts a session into the database.
 * @param overrides.endsInMs from now, negative for a session that has ended
 * @param overrides.secret that signs its cookie; another one than that of the app makes the cookie invalid
 * @returns the value of a `Cookie` header
 */
export async function aSession(
  site: TestApp,
  userId: number,
  overrides: { endsInMs?: number; secret?: string } = {},
): Promise<string> {
  const { now, secret } = site.app.context()
  // Better Auth, which extends sessions, uses the clock of this machine instead of `now`.
  const laterClock = Math.max(now().getTime(), Date.now())
  const { endsInMs = laterClock - now().getTime() + limits.sessionDays * 86_400_000 } = overrides
  const token = randomBytes(24).toString('base64url')
  const startsAt = now().toISOString()
  await site.db
    .insertInto('session')
    .values({
      user_id: userId,
      token_hash: tokenHash(token),
      expires_at: new Date(now().getTime() + endsInMs).toISOString(),
      created_at: startsAt,
      updated_at: startsAt,
    })
    .execute()
  const secure = site.settings.baseUrl?.startsWith('https:') ? ({ prefix: 'secure', secure: true } as const) : {}
  const cookie = await generateSignedCookie(sessionCookieName, token, overrides.secret ?? secret, secure)
  return cookie.split(';')[0] as string
}

/** Makes the last password confirmation of every session eleven minutes old; it is valid for ten. */
export async function expireConfirmations(site: TestApp): Promise<void> {
  const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000).toISOString()
  await site.db.updateTable('session').set({ created_at: elevenMinutesAgo, confirmed_at: null }).execute()
}

/** Signs in through the endpoint. @returns a client with the session @throws when it is refused */
export async function signInWithPassword(
  site: Pick<TestApp, 'request'>,
  email: string,
  secret = password,
): Promise<Omit<SignedIn, 'id'>> {
  const response = await site.request('/api/login', json('POST', { identifier: email, password: secret }))
  if (response.status !== 200)
    throw new Error(`${email} could not sign in: ${response.status} ${await response.text()}`)
  return withCookie(site, cookieHeaderOf(response))
}

/** A client that sends these cookies. */
export function withCookie(site: Pick<TestApp, 'request'>, cookie: string): Omit<SignedIn, 'id'> {
  const request = async (path: string, init: RequestInit = {}) =>
    site.request(path, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } })
  return {
    cookie,
    request,
    get: (path) => request(path),
    post: (path, body) => request(path, body === undefined ? { method: 'POST' } : json('POST', body)),
    put: (path, body) => request(path, json('PUT', body)),
    delete: (path) => request(path, { method: 'DELETE' }),
  }
}

/** The options of a request with a JSON body. */
export const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
