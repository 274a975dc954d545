import { lookup as lookUp } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { isPublicAddress, PrivateAddress, publicLookup } from './check-url.ts'

/** The response of a site at its public URL. */
export interface ProbedSite {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  /** Undefined without https, or when its date cannot be read. */
  certificate: { validUntil: Date; problem: string | undefined } | undefined
  /** The response of the same host to plain HTTP; undefined without a response. */
  plain: { status: number; location: string | undefined } | undefined
  securityTxt: { status: number; text: string } | undefined
  /** Whether its name has an IPv6 address. */
  ipv6: boolean
}

/** `private`: the name resolves to a private network, to which no request is sent. */
export type SiteProbe = ProbedSite | 'private' | 'unreachable'

const timeoutMs = 5_000
const bodyBytesMax = 10_000

export interface ProbeOptions {
  isPublic?: (address: string) => boolean
  resolve?: typeof lookUp
  /** The port for plain HTTP; by default 80. */
  plainPort?: number
  /** The CA certificates to trust instead of the default ones. */
  ca?: string
}

/**
 * Requests a site as the public sees it, within a time limit and only at public IP addresses. Invalid certificates are
 * accepted, because they are only reported and nothing secret is sent.
 */
export async function probeSite(origin: string, options: ProbeOptions = {}): Promise<SiteProbe> {
  const { isPublic = isPublicAddress, resolve = lookUp, plainPort = 80, ca } = options
  const how: Asking = { lookup: publicLookup(isPublic, resolve), signal: AbortSignal.timeout(timeoutMs), ca }
  const at = new URL(origin)
  const host = at.hostname.replace(/^\[|\]$/g, '')
  // Node does not call `lookup` for a literal IP address, so it is checked here.
  if (/^[\d.]+$|:/.test(host) && !isPublic(host)) return 'private'
  try {
    const first = await ask(at, how)
    const optional = <T>(work: Promise<T>) => work.catch(() => undefined)
    const plainUrl = new URL(at)
    plainUrl.protocol = 'http:'
    plainUrl.port = String(plainPort)
    const [plain, securityTxt, ipv6] = await Promise.all([
      at.protocol === 'https:' ? optional(ask(plainUrl, how)) : undefined,
      optional(ask(new URL('/.well-known/security.txt', at), { ...how, withBody: true })),
      hasIpv6(host, resolve),
    ])
    return {
      status: first.status,
      headers: first.headers,
      certificate: first.certificate,
      plain: plain && { status: plain.status, location: plain.headers.location },
      securityTxt: securityTxt && { status: securityTxt.status, text: securityTxt.body },
      ipv6,
    }
  } catch (error) {
    return error instanceof PrivateAddress ? 'private' : 'unreachable'
  }
}

interface Asking {
  lookup: ReturnType<typeof publicLookup>
  signal: AbortSignal
  ca: string | undefined
  withBody?: boolean
}

interface Answer {
  status: number
  headers: Record<string, string | undefined>
  certificate: ProbedSite['certificate']
  body: string
}

function ask(url: URL, { lookup, signal, ca, withBody = false }: Asking): Promise<Answer> {
  const secure = url.protocol === 'https:'
  const headers = { 'user-agent': 'Etalage health check', accept: '*/*' }
  return new Promise((resolve, reject) => {
    const how = {
      lookup,
      signal,
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

function hasIpv6(host: string, resolve: typeof lookUp): Promise<boolean> {
  return new Promise((done) => {
    resolve(host, { family: 6, all: true }, (error, found) => done(!error && found.some(({ family }) => family === 6)))
  })
}
