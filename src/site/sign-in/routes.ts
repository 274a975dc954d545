import { Hono } from 'hono'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath, splitLocale } from '../../contract/locales.ts'
import type { Env } from '../../http/env.ts'
import { chooseLocale } from '../choose-locale.ts'
import { confirmNewEmail } from './confirm-email.tsx'
import type { Entrance } from './entrance.ts'
import { forgotten } from './forgotten.tsx'
import { login } from './login.tsx'
import { logout } from './logout.tsx'
import { inEveryLocale } from './page.tsx'
import { password } from './password.tsx'
import { providerPages } from './provider.ts'
import { secondStep } from './second-step.tsx'
import { setup } from './setup.tsx'

const entrances: Entrance[] = [login, secondStep, logout, forgotten, password, setup, confirmNewEmail]

/** Whether an address is one of those pages, in whichever language. */
export const isSignInPage = (address: string): boolean =>
  entrances.some(({ path }) => path === splitLocale(address).path)

/** The pages on which somebody comes in or goes out. They need no JavaScript. */
export function signInPages() {
  const pages = new Hono<Env>()
  for (const { path, show, take } of entrances) {
    for (const address of inEveryLocale(path)) {
      const offered = (site: { locales: readonly string[] }) => site.locales.includes(splitLocale(address).locale)
      pages.get(address, (c, next) =>
        offered(c.var.ctx.site) ? (chooseLocale(c, (one) => localizedPath(path, one)) ?? show(c)) : next(),
      )
      if (take) pages.post(address, (c, next) => (offered(c.var.ctx.site) ? take(c) : next()))
      pages.all(address, (c, next) => {
        if (!offered(c.var.ctx.site)) return next()
        throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD', ...(take ? ['POST'] : [])] })
      })
    }
  }
  return pages.route('/', providerPages())
}
