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
  /** Undefined without https, or when its date cannot be read. */
  certificate: { validUntil: Date; problem: string | undefined } | undefined
  /** The response of the same host to plain HTTP; undefined without a response. */
  plain: { status: number; location: string | undefined } | undefined
  securityTxt: { status: number; text: string } | undefined
  /** The response at `siteMarkPath`, also behind redirects; undefined without a response. */
  mark: { status: number; text: string } | undefined
  /** Whether the server accepts TLS 1.0 or 1.1, which browsers do not use any more. */
  acceptsOldTls: boolean
  /** Whether its name has an IPv6 address, and answers there; `found`: this machine has no IPv6 to try it by. */
  ipv6: 'none' | 'found' | 'answers' | 'silent'
}

/** `private`: the name resolves to a private network, to which no request is sent. */
export type SiteProbe = ProbedSite | 'private' | 'unreachable'

const defaultTimeoutMs = 5_000
const bodyBytesMax = 10_000
const maxRedirects = 3
/** OpenSSL offers these versions at its lowest security level alone. */
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
  const asking = () => ({
    isPublic,
    lookup: publicLookup(isPublic, resolve),
    signal: AbortSignal.timeout(timeoutMs),
    ca,
  })
  const at = new URL(origin)
  try {
    const first = await ask(at, asking())
    // A first answer that came late leaves the others as much time.
    const how: Asking = asking()
    const optional = <T>(work: Promise<T>) => work.catch(() => undefined)
    const plainUrl = new URL(at)
    plainUrl.protocol = 'http:'
    plainUrl.port = String(plainPort)
    const secure = at.protocol === 'https:'
    const markUrl = new URL(siteMarkPath, at)
    const [plain, mark, old, ipv6, securityTxt] = await Promise.all([
      secure ? optional(ask(plainUrl, how)) : undefined,
      optional(askMark(markUrl, how)),
      secure ? optional(ask(markUrl, { ...how, ...oldTls })) : undefined,
      probeIpv6(hostOf(at), resolve, isPublic, () => ask(markUrl, { ...how, family: 6 })),
      optional(ask(new URL('/.well-known/security.txt', at), { ...how, withBody: true })),
    ])
    return {
      status: first.status,
      headers: first.headers,
      certificate: first.certificate,
      plain: plain && { status: plain.status, location: plain.headers.location },
      securityTxt: securityTxt && { status: securityTxt.status, text: securityTxt.body },
      mark: mark && { status: mark.status, text: mark.body },
      acceptsOldTls: old !== undefined,
      ipv6,
    }
  } catch (error) {
    return error instanceof PrivateAddressError ? 'private' : 'unreachable'
  }
}

interface Asking {
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

interface Answer {
  status: number
  headers: Record<string, string | undefined>
  certificate: ProbedSite['certificate']
  body: string
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** An address may lead to another form of itself, such as one with `www`. */
async function askMark(url: URL, how: Asking): Promise<Answer> {
  for (let at = url, step = 0; ; step++) {
    const answer = await ask(at, { ...how, withBody: true })
    const { location } = answer.headers
    const next = answer.status >= 300 && answer.status < 400 && location ? URL.parse(location, at) : null
    if (!next || step === maxRedirects || !/^https?:$/.test(next.protocol)) return answer
    at = next
  }
}

async function ask(url: URL, { isPublic, ca, withBody = false, ...options }: Asking): Promise<Answer> {
  const host = hostOf(url)
  // Node does not call `lookup` for a literal IP address, so it is checked here.
  if (/^[\d.]+$|:/.test(host) && !isPublic(host)) throw new PrivateAddressError()
  const secure = url.protocol === 'https:'
  const headers = { 'user-agent': 'Etalage health check', accept: '*/*' }
  return new Promise((resolve, reject) => {
    const how = {
      ...options,
      headers,
      agent: false,
      ...(secure && { rejectUnauthorized: false, ...(ca !== undefined && { ca }) }),
    }
    const sent = (secure ? requestHttps : requestHttp)(url, how, (response) => {
      const { statusCode: status = 0, socket } = response
      const certificate = secure ? certificateOf(socket as TLSSocket) : undefined
      const finish = (body: string) => {
        resolve({ status, headers: headersOf(response), certificate, body })
        sent.destroy()
      }
      if (!withBody) return finish('')
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > bodyBytesMax) finish(Buffer.concat(parts).toString())
      })
      response.on('end', () => finish(Buffer.concat(parts).toString()))
      response.on('error', reject)
    })
    sent.on('error', reject).end()
  })
}

function certificateOf(socket: TLSSocket): ProbedSite['certificate'] {
  const problem = socket.authorized ? undefined : String(socket.authorizationError)
  const validUntil = new Date(socket.getPeerCertificate().valid_to)
  return Number.isNaN(validUntil.getTime()) ? undefined : { validUntil, problem }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

/** @param ask requests the site by IPv6 */
async function probeIpv6(
  host: string,
  resolve: typeof lookUp,
  isPublic: (address: string) => boolean,
  ask: () => Promise<Answer>,
): Promise<ProbedSite['ipv6']> {
  const hasAddress = await new Promise<boolean>((done) => {
    resolve(host, { family: 6, all: true }, (error, found) => done(!error && found.some(({ family }) => family === 6)))
  })
  if (!hasAddress) return 'none'
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  if (!own.some(({ family, address }) => family === 'IPv6' && isPublic(address))) return 'found'
  return ask().then(
    () => 'answers',
    () => 'silent',
  )
}
