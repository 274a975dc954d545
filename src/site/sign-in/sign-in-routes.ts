import { Hono, type Context as HonoContext } from 'hono'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath, rootLocaleOf, signInLanguages, splitLocale } from '../../contract/locales.ts'
import type { Env } from '../../http/env.ts'
import { finishProviderSignIn, startProviderSignIn } from '../../http/provider-sign-in.ts'
import { oidcCallbackPath } from '../../platform/auth/paths.ts'
import { chooseLocale, signInLocale } from '../choose-locale.ts'
import { confirmNewEmail } from './confirm-email.tsx'
import { forgotten } from './forgotten.tsx'
import { loginUrlWithNotice, signInTarget } from './form.tsx'
import { login } from './login.tsx'
import { logout } from './logout.tsx'
import type { SignInRoute } from './page.tsx'
import { password } from './password.tsx'
import { secondStep } from './second-step.tsx'
import { setup } from './setup.tsx'
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
        const locale = c.req.path === path && !searchParams.has('locale') ? signInLocale(c) : asked
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
