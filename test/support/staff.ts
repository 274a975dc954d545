import { randomBytes } from 'node:crypto'
import { generateSignedCookie } from 'hono/cookie'
import { limits } from '../../src/contract/limits.ts'
import { administratorRoleId } from '../../src/contract/rights.ts'
import { sessionCookieName } from '../../src/http/page-cache.ts'
import { hashPassword } from '../../src/platform/auth/password.ts'
import { tokenHash } from '../../src/platform/auth/token-hash.ts'
import { cookiesOf } from './sign-in-at.ts'
import type { TestApp } from './test-app.ts'

/** All users in the tests, by first name. Roya has only the base role; the others are named after their role. */
export const staff = {
  beheerder: { name: 'Bente de Beheerder', email: 'bente@example.nl', roleId: administratorRoleId },
  redacteur: { name: 'Rik Redacteur', email: 'rik@example.nl', roleId: 3 },
  roya: { name: 'رویا مرادی', email: 'roya@example.nl', roleId: null },
} as const
export type StaffName = keyof typeof staff

export const password = 'geheim-123'

export interface SignedIn {
  id: number
  cookie: string
  request: (path: string, init?: RequestInit) => Promise<Response>
  get: (path: string) => Promise<Response>
  post: (path: string, body?: unknown) => Promise<Response>
  put: (path: string, body: unknown) => Promise<Response>
  delete: (path: string) => Promise<Response>
}

/** Inserts a user into the database. @returns the id */
export async function aUser(
  site: Pick<TestApp, 'db'>,
  who: { name: string; email: string; roleId?: number | null; blocked?: boolean; password?: string | null },
): Promise<number> {
  const at = new Date().toISOString()
  const { id } = await site.db
    .insertInto('user')
    .values({
      email: who.email,
      name: who.name,
      role_id: who.roleId ?? null,
      blocked: who.blocked ? 1 : 0,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (who.password !== null) {
    await site.db
      .insertInto('account')
      .values({
        user_id: id,
        provider_id: 'credential',
        account_id: String(id),
        password: await hashOf(who.password ?? password),
        created_at: at,
        updated_at: at,
      })
      .execute()
  }
  return id
}

const hashes = new Map<string, Promise<string>>()

/** Cached for each password, because a hash takes as long as the rest of adding a user. */
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** A browser with a new session of this user, who is added first when there is none. */
export async function as(site: TestApp, who: StaffName): Promise<SignedIn> {
  const known = await site.db.selectFrom('user').select('id').where('email', '=', staff[who].email).executeTakeFirst()
  return withSession(site, known?.id ?? (await aUser(site, staff[who])))
}

/** A browser with a new session of this user, without the slow password hash. */
export async function withSession(site: TestApp, userId: number): Promise<SignedIn> {
  return { id: userId, ...withCookie(site, await aSession(site, userId)) }
}

/**
 * Inserts a session into the database.
 * @param different `endsInMs` from now; `secret` that signs its cookie
 * @returns the cookie
 */
export async function aSession(
  site: TestApp,
  userId: number,
  different: { endsInMs?: number; secret?: string } = {},
): Promise<string> {
  const { now, secret } = site.app.context()
  // Better Auth, which extends sessions, has the clock of this machine, whatever day it is in the app.
  const today = Math.max(now().getTime(), Date.now())
  const { endsInMs = today - now().getTime() + limits.sessionDays * 86_400_000 } = different
  const token = randomBytes(24).toString('base64url')
  const at = now().toISOString()
  await site.db
    .insertInto('session')
    .values({
      user_id: userId,
      token_hash: tokenHash(token),
      expires_at: new Date(now().getTime() + endsInMs).toISOString(),
      created_at: at,
      updated_at: at,
    })
    .execute()
  const secure = site.settings.baseUrl?.startsWith('https:') ? ({ prefix: 'secure', secure: true } as const) : {}
  const cookie = await generateSignedCookie(sessionCookieName, token, different.secret ?? secret, secure)
  return cookie.split(';')[0] as string
}

/** Signs in through the endpoint. */
export async function signedIn(
  site: Pick<TestApp, 'request'>,
  email: string,
  secret = password,
): Promise<Omit<SignedIn, 'id'>> {
  const answer = await site.request('/api/login', json('POST', { identifier: email, password: secret }))
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`)
  return withCookie(site, cookiesOf(answer))
}

/** A client with these cookies. */
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

export const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
