import { lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, publicLookup } from './check-url.ts'

const timeoutMs = 8_000

/**
 * Posts JSON to a public web address. Redirects are not followed, private addresses not connected to, and nothing of the
 * answer is read.
 * @returns whether the answer was a success; it never throws
 */
export async function postPublic(
  url: string,
  body: object,
  options: { isPublic?: (address: string) => boolean; ports?: readonly string[]; resolve?: typeof lookUp } = {},
): Promise<boolean> {
  const { isPublic = isPublicAddress, ports = [''], resolve = lookUp } = options
  const at = URL.parse(url)
  if (!at || !/^https?:$/.test(at.protocol) || !ports.includes(at.port)) return false
  const host = at.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host) && !isPublic(host)) return false
  const text = JSON.stringify(body)
  return new Promise((done) => {
    const sent = (at.protocol === 'https:' ? requestHttps : requestHttp)(
      at,
      {
        method: 'POST',
        headers: {
          'user-agent': 'Etalage',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: publicLookup(isPublic, resolve),
      },
      ({ statusCode = 0 }) => {
        done(statusCode >= 200 && statusCode < 300)
        sent.destroy()
      },
    )
    sent.on('error', () => done(false)).end(text)
  })
}
