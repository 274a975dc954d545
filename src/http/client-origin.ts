import { randomBytes } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import ipaddr from 'ipaddr.js'
import { defaultRetention } from '../contract/retention.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import type { ClientOrigin } from '../domain/sign-in/limit-attempts.ts'
import type { Env } from './env.ts'

/** The cookie with the random id of a browser in which somebody signed in before. It grants no access. */
const browserCookie = 'etalage.device'

/** The client's address group and the id of its known browser, by which sign-in attempts are counted. */
export function clientOrigin(c: HonoContext<Env>): ClientOrigin {
  const cookie = getCookie(c, browserCookie)
  return {
    address: addressGroup(c.var.clientAddress),
    browser: cookie && /^[\w-]{43}$/.test(cookie) ? cookie : undefined,
  }
}

/** Sets the cookie of a known browser after a sign-in. @returns the origin, with the id of that browser */
export function setKnownBrowserCookie(c: HonoContext<Env>): ClientOrigin {
  const origin = clientOrigin(c)
  const browser = origin.browser ?? randomBytes(32).toString('base64url')
  setCookie(c, browserCookie, browser, {
    path: '/',
    maxAge: (c.var.ctx.site.retention ?? defaultRetention).signInDays * 86_400,
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.var.ctx.requestOrigin.startsWith('https:'),
  })
  return { ...origin, browser }
}

/** The address of a request without a socket, as in tests. */
const noSocket = '0.0.0.0'

/**
 * The client's address: that of the socket, or behind `proxies` proxies the entry of X-Forwarded-For that the outermost
 * proxy added. Entries further left can be forged by the client.
 */
export function clientAddress(c: HonoContext, proxies: number): string {
  const socket = socketAddress(c)
  if (proxies === 0) return socket
  const entry = (c.req.header('x-forwarded-for') ?? '').split(',').at(-proxies)?.trim() ?? ''
  // Some proxies add the port, and then put IPv6 addresses in brackets.
  const address = entry.match(/^\[(.+)\](?::\d+)?$/)?.[1] ?? entry.match(/^([\d.]+):\d+$/)?.[1] ?? entry
  return isAddress(address) ? address : socket
}

function socketAddress(c: HonoContext): string {
  try {
    return getConnInfo(c).remote.address ?? noSocket
  } catch {
    return noSocket
  }
}

/** ipaddr.js also parses `1` and `0x7f.1`; a proxy writes all four parts. */
const isAddress = (text: string) => ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
