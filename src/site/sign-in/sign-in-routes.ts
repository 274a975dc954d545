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
import { login, logout, secondStep } from './login.tsx'
import { loginUrlWithNotice } from './login-notices.ts'
import type { SignInRoute } from './page.tsx'
import { confirmNewEmail, forgotten, password, setup } from './password.tsx'
import { signInTarget } from './redirect-targets.ts'
import { isSignInPage } from './sign-in-paths.ts'

const signInPages: SignInRoute[] = [login, secondStep, logout, forgotten, password, setup, confirmNewEmail]

/** Creates the routes of the pages for signing in and out. They work without JavaScript. */
export function signInRoutes() {
  const routes = new Hono<Env>()
  for (const { path, get: handleGet, post: handlePost } of signInPages) {
    for (const pattern of [path, `/:prefix${path}`]) {
      // The prefix may be that of no language.
      const isPage = (c: HonoContext<Env>) => isSignInPage(c.var.ctx.site, c.req.path)
      routes.get(pattern, (c, next) => {
        if (!isPage(c)) return next()
        const { site } = c.var.ctx
        const languages = signInLanguages(site)
        const pathLocale = splitLocale(c.req.path, languages).locale
        const { searchParams, search } = new URL(c.req.url)
        // A path without a prefix says no language, unless the language switch leads there.
        const locale = c.req.path === path && !searchParams.has(urlParameters.locale) ? signInLocale(c) : pathLocale
        const canonicalPath = localizedPath(path, locale, site)
        // A link in an email may have a prefix from before its language got the root.
        if (canonicalPath !== c.req.path) {
          // The root may change back, and the query may have the token of a link in an email.
          c.header('Cache-Control', 'private, no-store')
          return c.redirect(canonicalPath + search, 302)
        }
        return chooseLocale(c, (target) => localizedPath(path, target, site), languages.locales) ?? handleGet(c)
      })
      if (handlePost) routes.post(pattern, (c, next) => (isPage(c) ? handlePost(c) : next()))
      routes.all(pattern, (c, next) => {
        if (!isPage(c)) return next()
        throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD', ...(handlePost ? ['POST'] : [])] })
      })
    }
  }
  return routes.route('/', providerRoutes())
}

/** Creates the routes that start the sign-in with an external identity provider, and that finish it. */
const providerRoutes = () =>
  new Hono<Env>()
    .get('/login/oidc', async (c) => {
      const { site } = c.var.ctx
      c.header('Cache-Control', 'private, no-store')
      const target = signInTarget(c.req.query('redirect'))
      // Other sites may link to the sign-in page, but not start the sign-in.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/login', 303)
      const providerUrl = await startProviderSignIn(c, target)
      return c.redirect(providerUrl ?? loginUrlWithNotice('stil', rootLocaleOf(site), site), 303)
    })
    .get(oidcCallbackPath, async (c) => {
      const { site } = c.var.ctx
      c.header('Cache-Control', 'private, no-store')
      c.header('Referrer-Policy', 'no-referrer')
      const result = await finishProviderSignIn(c)
      if (result === 'unavailable') return c.redirect(loginUrlWithNotice('stil', rootLocaleOf(site), site), 303)
      if (result === 'refused') return c.redirect(loginUrlWithNotice('geweigerd', rootLocaleOf(site), site), 303)
      // The page of the second step is no valid target of `signInTarget`.
      return c.redirect(result.secondStep ? result.target : signInTarget(result.target), 303)
    })

/** Better Auth redirects here when it refuses the sign-in. It cannot be the target: `signInTarget` excludes it. */
const refusedPath = '/login'

/** A limit on the requests to the provider, not on the time a person spends at its screens. */
const timeoutMs = 10_000

/**
 * Starts a sign-in with the identity provider.
 * @param target the path on this site to redirect to afterwards
 * @returns the URL at the provider; undefined when the request to the provider failed or timed out
 * @throws {Refusal} `not_found` when none is configured, `too_many`
 */
async function startProviderSignIn(c: HonoContext<Env>, target: string): Promise<string | undefined> {
  const { ctx } = c.var
  if (!ctx.provider) throw new Refusal('not_found')
  await countSignInStart(ctx, clientOrigin(c))
  try {
    const auth = await withTimeout(ctx.provider.auth(), timeoutMs)
    const body = {
      provider: oidcProvider,
      callbackURL: target,
      errorCallbackURL: refusedPath,
      disableRedirect: true,
      // Who signs in again confirms a risky action, which the provider's own session must not do silently.
      ...(ctx.actor && { additionalParams: { prompt: 'login' } }),
    }
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
 * Finishes the sign-in at the callback of the provider, and sets the cookies.
 * @returns the path to redirect to, and whether that is the second step; `unavailable` when a request to the provider
 * failed or timed out; `refused` for any other reason
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
