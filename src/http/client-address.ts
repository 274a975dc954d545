import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'

/** What a request without a socket comes from, as tests send it. */
const noSocket = '0.0.0.0'

/**
 * The address of the client: of the socket, or behind `proxies` proxies the one that the outermost of them saw. What
 * stands further left in X-Forwarded-For a client can write itself, so it is not read.
 */
export function clientAddress(c: Context, proxies: number): string {
  const socket = socketAddress(c)
  if (proxies === 0) return socket
  const seen = (c.req.header('x-forwarded-for') ?? '').split(',').at(-proxies)?.trim() ?? ''
  // Some proxies add the port, and put IPv6 in brackets to do so.
  const address = seen.match(/^\[(.+)\](?::\d+)?$/)?.[1] ?? seen.match(/^([\d.]+):\d+$/)?.[1] ?? seen
  return isAddress(address) ? address : socket
}

function socketAddress(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? noSocket
  } catch {
    return noSocket
  }
}

/** ipaddr.js also reads `1` and `0x7f.1` as addresses; a proxy writes all four parts. */
const isAddress = (text: string) => ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
