import { z } from 'zod'
import { isOrigin } from '../../contract/url.ts'

/** What `PORT=abc` and the like become: one message that names every wrong setting. */
export class WrongSettings extends Error {
  constructor(problems: { name: string; found: string; wanted: string }[]) {
    super(
      [
        'These settings are wrong:',
        ...problems.map(({ name, found, wanted }) => `  ${name}: found ${found}, wanted ${wanted}`),
      ].join('\n'),
    )
    this.name = 'WrongSettings'
  }
}

const portNumber = z.coerce.number().int().min(0).max(65_535)
const urlWith = (...schemes: string[]) =>
  z.url().refine((url) => schemes.some((scheme) => url.startsWith(`${scheme}://`)))

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
  STORAGE_URL: { read: urlWith('s3').optional(), wanted: 's3://key:secret@host/bucket' },
  SMTP_URL: { read: urlWith('smtp', 'smtps').optional(), wanted: 'smtp://user:password@host:port or smtps://…' },
  TRUST_PROXY: {
    read: z.coerce.number().int().min(0).max(10).default(0),
    wanted: 'how many proxies stand in front, 0 to 10',
  },
  SECRET: { read: z.string().min(32).max(1_000).optional(), wanted: 'at least 32 characters' },
  CONTACT_RATE: { read: z.enum(['on', 'off']).default('on'), wanted: 'on or off' },
  LOG_LEVEL: {
    read: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    wanted: 'fatal, error, warn, info, debug, trace or silent',
  },
  METRICS_TOKEN: { read: z.string().min(16).max(1_000).optional(), wanted: 'at least 16 characters' },
} as const

const secrets = new Set(['SECRET', 'METRICS_TOKEN', 'DATABASE_URL', 'STORAGE_URL', 'SMTP_URL'])

export interface Settings {
  port: number
  host: string | undefined
  baseUrl: string | undefined
  dataDir: string
  siteConfig: string
  databaseUrl: string | undefined
  storageUrl: string | undefined
  smtpUrl: string | undefined
  /** How many proxies stand in front, each adding one address to X-Forwarded-For. */
  trustProxy: number
  secret: string | undefined
  contactLimited: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  metricsToken: string | undefined
}

/**
 * Reads every setting from the environment given, `process.env` unless told. An empty value counts as absent.
 * @throws {WrongSettings} naming all that is wrong at once; of a secret only its length is told
 */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const problems: { name: string; found: string; wanted: string }[] = []

  const read = <Name extends keyof typeof schema>(name: Name): z.output<(typeof schema)[Name]['read']> => {
    const found = env[name]?.trim() || undefined
    const result = schema[name].read.safeParse(found)
    if (!result.success) {
      problems.push({
        name,
        found: secrets.has(name) ? `a secret of ${found?.length ?? 0} characters` : JSON.stringify(found),
        wanted: schema[name].wanted,
      })
    }
    return result.data as z.output<(typeof schema)[Name]['read']>
  }

  const settings: Settings = {
    port: read('PORT'),
    host: read('HOST'),
    baseUrl: read('BASE_URL'),
    dataDir: read('DATA_DIR'),
    siteConfig: read('SITE_CONFIG'),
    databaseUrl: read('DATABASE_URL'),
    storageUrl: read('STORAGE_URL'),
    smtpUrl: read('SMTP_URL'),
    trustProxy: read('TRUST_PROXY'),
    secret: read('SECRET'),
    contactLimited: read('CONTACT_RATE') === 'on',
    logLevel: read('LOG_LEVEL'),
    metricsToken: read('METRICS_TOKEN'),
  }
  if (problems.length > 0) throw new WrongSettings(problems)
  return settings
}
