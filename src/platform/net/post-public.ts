import { lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, publicLookup } from './check-url.ts'

const timeoutMs = 8_000

/**
 * Posts JSON to a public URL. It follows no redirects, connects to no private addresses, and does not read the body of
 * the response.
 * @param options.ports the allowed ports; '' is the default port of the protocol
 * @returns whether the status is 2xx; it never throws
 */
export async function postPublic(
  url: string,
  body: object,
  options: { isPublic?: (address: string) => boolean; ports?: readonly string[]; resolve?: typeof lookUp } = {},
): Promise<boolean> {
  const { isPublic = isPublicAddress, ports = [''], resolve = lookUp } = options
  const target = URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol) || !ports.includes(target.port)) return false
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host) && !isPublic(host)) return false
  const text = JSON.stringify(body)
  return new Promise((done) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(
      target,
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
        request.destroy()
      },
    )
    request.on('error', () => done(false)).end(text)
  })
}
