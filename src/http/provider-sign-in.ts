import type { Context as HonoContext } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { countBeginning } from '../domain/sign-in/limit-attempts.ts'
import { oidcProvider, secondStepPath } from '../platform/auth/paths.ts'
import { callAuth, handedOn, passCookies } from './auth-call.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { Env } from './env.ts'
import { placeOf } from './place.ts'

/** Where Better Auth leads who is refused; no target is there. */
const refusedPath = '/login'

/** The provider may take so long to answer us; its own screens take the time that people take. */
const patienceMs = 10_000

/**
 * Begins a sign-in by the identity provider.
 * @param target where to go afterwards, a path of this site
 * @returns the provider's address; undefined while it does not answer
 * @throws {Refusal} `not_found` when none is set, `too_many`
 */
export async function beginByProvider(c: HonoContext<Env>, target: string): Promise<string | undefined> {
  const { ctx } = c.var
  if (!ctx.provider) throw new Refusal('not_found')
  await countBeginning(ctx, placeOf(c))
  try {
    const auth = await inTime(ctx.provider.auth())
    const body = { provider: oidcProvider, callbackURL: target, errorCallbackURL: refusedPath, disableRedirect: true }
    const { url } = await callAuth(c, auth, (auth, headers) =>
      auth.api.signInSocial({ body, headers, returnHeaders: true }),
    )
    return url ?? undefined
  } catch (error) {
    ctx.log.warn({ err: error }, 'the identity provider could not be asked')
    return undefined
  }
}

/**
 * Ends it, with what the provider's answer brought along.
 * @returns where to go; or why not: the provider did not answer in time, or somebody is not let in, whatever the reason
 */
export async function endByProvider(
  c: HonoContext<Env>,
): Promise<{ target: string; secondStep: boolean } | 'silent' | 'refused'> {
  const { ctx } = c.var
  if (!ctx.provider) throw new Refusal('not_found')
  let response: Response
  try {
    const auth = await inTime(ctx.provider.auth())
    response = await inTime(
      auth.api.callbackOAuth({
        params: { id: oidcProvider },
        query: c.req.query(),
        method: 'GET',
        headers: handedOn(c),
        asResponse: true,
      }),
    )
  } catch (error) {
    ctx.log.warn({ err: error }, 'the identity provider could not be asked')
    return 'silent'
  }
  const location = URL.parse(response.headers.get('location') ?? '', ctx.reached)
  if (!location || location.pathname === refusedPath) {
    passCookies(c, response.headers)
    return 'refused'
  }
  const { secondStep } = await completeSignIn(c, response.headers)
  if (secondStep && location.pathname !== secondStepPath) return 'refused'
  return { target: location.pathname + location.search + location.hash, secondStep }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the identity provider does not answer')), patienceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
