import { Hono } from 'hono'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath, splitLocale } from '../../contract/locales.ts'
import type { Env } from '../../http/env.ts'
import { finishProviderSignIn, startProviderSignIn } from '../../http/provider-sign-in.ts'
import { oidcCallbackPath } from '../../platform/auth/paths.ts'
import { chooseLocale } from '../choose-locale.ts'
import { confirmNewEmail } from './confirm-email.tsx'
import { forgotten } from './forgotten.tsx'
import { loginUrlWithNotice, signInTarget } from './form.tsx'
import { login } from './login.tsx'
import { logout } from './logout.tsx'
import { localizedPaths, type SignInRoute } from './page.tsx'
import { password } from './password.tsx'
import { secondStep } from './second-step.tsx'
import { setup } from './setup.tsx'

const routes: SignInRoute[] = [login, secondStep, logout, forgotten, password, setup, confirmNewEmail]

/** Whether a path is a sign-in page, in any language. */
export const isSignInPage = (address: string): boolean => routes.some(({ path }) => path === splitLocale(address).path)

/** The pages for signing in and out. They work without JavaScript. */
export function signInRoutes() {
  const pages = new Hono<Env>()
  for (const { path, get: handleGet, post: handlePost } of routes) {
    for (const address of localizedPaths(path)) {
      const offered = (site: { locales: readonly string[] }) => site.locales.includes(splitLocale(address).locale)
      pages.get(address, (c, next) =>
        offered(c.var.ctx.site) ? (chooseLocale(c, (one) => localizedPath(path, one)) ?? handleGet(c)) : next(),
      )
      if (handlePost) pages.post(address, (c, next) => (offered(c.var.ctx.site) ? handlePost(c) : next()))
      pages.all(address, (c, next) => {
        if (!offered(c.var.ctx.site)) return next()
        throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD', ...(handlePost ? ['POST'] : [])] })
      })
    }
  }
  return pages.route('/', providerRoutes())
}

const dutch = 'nl'

/** Sign-in through an external identity provider, and its callback. */
const providerRoutes = () =>
  new Hono<Env>()
    .get('/login/oidc', async (c) => {
      c.header('Cache-Control', 'private, no-store')
      const target = signInTarget(c.req.query('redirect'))
      // Other sites may link to the sign-in page, but not start the sign-in.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/login', 303)
      return c.redirect((await startProviderSignIn(c, target)) ?? loginUrlWithNotice('stil', dutch), 303)
    })
    .get(oidcCallbackPath, async (c) => {
      c.header('Cache-Control', 'private, no-store')
      c.header('Referrer-Policy', 'no-referrer')
      const end = await finishProviderSignIn(c)
      if (end === 'unavailable') return c.redirect(loginUrlWithNotice('stil', dutch), 303)
      if (end === 'refused') return c.redirect(loginUrlWithNotice('geweigerd', dutch), 303)
      return c.redirect(end.secondStep ? end.target : signInTarget(end.target), 303)
    })
