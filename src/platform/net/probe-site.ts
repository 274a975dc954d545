import { lookup as lookUp } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { networkInterfaces } from 'node:os'
import type { TLSSocket } from 'node:tls'
import { siteMarkPath } from '../config/secret.ts'
import { isPublicAddress, PrivateAddressError, publicLookup } from './check-url.ts'

/** The response of a site at its public URL. */
export interface ProbedSite {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  /** Undefined without https, or when the date of the certificate cannot be read. */
  certificate: { validUntil: Date; problem: string | undefined } | undefined
  /** The response of the host to plain HTTP; undefined without a response, or when the site itself uses HTTP. */
  plain: { status: number; location: string | undefined } | undefined
  securityTxt: { status: number; text: string } | undefined
  /** The response at `siteMarkPath`, after redirects; undefined without a response. */
  mark: { status: number; text: string } | undefined
  /** Whether the server accepts TLS 1.0 or 1.1, which browsers do not use any more. */
  acceptsOldTls: boolean
  /** Whether the host has an IPv6 address and answers there; `found`: this machine has no IPv6 to test the address. */
  ipv6: 'none' | 'found' | 'answers' | 'silent'
}

/** `private`: the host resolves to a private network, to which no request is sent. */
export type SiteProbe = ProbedSite | 'private' | 'unreachable'

const defaultTimeoutMs = 5_000
const maxBodyBytes = 10_000
const maxRedirects = 3
/** OpenSSL only offers these versions at its lowest security level. */
const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const

export interface ProbeOptions {
  isPublic?: (address: string) => boolean
  resolve?: typeof lookUp
  /** The port for plain HTTP; by default 80. */
  plainPort?: number
  /** The CA certificates to trust instead of the default ones. */
  ca?: string
  /** How long each group of requests may take; by default five seconds. */
  timeoutMs?: number
}

/**
 * Requests a site as the public sees it, within time limits and only at public IP addresses. Invalid certificates are
 * accepted, because they are only reported and nothing secret is sent.
 */
export async function probeSite(origin: string, options: ProbeOptions = {}): Promise<SiteProbe> {
  const { isPublic = isPublicAddress, resolve = lookUp, plainPort = 80, ca, timeoutMs = defaultTimeoutMs } = options
  const createOptions = (): ProbeSettings => ({
    isPublic,
    lookup: publicLookup(isPublic, resolve),
    signal: AbortSignal.timeout(timeoutMs),
    ca,
  })
  const siteUrl = new URL(origin)
  try {
    const home = await send(siteUrl, createOptions())
    // New options: the time limit of the other requests starts now.
    const settings = createOptions()
    const optional = <T>(work: Promise<T>) => work.catch(() => undefined)
    const plainUrl = new URL(siteUrl)
    plainUrl.protocol = 'http:'
    plainUrl.port = String(plainPort)
    const isSecure = siteUrl.protocol === 'https:'
    const markUrl = new URL(siteMarkPath, siteUrl)
    const [plain, mark, oldTlsResponse, ipv6, securityTxt] = await Promise.all([
      isSecure ? optional(send(plainUrl, settings)) : undefined,
      optional(requestMark(markUrl, settings)),
      isSecure ? optional(send(markUrl, { ...settings, ...oldTls })) : undefined,
      probeIpv6(hostOf(siteUrl), resolve, isPublic, () => send(markUrl, { ...settings, family: 6 })),
      optional(send(new URL('/.well-known/security.txt', siteUrl), { ...settings, withBody: true })),
    ])
    return {
      status: home.status,
      headers: home.headers,
      certificate: home.certificate,
      plain: plain && { status: plain.status, location: plain.headers.location },
      securityTxt: securityTxt && { status: securityTxt.status, text: securityTxt.body },
      mark: mark && { status: mark.status, text: mark.body },
      acceptsOldTls: oldTlsResponse !== undefined,
      ipv6,
    }
  } catch (error) {
    return error instanceof PrivateAddressError ? 'private' : 'unreachable'
  }
}

interface ProbeSettings {
  isPublic: (address: string) => boolean
  lookup: ReturnType<typeof publicLookup>
  signal: AbortSignal
  ca: string | undefined
  withBody?: boolean
  family?: 6
  minVersion?: 'TLSv1'
  maxVersion?: 'TLSv1.1'
  ciphers?: string
}

interface ProbeResponse {
  status: number
  headers: Record<string, string | undefined>
  certificate: ProbedSite['certificate']
  body: string
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Requests the mark of the site. Follows redirects, for example from the host with `www` to the one without. */
async function requestMark(url: URL, settings: ProbeSettings): Promise<ProbeResponse> {
  for (let current = url, redirects = 0; ; redirects++) {
    const response = await send(current, { ...settings, withBody: true })
    const { location } = response.headers
    const isRedirect = response.status >= 300 && response.status < 400
    const next = isRedirect && location ? URL.parse(location, current) : null
    if (!next || redirects === maxRedirects || !/^https?:$/.test(next.protocol)) return response
    current = next
  }
}

/** @throws {PrivateAddressError} for a host that is not public */
async function send(url: URL, { isPublic, ca, withBody = false, ...options }: ProbeSettings): Promise<ProbeResponse> {
  const host = hostOf(url)
  // Node does not call `lookup` for a literal IP address, so it is checked here.
  if (/^[\d.]+$|:/.test(host) && !isPublic(host)) throw new PrivateAddressError()
  const isSecure = url.protocol === 'https:'
  const headers = { 'user-agent': 'Etalage health check', accept: '*/*' }
  return new Promise((resolve, reject) => {
    const requestOptions = {
      ...options,
      headers,
      agent: false,
      ...(isSecure && { rejectUnauthorized: false, ...(ca !== undefined && { ca }) }),
    }
    const request = (isSecure ? requestHttps : requestHttp)(url, requestOptions, (response) => {
      const { statusCode: status = 0, socket } = response
      const certificate = isSecure ? certificateOf(socket as TLSSocket) : undefined
      const finish = (body: string) => {
        resolve({ status, headers: headersOf(response), certificate, body })
        request.destroy()
      }
      if (!withBody) return finish('')
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBodyBytes) finish(Buffer.concat(chunks).toString())
      })
      response.on('end', () => finish(Buffer.concat(chunks).toString()))
      response.on('error', reject)
    })
    request.on('error', reject).end()
  })
}

function certificateOf(socket: TLSSocket): ProbedSite['certificate'] {
  const problem = socket.authorized ? undefined : String(socket.authorizationError)
  const validUntil = new Date(socket.getPeerCertificate().valid_to)
  return Number.isNaN(validUntil.getTime()) ? undefined : { validUntil, problem }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

/** @param requestByIpv6 requests the site by IPv6 */
async function probeIpv6(
  host: string,
  resolve: typeof lookUp,
  isPublic: (address: string) => boolean,
  requestByIpv6: () => Promise<ProbeResponse>,
): Promise<ProbedSite['ipv6']> {
  const hasAddress = await new Promise<boolean>((done) => {
    resolve(host, { family: 6, all: true }, (error, addresses) =>
      done(!error && addresses.some(({ family }) => family === 6)),
    )
  })
  if (!hasAddress) return 'none'
  const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  if (!ownAddresses.some(({ family, address }) => family === 'IPv6' && isPublic(address))) return 'found'
  return requestByIpv6().then(
    () => 'answers',
    () => 'silent',
  )
}
