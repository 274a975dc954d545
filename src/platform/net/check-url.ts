import { lookup as dnsLookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The result of requesting a URL. `dead`: the page or the site does not exist; `unclear`: an error that may be
 * temporary; `refused`: not requested, because it leads to a private address or has a port, a user name or a password.
 */
type UrlOutcome = 'alive' | 'dead' | 'unclear' | 'refused'

const timeoutMs = 8_000
const maxRedirects = 5

/**
 * Sends a HEAD request, following redirects. Connects only to the public IP addresses that the check itself resolved, which
 * prevents DNS rebinding. The body is not read.
 * @param options.isPublic whether an IP address may be connected to
 * @param options.ports the allowed ports; '' is the default port of the protocol
 */
export async function checkUrl(
  url: string,
  options: { isPublic?: (address: string) => boolean; ports?: readonly string[]; resolve?: typeof dnsLookup } = {},
): Promise<{ outcome: UrlOutcome; status?: number }> {
  const { isPublic = isPublicAddress, ports = [''], resolve = dnsLookup } = options
  const signal = AbortSignal.timeout(timeoutMs)
  let current = URL.parse(url)
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (!current || !/^https?:$/.test(current.protocol)) return { outcome: 'dead' }
      // The URL parser has normalised other ways to write an IP address, such as 0x7f.1.
      const host = current.hostname.replace(/^\[|\]$/g, '')
      const isRefused = (ipaddr.isValid(host) && !isPublic(host)) || current.username !== '' || current.password !== ''
      if (isRefused || !ports.includes(current.port)) return { outcome: 'refused' }
      const { status, location } = await requestHead(current, { signal, lookup: publicLookup(isPublic, resolve) })
      if (status < 300 || status >= 400 || location === undefined) return { outcome: outcomeOf(status), status }
      current = URL.parse(location, current)
    }
    return { outcome: 'dead' }
  } catch (error) {
    if (error instanceof PrivateAddressError) return { outcome: 'refused' }
    const { code } = error as NodeJS.ErrnoException
    return { outcome: code === 'ENOTFOUND' || code === 'ECONNREFUSED' ? 'dead' : 'unclear' }
  }
}

/** A site that blocks bots or is overloaded does not make a link dead. */
function outcomeOf(status: number): UrlOutcome {
  if (status === 404 || status === 410) return 'dead'
  return status < 400 ? 'alive' : 'unclear'
}

/** Thrown when a hostname resolves to an address that is not public. */
export class PrivateAddressError extends Error {}

/** Whether an IP address belongs to the public internet: not private, loopback or reserved. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/** Resolves a hostname as Node does, and fails when one of its addresses is not public. */
export const publicLookup =
  (isPublic: (address: string) => boolean, resolve: typeof dnsLookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isPublic(address)))
        return callback(new PrivateAddressError(), '', 0)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

/** Sends HEAD, and then GET if the status is one that some servers only return for HEAD. */
async function requestHead(
  url: URL,
  options: { signal: AbortSignal; lookup: LookupFunction },
): Promise<{ status: number; location: string | undefined }> {
  const head = await sendRequest(url, { ...options, method: 'HEAD' })
  return [400, 403, 404, 405, 410, 501].includes(head.status) ? sendRequest(url, { ...options, method: 'GET' }) : head
}

/** Sends a request, and closes the connection after the headers of the response. */
function sendRequest(url: URL, options: RequestOptions): Promise<{ status: number; location: string | undefined }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { 'user-agent': 'Etalage link check', accept: '*/*' }
  return new Promise((resolve, reject) => {
    const sentRequest = request(
      url,
      { ...options, headers, agent: false },
      ({ statusCode = 0, headers }: IncomingMessage) => {
        resolve({ status: statusCode, location: headers.location })
        sentRequest.destroy()
      },
    )
    sentRequest.on('error', reject).end()
  })
}
