import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { limits } from '../contract/limits.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import type { Place } from '../domain/sign-in/limit-attempts.ts'
import type { Env } from './env.ts'

/** A number that a browser keeps once somebody signed in there. It opens nothing. */
const deviceCookie = 'etalage.device'

/** Where a request comes from, as tries to sign in are counted. */
export function placeOf(c: HonoContext<Env>): Place {
  const given = getCookie(c, deviceCookie)
  return { address: addressGroup(c.var.address), device: given && /^[\w-]{43}$/.test(given) ? given : undefined }
}

/** The same for who signed in: from now on the browser can be told from others. */
export function lastingPlace(c: HonoContext<Env>): Place {
  const place = placeOf(c)
  const device = place.device ?? randomBytes(32).toString('base64url')
  setCookie(c, deviceCookie, device, {
    path: '/',
    maxAge: limits.knownPlaceDays * 86_400,
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.var.ctx.reached.startsWith('https:'),
  })
  return { ...place, device }
}
