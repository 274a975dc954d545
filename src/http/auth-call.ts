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
 * Calls Better Auth for a request. It only receives the cookies, the user agent and the client's address of
 * `clientAddress`. The cookies that it sets are added to the response, if a method of `c` creates that.
 * @throws {AuthError}
 */
export async function callAuth<T>(c: HonoContext<Env>, auth: Auth, call: Call<T>): Promise<T> {
  const { headers, response } = await callAuthWithoutCookies(c, auth, call)
  forwardCookies(c, headers)
  return response
}

/**
 * `callAuth`, but the cookies that Better Auth sets are only returned, in `headers`; those of an error are still added.
 * @param cookieSuffix only cookies whose name ends with it are passed on; without it, all are
 * @throws {AuthError}
 */
export async function callAuthWithoutCookies<T>(
  c: HonoContext<Env>,
  auth: Auth,
  call: Call<T>,
  cookieSuffix?: string,
): Promise<{ headers: Headers; response: T }> {
  try {
    const { headers, response } = await call(auth, authHeaders(c, cookieSuffix))
    return { headers: headers ?? new Headers(), response }
  } catch (error) {
    if (!isAuthError(error)) throw error
    forwardCookies(c, error.headers ? new Headers(error.headers) : undefined)
    throw new AuthError(String(error.body?.code ?? error.status), error.statusCode)
  }
}

/** Recognised by its name: importing the class would load Better Auth at the start. */
const isAuthError = (
  error: unknown,
): error is Error & { status: unknown; statusCode: number; body?: { code?: string }; headers?: HeadersInit } =>
  error instanceof Error && error.name === 'APIError'

/** The headers of a request that Better Auth receives. @param cookieSuffix see `callAuthWithoutCookies` */
export function authHeaders(c: HonoContext<Env>, cookieSuffix?: string): Headers {
  const headers = new Headers({ 'x-etalage-address': c.var.clientAddress })
  const agent = c.req.header('user-agent')
  if (agent) headers.set('user-agent', agent)
  const cookies = (c.req.header('cookie') ?? '')
    .split(';')
    .filter((pair) => cookieSuffix === undefined || pair.split('=')[0]?.trim().endsWith(cookieSuffix))
  if (cookies.length > 0) headers.set('cookie', cookies.join(';'))
  return headers
}

/** Adds the cookies that Better Auth sets to the response. */
export function forwardCookies(c: HonoContext<Env>, headers: Headers | null | undefined): void {
  for (const setCookie of headers?.getSetCookie() ?? []) c.header('Set-Cookie', setCookie, { append: true })
}
