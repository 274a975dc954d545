import { administratorRoleId } from '../../src/contract/rights.ts'
import { hashPassword } from '../../src/platform/auth/password.ts'
import type { TestApp } from './test-app.ts'

/** Everyone in the tests, by first name. Roya has no role for work, the others say it in theirs. */
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

/** Puts somebody in the database as the program would. @returns the id */
export async function aUser(
  site: TestApp,
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
        password: await hashPassword(who.password ?? password),
        created_at: at,
        updated_at: at,
      })
      .execute()
  }
  return id
}

/** Signs somebody of the cast in by the door, in a browser of their own; makes them first when they are new. */
export async function as(site: TestApp, who: StaffName): Promise<SignedIn> {
  const known = await site.db.selectFrom('user').select('id').where('email', '=', staff[who].email).executeTakeFirst()
  const id = known?.id ?? (await aUser(site, staff[who]))
  return { id, ...(await signedIn(site, staff[who].email)) }
}

export async function signedIn(site: TestApp, email: string, secret = password): Promise<Omit<SignedIn, 'id'>> {
  const answer = await site.request('/api/login', json('POST', { identifier: email, password: secret }))
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return withCookie(site, cookie)
}

/** A browser that holds these cookies. */
export function withCookie(site: TestApp, cookie: string): Omit<SignedIn, 'id'> {
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
