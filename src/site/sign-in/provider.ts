import { Hono } from 'hono'
import type { Env } from '../../http/env.ts'
import { beginByProvider, endByProvider } from '../../http/provider-sign-in.ts'
import { oidcCallbackPath } from '../../platform/auth/paths.ts'
import { targetOf } from './form.tsx'
import { loginWith } from './notices.ts'

const dutch = 'nl'

/** The way by an external identity provider, and the way back. */
export const providerPages = () =>
  new Hono<Env>()
    .get('/login/oidc', async (c) => {
      c.header('Cache-Control', 'private, no-store')
      const target = targetOf(c.req.query('redirect'))
      // Another site may link to the page with the button, and not press it.
      if (c.req.header('sec-fetch-site') === 'cross-site') return c.redirect('/login', 303)
      return c.redirect((await beginByProvider(c, target)) ?? loginWith('stil', dutch), 303)
    })
    .get(oidcCallbackPath, async (c) => {
      c.header('Cache-Control', 'private, no-store')
      c.header('Referrer-Policy', 'no-referrer')
      const end = await endByProvider(c)
      if (end === 'silent') return c.redirect(loginWith('stil', dutch), 303)
      if (end === 'refused') return c.redirect(loginWith('geweigerd', dutch), 303)
      return c.redirect(end.secondStep ? end.target : targetOf(end.target), 303)
    })
