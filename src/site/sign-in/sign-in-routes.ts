import { Hono, type Context as HonoContext } from 'hono'
import { urlParameters } from '../../contract/collections.ts'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath, rootLocaleOf, signInLanguages, splitLocale } from '../../contract/locales.ts'
import { countSignInStart } from '../../domain/sign-in/limit-attempts.ts'
import { authHeaders, callAuth, forwardCookies } from '../../http/auth-call.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import { completeSignIn } from '../../http/sign-in.ts'
import { oidcCallbackPath, oidcProvider, secondStepPath } from '../../platform/auth/paths.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { chooseLocale, signInLocale } from '../choose-locale.ts'
import { loginUrlWithNotice, signInTarget } from './form.tsx'
import { login, logout, secondStep } from './login.tsx'
import type { SignInRoute } from './page.tsx'
import { confirmNewEmail, forgotten, password, setup } from './password.tsx'
import { isSignInPage } from './sign-in-paths.ts'

const routes: SignInRoute[] = [login, secondStep, logout, forgotten, password, setup, confirmNewEmail]

/** The pages for signing in and out. They work without JavaScript. */
export function signInRoutes() {
  const pages = new Hono<Env>()
  for (const { path, get: handleGet, post: handlePost } of routes) {
    for (const address of [path, `/:prefix${path}`]) {
      const offered = (c: HonoContext<Env>) => isSignInPage(c.var.ctx.site, c.req.path)
      pages.get(address, (c, next) => {
        if (!offered(c)) return next()
        const { site } = c.var.ctx
        const offeredLanguages = signInLanguages(site)
        const asked = splitLocale(c.req.path, offeredLanguages).locale
        const { searchParams } = new URL(c.req.url)
        // Without a prefix the address names no language, unless one was just chosen.
        const locale = c.req.path === path && !searchParams.has(urlParameters.locale) ? signInLocale(c) : asked
        const own = localizedPath(path, locale, site)
        // With the prefix of the language at the root: a link in an email may be from before it stood there.
        if (own !== c.req.path) {
          // The root may change back, and the query may have the token of a link in an email.
          c.header('Cache-Control', 'private, no-store')
          return c.redirect(own + new URL(c.req.url).search, 302)
        }
        return chooseLocale(c, (one) => localizedPath(path, one, site), offeredLanguages.locales) ?? handleGet(c)
      })
      if (handlePost) pages.post(address, (c, next) => (offered(c) ? handlePost(c) : next()))
      pages.all(address, (c, next) => {
        if (!offered(c)) return next()
        throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD', ...(handlePost ? ['POST'] : [])] })
      })
    }
  }
  return pages.route('/', providerRoutes())
}

/** Sign-in through an external identity provider, and its callback. */
const providerRoutes = () =>
  new Hono<Env>()
    .get('/login/oidc', async (c) => {
      const { site } = c.var.ctx
      c.header('Cache-Control', 'private, no-store')
      const target = signInTarget(c.req.query('redirect'))
      // Other sites may link to the sign-in page, but not start the sign-in.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/login', 303)
      return c.redirect(
        (await startProviderSignIn(c, target)) ?? loginUrlWithNotice('stil', rootLocaleOf(site), site),
        303,
      )
    })
    .get(oidcCallbackPath, async (c) => {
      const { site } = c.var.ctx
      c.header('Cache-Control', 'private, no-store')
      c.header('Referrer-Policy', 'no-referrer')
      const end = await finishProviderSignIn(c)
      if (end === 'unavailable') return c.redirect(loginUrlWithNotice('stil', rootLocaleOf(site), site), 303)
      if (end === 'refused') return c.redirect(loginUrlWithNotice('geweigerd', rootLocaleOf(site), site), 303)
      return c.redirect(end.secondStep ? end.target : signInTarget(end.target), 303)
    })

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
async function startProviderSignIn(c: HonoContext<Env>, target: string): Promise<string | undefined> {
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
async function finishProviderSignIn(
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
