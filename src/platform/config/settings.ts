import { isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { isOrigin } from '../../contract/url.ts'
import { isCommonPassword } from '../auth/password.ts'
import { parseStorageUrl, storageUrlFormat } from '../storage/s3.ts'

/** All invalid settings, such as `PORT=abc`, in one message. */
export class InvalidSettings extends Error {
  constructor(problems: { name: string; found: string; wanted: string }[], cause?: unknown) {
    super(
      [
        'These settings are wrong:',
        ...problems.map(({ name, found, wanted }) => `  ${name}: found ${found}, wanted ${wanted}`),
      ].join('\n'),
      { cause },
    )
    this.name = 'InvalidSettings'
  }
}

const portNumber = z.coerce.number().int().min(0).max(65_535)
const urlWith = (...schemes: string[]) =>
  z.url().refine((url) => schemes.some((scheme) => url.startsWith(`${scheme}://`)))

const isStorageUrl = (url: string) => {
  try {
    return parseStorageUrl(url) !== undefined
  } catch {
    return false
  }
}

/** Whether a text is an IP address with an optional port, in the format of `setServers` of Node's resolver. */
function isDnsServer(text: string): boolean {
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const validPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
  return isIPv6(text) || (validPort && (isIPv4(ipv4 ?? '') || isIPv6(ipv6 ?? '')))
}

const providerPattern = /^(cloudflare|fastly):([A-Za-z0-9]{1,64})$/
const isPurgeTarget = (text: string) => providerPattern.test(text) || urlWith('https', 'http').safeParse(text).success

const schema = {
  PORT: { read: portNumber.default(3000), wanted: 'a port, 0 to 65535' },
  HOST: { read: z.string().min(1).max(255).optional(), wanted: 'an address or host name to listen on' },
  BASE_URL: {
    read: z
      .string()
      .transform((url) => url.replace(/\/+$/, ''))
      .refine(isOrigin)
      .optional(),
    wanted: 'scheme and host of the address visitors type, like https://www.example.nl',
  },
  DATA_DIR: { read: z.string().min(1).default('data'), wanted: 'a folder' },
  SITE_CONFIG: { read: z.string().min(1).default('site.config.json'), wanted: 'a file' },
  DATABASE_URL: {
    read: urlWith('postgres', 'postgresql').optional(),
    wanted: 'postgres://user:password@host:port/name',
  },
  DATABASE_POOL_SIZE: { read: z.coerce.number().int().min(1).max(200).default(10), wanted: 'connections, 1 to 200' },
  DATABASE_TIMEOUT_SECONDS: { read: z.coerce.number().int().min(1).max(600).default(15), wanted: 'seconds, 1 to 600' },
  STORAGE_URL: { read: z.string().refine(isStorageUrl).optional(), wanted: storageUrlFormat },
  UPLOAD_MAX_MB: { read: z.coerce.number().int().min(1).max(2_000).default(20), wanted: 'megabytes, 1 to 2000' },
  STORAGE_QUOTA_MB: {
    read: z.coerce.number().int().min(10).max(1_000_000_000).optional(),
    wanted: 'megabytes that all files together may take, at least 10',
  },
  UPLOAD_MAX_MEGAPIXELS: {
    read: z.coerce.number().int().min(1).max(200).default(50),
    wanted: 'millions of pixels, 1 to 200',
  },
  SMTP_URL: {
    read: urlWith('smtp', 'smtps')
      .refine((url) => Boolean(URL.parse(url)?.hostname))
      .optional(),
    wanted: 'smtp://user:password@host:port or smtps://…',
  },
  DNS_SERVER: {
    read: z.string().max(300).refine(isDnsServer).optional(),
    wanted: 'the address of a DNS server, like 192.0.2.53 or [2001:db8::53]:5353',
  },
  TRUST_PROXY: {
    read: z.coerce.number().int().min(0).max(10).default(0),
    wanted: 'how many proxies stand in front, 0 to 10',
  },
  SECRET: { read: z.string().min(32).max(1_000).optional(), wanted: 'at least 32 characters' },
  CDN: { read: z.enum(['on', 'off']).default('off'), wanted: 'on or off' },
  CDN_PURGE: {
    read: z.string().max(2_000).refine(isPurgeTarget).optional(),
    wanted: 'cloudflare:zone-id, fastly:service-id, or the https:// address of a webhook, beside CDN=on',
  },
  CDN_TOKEN: { read: z.string().min(1).max(2_000).optional(), wanted: 'the token of the provider, beside CDN_PURGE' },
  CONTACT_RATE: { read: z.enum(['on', 'off']).default('on'), wanted: 'on or off' },
  ADMIN_EMAIL: { read: z.email().optional(), wanted: 'the e-mail address of the first administrator' },
  ADMIN_PASSWORD: {
    read: z
      .string()
      .min(limits.passwordMinChars)
      .max(limits.passwordMaxChars)
      .refine((password) => !isCommonPassword(password))
      .optional(),
    wanted: `at least ${limits.passwordMinChars} characters, none of the most used passwords, beside ADMIN_EMAIL`,
  },
  OIDC_ISSUER: { read: urlWith('https', 'http').optional(), wanted: 'the address of an identity provider' },
  OIDC_CLIENT_ID: { read: z.string().min(1).max(500).optional(), wanted: 'what the provider calls this site' },
  OIDC_CLIENT_SECRET: { read: z.string().min(1).max(1_000).optional(), wanted: 'the secret that goes with it' },
  OIDC_LABEL: { read: z.string().min(1).max(60).optional(), wanted: 'what the button on /login says' },
  WORKERS: { read: z.coerce.number().int().min(1).max(64).default(1), wanted: 'processes, 1 to 64' },
  MAX_CONNECTIONS: { read: z.coerce.number().int().min(1).max(100_000).default(4_000), wanted: '1 to 100000' },
  DRAIN_SECONDS: { read: z.coerce.number().int().min(0).max(300).default(5), wanted: 'seconds, 0 to 300' },
  UPDATE_WATCH_SECONDS: {
    read: z.coerce.number().int().min(1).max(86_400).default(600),
    wanted: 'seconds, 1 to 86400',
  },
  LOG_LEVEL: {
    read: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    wanted: 'fatal, error, warn, info, debug, trace or silent',
  },
  BACKUP_DIR: { read: z.string().min(1).default('backups'), wanted: 'a folder for backups' },
  BACKUP_KEY: {
    read: z
      .string()
      .regex(/^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/)
      .optional(),
    wanted: 'the key of the recovery sheet: AGE-SECRET-KEY-1 and 58 characters',
  },
  METRICS_TOKEN: { read: z.string().min(16).max(1_000).optional(), wanted: 'at least 16 characters' },
} as const

const secrets = new Set([
  'SECRET',
  'BACKUP_KEY',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
  'CDN_PURGE',
  'CDN_TOKEN',
  'DATABASE_URL',
  'STORAGE_URL',
  'SMTP_URL',
])

/** The CDN in front of the site, and how it is purged: by the API of a provider, or by a webhook. */
export interface CdnSettings {
  provider: 'cloudflare' | 'fastly' | 'webhook'
  /** The id of the zone or service, or the address of the webhook. */
  target: string
  token: string | undefined
}

export interface Settings {
  port: number
  host: string | undefined
  baseUrl: string | undefined
  dataDir: string
  siteConfig: string
  databaseUrl: string | undefined
  /** Size of the PostgreSQL connection pool. */
  databasePoolSize: number
  /** The timeout of a PostgreSQL statement, and of waiting for a connection. */
  databaseTimeoutMs: number
  storageUrl: string | undefined
  /** The limits of one upload, and of all stored files together. */
  uploads: { maxBytes: number; maxPixels: number; quotaBytes: number | undefined }
  smtpUrl: string | undefined
  /** The DNS server for lookups of the sender's domain, instead of those of the system. */
  dnsServer: string | undefined
  /** The number of proxies in front, each of which adds one address to X-Forwarded-For. */
  trustProxy: number
  secret: string | undefined
  cdn: CdnSettings | undefined
  /** False for benchmarks and copies of the site: no rate limits for messages, searches and writes. */
  rateLimited: boolean
  /** The first administrator, created when there is none. */
  admin: { email: string; password: string } | undefined
  /** The external identity provider; `/login` has a button for it. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string | undefined } | undefined
  /** How many processes serve on this machine. */
  workers: number
  /** The maximum number of client connections. */
  maxConnections: number
  /** How long requests are accepted after SIGTERM, so that load balancers notice that the program is not ready. */
  drainMs: number
  /** How long the launcher watches a new version before it stays. */
  updateWatchSeconds: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  metricsToken: string | undefined
  /** The folder that the command `backup` writes to by default. */
  backupDir: string
  /** The key of the backups; undefined: it is in the data folder. */
  backupKey: string | undefined
}

/**
 * Reads every setting from the environment. An empty value counts as absent.
 * @throws {InvalidSettings} with all problems at once; of a secret it contains only the length
 */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const problems: { name: string; found: string; wanted: string }[] = []

  const read = <Name extends keyof typeof schema>(name: Name): z.output<(typeof schema)[Name]['read']> => {
    const value = env[name]?.trim() || undefined
    const result = schema[name].read.safeParse(value)
    if (!result.success) {
      problems.push({
        name,
        found: secrets.has(name) ? `a secret of ${value?.length ?? 0} characters` : JSON.stringify(value),
        wanted: schema[name].wanted,
      })
    }
    return result.data as z.output<(typeof schema)[Name]['read']>
  }

  const reportMissing = (name: keyof typeof schema, wanted: string) => {
    problems.push({ name, found: 'nothing', wanted })
  }
  /** Reads settings that are only valid together, and reports those that are missing. Undefined: none is set. */
  const readTogether = <Name extends keyof typeof schema>(...names: Name[]) => {
    const values = names.map((name) => read(name))
    if (values.every((value) => value === undefined)) return
    names.forEach((name, index) => {
      if (values[index] === undefined && !problems.some((problem) => problem.name === name))
        reportMissing(name, `${schema[name].wanted}: ${names.join(', ')} go together`)
    })
    return values as string[]
  }
  const admin = readTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD')
  const oidc = readTogether('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET')

  const readCdn = (): CdnSettings | undefined => {
    const [isOn, target, token] = [read('CDN') === 'on', read('CDN_PURGE'), read('CDN_TOKEN')]
    if (!isOn) return undefined
    const [, provider, id] = providerPattern.exec(target ?? '') ?? []
    if (!target) {
      if (!problems.some(({ name }) => name === 'CDN_PURGE')) reportMissing('CDN_PURGE', schema.CDN_PURGE.wanted)
    } else if (provider && !token) reportMissing('CDN_TOKEN', schema.CDN_TOKEN.wanted)
    else if (provider && id) return { provider: provider as 'cloudflare' | 'fastly', target: id, token }
    else return { provider: 'webhook', target, token }
    return undefined
  }
  const quotaMb = read('STORAGE_QUOTA_MB')

  const settings: Settings = {
    port: read('PORT'),
    host: read('HOST'),
    baseUrl: read('BASE_URL'),
    dataDir: read('DATA_DIR'),
    siteConfig: read('SITE_CONFIG'),
    databaseUrl: read('DATABASE_URL'),
    databasePoolSize: read('DATABASE_POOL_SIZE'),
    databaseTimeoutMs: read('DATABASE_TIMEOUT_SECONDS') * 1_000,
    storageUrl: read('STORAGE_URL'),
    uploads: {
      maxBytes: read('UPLOAD_MAX_MB') * 1_000_000,
      maxPixels: read('UPLOAD_MAX_MEGAPIXELS') * 1_000_000,
      quotaBytes: quotaMb === undefined ? undefined : quotaMb * 1_000_000,
    },
    smtpUrl: read('SMTP_URL'),
    dnsServer: read('DNS_SERVER'),
    trustProxy: read('TRUST_PROXY'),
    secret: read('SECRET'),
    cdn: readCdn(),
    rateLimited: read('CONTACT_RATE') === 'on',
    admin: admin && { email: admin[0] as string, password: admin[1] as string },
    oidc: oidc && {
      issuer: oidc[0] as string,
      clientId: oidc[1] as string,
      clientSecret: oidc[2] as string,
      label: read('OIDC_LABEL'),
    },
    workers: read('WORKERS'),
    maxConnections: read('MAX_CONNECTIONS'),
    drainMs: read('DRAIN_SECONDS') * 1_000,
    updateWatchSeconds: read('UPDATE_WATCH_SECONDS'),
    backupDir: read('BACKUP_DIR'),
    backupKey: read('BACKUP_KEY'),
    logLevel: read('LOG_LEVEL'),
    metricsToken: read('METRICS_TOKEN'),
  }
  if (problems.length > 0) throw new InvalidSettings(problems)
  return settings
}

/**
 * The environment of a program that runs on a copy of the site: it inherits what it needs to run and what affects how
 * pages look.
 */
export function environmentOfCopy(dataDir: string): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'TZ', 'LANG', 'NODE_ENV', 'BASE_URL']
  const { SITE_CONFIG } = process.env
  return {
    ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    ...(SITE_CONFIG && { SITE_CONFIG: resolve(SITE_CONFIG) }),
    ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', CONTACT_RATE: 'off', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' },
  }
}

/** Whether the operator limits the heap size of each process. */
export const hasHeapLimit = (): boolean => /--max[-_]old[-_]space[-_]size/.test(process.env.NODE_OPTIONS ?? '')

/** The environment for a child process with one libuv thread: it reads files and looks up names one after the other. */
export const singleThreadedEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, UV_THREADPOOL_SIZE: '1' })
