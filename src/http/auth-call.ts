import type { Context as HonoContext } from 'hono'
import type { Auth } from '../platform/auth/auth.ts'
import type { Env } from './env.ts'

/** An error of Better Auth, with its own code. */
export class AuthError extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, status: number) {
    super(code)
    this.name = 'AuthError'
    this.code = code
    this.status = status
  }
}

type Call<T> = (auth: Auth, headers: Headers) => Promise<{ headers: Headers | null | undefined; response: T }>

/**
 * Calls Better Auth for a request. It receives the cookies, the user agent and the client's address as this program
 * knows it, and nothing else of the request. Its cookies are added to the response, if that is made by a method of `c`.
 * @throws {AuthError}
 */
export async function callAuth<T>(c: HonoContext<Env>, auth: Auth, call: Call<T>): Promise<T> {
  const { headers, response } = await callAuthWithoutCookies(c, auth, call)
  forwardCookies(c, headers)
  return response
}

/**
 * `callAuth` without adding its cookies to the response.
 * @param only the suffix of the one cookie that is passed on; without it, all are
 * @throws {AuthError}
 */
export async function callAuthWithoutCookies<T>(
  c: HonoContext<Env>,
  auth: Auth,
  call: Call<T>,
  only?: string,
): Promise<{ headers: Headers; response: T }> {
  try {
    const { headers, response } = await call(auth, authHeaders(c, only))
    return { headers: headers ?? new Headers(), response }
  } catch (error) {
    if (!isAuthError(error)) throw error
    forwardCookies(c, error.headers ? new Headers(error.headers) : undefined)
    throw new AuthError(String(error.body?.code ?? error.status), error.statusCode)
  }
}

/** Checked by its name: importing the class would load Better Auth at the start. */
const isAuthError = (
  error: unknown,
): error is Error & { status: unknown; statusCode: number; body?: { code?: string }; headers?: HeadersInit } =>
  error instanceof Error && error.name === 'APIError'

export function authHeaders(c: HonoContext<Env>, only?: string): Headers {
  const headers = new Headers({ 'x-etalage-address': c.var.clientAddress })
  const agent = c.req.header('user-agent')
  if (agent) headers.set('user-agent', agent)
  const cookies = (c.req.header('cookie') ?? '')
    .split(';')
    .filter((pair) => only === undefined || pair.split('=')[0]?.trim().endsWith(only))
  if (cookies.length > 0) headers.set('cookie', cookies.join(';'))
  return headers
}

export function forwardCookies(c: HonoContext<Env>, headers: Headers | null | undefined): void {
  for (const line of headers?.getSetCookie() ?? []) c.header('Set-Cookie', line, { append: true })
}
