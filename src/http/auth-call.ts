import type { Context as HonoContext } from 'hono'
import type { Auth } from '../platform/auth/auth.ts'
import type { Env } from './env.ts'

/** What Better Auth refused, by its own code. */
export class AuthRefused extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, status: number) {
    super(code)
    this.name = 'AuthRefused'
    this.code = code
    this.status = status
  }
}

type Call<T> = (auth: Auth, headers: Headers) => Promise<{ headers: Headers | null | undefined; response: T }>

/**
 * Calls Better Auth for a request: it sees the cookies, the browser's name and the address as this program knows it,
 * and nothing else of the request. The cookies that it sets go into the answer.
 * @throws {AuthRefused}
 */
export async function callAuth<T>(c: HonoContext<Env>, auth: Auth, call: Call<T>): Promise<T> {
  const { headers, response } = await askAuth(c, auth, call)
  passCookies(c, headers)
  return response
}

/**
 * The same, and the cookies of a success are left to the caller.
 * @param only the ending of the one cookie's name that is handed on; left out, all are
 * @throws {AuthRefused}
 */
export async function askAuth<T>(
  c: HonoContext<Env>,
  auth: Auth,
  call: Call<T>,
  only?: string,
): Promise<{ headers: Headers; response: T }> {
  try {
    const { headers, response } = await call(auth, handedOn(c, only))
    return { headers: headers ?? new Headers(), response }
  } catch (error) {
    if (!isAuthError(error)) throw error
    passCookies(c, error.headers ? new Headers(error.headers) : undefined)
    throw new AuthRefused(String(error.body?.code ?? error.status), error.statusCode)
  }
}

/** Known by its name: the class would bring all of Better Auth into the program's start. */
const isAuthError = (
  error: unknown,
): error is Error & { status: unknown; statusCode: number; body?: { code?: string }; headers?: HeadersInit } =>
  error instanceof Error && error.name === 'APIError'

export function handedOn(c: HonoContext<Env>, only?: string): Headers {
  const headers = new Headers({ 'x-etalage-address': c.var.address })
  const agent = c.req.header('user-agent')
  if (agent) headers.set('user-agent', agent)
  const cookies = (c.req.header('cookie') ?? '')
    .split(';')
    .filter((pair) => only === undefined || pair.split('=')[0]?.trim().endsWith(only))
  if (cookies.length > 0) headers.set('cookie', cookies.join(';'))
  return headers
}

export function passCookies(c: HonoContext<Env>, headers: Headers | null | undefined): void {
  for (const line of headers?.getSetCookie() ?? []) c.header('Set-Cookie', line, { append: true })
}
