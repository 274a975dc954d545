import type { Context as HonoContext } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { countSignInStart } from '../domain/sign-in/limit-attempts.ts'
import { oidcProvider, secondStepPath } from '../platform/auth/paths.ts'
import { withTimeout } from '../platform/with-timeout.ts'
import { authHeaders, callAuth, forwardCookies } from './auth-call.ts'
import { clientOrigin } from './client-origin.ts'
import type { Env } from './env.ts'
import { completeSignIn } from './sign-in.ts'

/** Better Auth redirects here when it refuses; never a valid target. */
const refusedPath = '/login'

/** A limit on the requests to the provider, not on the time a person spends at its screens. */
const timeoutMs = 10_000

/**
 * Starts a sign-in with the identity provider.
 * @param target where to go afterwards, a path of this site
 * @returns the provider's URL; undefined while it does not answer
 * @throws {Refusal} `not_found` when none is configured, `too_many`
 */
export async function startProviderSignIn(c: HonoContext<Env>, target: string): Promise<string | undefined> {
  const { ctx } = c.var
  if (!ctx.provider) throw new Refusal('not_found')
  await countSignInStart(ctx, clientOrigin(c))
  try {
    const auth = await withTimeout(ctx.provider.auth(), timeoutMs)
    const body = { provider: oidcProvider, callbackURL: target, errorCallbackURL: refusedPath, disableRedirect: true }
    const { url } = await callAuth(c, auth, (auth, headers) =>
      auth.api.signInSocial({ body, headers, returnHeaders: true }),
    )
    return url ?? undefined
  } catch (error) {
    ctx.log.warn({ err: error }, 'a request to the identity provider failed')
    return undefined
  }
}

/**
 * Finishes the sign-in with the provider's callback.
 * @returns where to go; or that a request to the provider failed or timed out; or that the sign-in is refused, whatever
 * the reason
 */
export async function finishProviderSignIn(
  c: HonoContext<Env>,
): Promise<{ target: string; secondStep: boolean } | 'unavailable' | 'refused'> {
  const { ctx } = c.var
  if (!ctx.provider) throw new Refusal('not_found')
  let response: Response
  try {
    const auth = await withTimeout(ctx.provider.auth(), timeoutMs)
    response = await withTimeout(
      auth.api.callbackOAuth({
        params: { id: oidcProvider },
        query: c.req.query(),
        method: 'GET',
        headers: authHeaders(c),
        asResponse: true,
      }),
      timeoutMs,
    )
  } catch (error) {
    ctx.log.warn({ err: error }, 'a request to the identity provider failed')
    return 'unavailable'
  }
  const location = URL.parse(response.headers.get('location') ?? '', ctx.requestOrigin)
  if (!location || location.pathname === refusedPath) {
    forwardCookies(c, response.headers)
    return 'refused'
  }
  const { secondStep } = await completeSignIn(c, response.headers)
  if (secondStep && location.pathname !== secondStepPath) return 'refused'
  return { target: location.pathname + location.search + location.hash, secondStep }
}
