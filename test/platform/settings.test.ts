import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { whileRestoring } from '../../src/platform/config/restoring.ts'
import { InvalidSettings, readSettings } from '../../src/platform/config/settings.ts'
import { aTempFolder } from '../support/databases.ts'

const secret = 'een-heel-geheim-van-genoeg-tekens'

describe('without settings', () => {
  test('the defaults are those in the README', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      host: undefined,
      baseUrl: undefined,
      dataDir: 'data',
      siteConfig: 'site.config.json',
      databaseUrl: undefined,
      databasePoolSize: 10,
      databaseTimeoutMs: 15_000,
      storageUrl: undefined,
      uploads: { maxBytes: 20_000_000, maxPixels: 50_000_000 },
      smtpUrl: undefined,
      trustProxy: 0,
      secret: undefined,
      rateLimited: true,
      workers: 1,
      maxConnections: 4_000,
      drainMs: 5_000,
      updateWatchSeconds: 600,
      backupDir: 'backups',
      backupKey: undefined,
      logLevel: 'info',
      metricsToken: undefined,
    })
  })

  test('an empty setting counts as missing', () => {
    expect(readSettings({ PORT: '', SMTP_URL: '  ', SECRET: '' })).toEqual(readSettings({}))
  })
})

test('each setting is read', () => {
  const settings = readSettings({
    PORT: '8080',
    HOST: '::1',
    BASE_URL: 'https://www.example.nl/',
    DATA_DIR: '/srv/data',
    SITE_CONFIG: 'other.json',
    DATABASE_URL: 'postgres://me:secret@db:5432/site',
    DATABASE_POOL_SIZE: '25',
    DATABASE_TIMEOUT_SECONDS: '8',
    STORAGE_URL: 's3://key:secret@host/bucket',
    UPLOAD_MAX_MB: '35',
    UPLOAD_MAX_MEGAPIXELS: '80',
    SMTP_URL: 'smtps://user:secret@mail:465',
    DNS_SERVER: '[2001:db8::53]:5353',
    TRUST_PROXY: '2',
    SECRET: secret,
    CDN: 'on',
    CDN_PURGE: 'fastly:SU1Z0isxPaozGVKXdv0eY',
    CDN_TOKEN: 'een-sleutel',
    CONTACT_RATE: 'off',
    WORKERS: '3',
    MAX_CONNECTIONS: '900',
    DRAIN_SECONDS: '12',
    UPDATE_WATCH_SECONDS: '90',
    BACKUP_DIR: '/srv/backups',
    BACKUP_KEY: `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: 'een-lang-genoeg-woord',
  })
  expect(settings).toEqual({
    port: 8080,
    host: '::1',
    baseUrl: 'https://www.example.nl',
    dataDir: '/srv/data',
    siteConfig: 'other.json',
    databaseUrl: 'postgres://me:secret@db:5432/site',
    databasePoolSize: 25,
    databaseTimeoutMs: 8_000,
    storageUrl: 's3://key:secret@host/bucket',
    uploads: { maxBytes: 35_000_000, maxPixels: 80_000_000 },
    smtpUrl: 'smtps://user:secret@mail:465',
    dnsServer: '[2001:db8::53]:5353',
    trustProxy: 2,
    secret,
    cdn: { provider: 'fastly', target: 'SU1Z0isxPaozGVKXdv0eY', token: 'een-sleutel' },
    rateLimited: false,
    workers: 3,
    maxConnections: 900,
    drainMs: 12_000,
    updateWatchSeconds: 90,
    backupDir: '/srv/backups',
    backupKey: `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
    logLevel: 'warn',
    metricsToken: 'een-lang-genoeg-woord',
  })
})

describe('invalid settings', () => {
  const wrong = {
    PORT: 'abc',
    BASE_URL: 'www.example.nl',
    DATABASE_URL: 'mysql://root:hunter2@db/site',
    DATABASE_POOL_SIZE: '0',
    DATABASE_TIMEOUT_SECONDS: '0.5',
    STORAGE_URL: 'https://key:hunter2@host/bucket',
    SMTP_URL: 'mail.example.nl:hunter2',
    DNS_SERVER: 'dns.example.nl',
    TRUST_PROXY: '-1',
    SECRET: 'hunter2',
    CDN: 'sometimes',
    CDN_PURGE: 'akamai:site',
    CONTACT_RATE: 'sometimes',
    WORKERS: '0',
    MAX_CONNECTIONS: 'many',
    DRAIN_SECONDS: '-1',
    BACKUP_KEY: 'hunter2',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'hunter2',
  }
  const message = () => {
    try {
      readSettings(wrong)
    } catch (error) {
      if (error instanceof InvalidSettings) return error.message
    }
    throw new Error('nothing was refused')
  }

  test('are all named in one message, each with the value found and what is expected', () => {
    const lines = message().split('\n').slice(1)
    expect(lines.map((line) => line.trim().split(':')[0])).toEqual(Object.keys(wrong))
    expect(lines[0]?.trim()).toBe('PORT: found "abc", wanted a port, 0 to 65535')
    expect(lines.at(-2)?.trim()).toBe(
      'LOG_LEVEL: found "loud", wanted fatal, error, warn, info, debug, trace or silent',
    )
  })

  test('show only the length of a secret', () => {
    expect(message()).not.toContain('hunter2')
    expect(message()).toContain('SECRET: found a secret of 7 characters, wanted at least 32 characters')
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', 'yes'],
    ['BASE_URL', 'javascript://x'],
    ['BASE_URL', 'https://www.example.nl/site'],
    ['BASE_URL', 'https://www.example.nl?x=1'],
    ['BASE_URL', 'https://www.example.nl/#top'],
    ['BASE_URL', 'https://user:password@www.example.nl'],
    ['SECRET', 'x'.repeat(31)],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'mail.example.nl'],
    ['CDN_PURGE', 'cloudflare:../zones'],
    ['CDN_PURGE', 'ftp://purge:geheim@cdn.example.nl'],
  ])('include %s=%s', (name, value) => {
    const wrong = new RegExp(`^These settings are wrong:\n  ${name}: (?!.*geheim)[^\n]*$`)
    expect(() => readSettings({ [name]: value })).toThrow(wrong)
  })

  test('include a data folder in which a restore cannot write', async () => {
    const file = join(aTempFolder(), 'site')
    writeFileSync(file, '')
    await expect(whileRestoring(join(file, 'data'), async () => {})).rejects.toThrow(
      /^These settings are wrong:\n {2}DATA_DIR: found ENOTDIR.*, wanted a folder that this program may write in$/,
    )
  })

  test('include a CDN that cannot be purged', () => {
    expect(() => readSettings({ CDN: 'on' })).toThrow(/CDN_PURGE: found nothing, wanted cloudflare:zone-id/)
    expect(() => readSettings({ CDN: 'on', CDN_PURGE: 'cloudflare:zone1' })).toThrow(/CDN_TOKEN: found nothing/)
    expect(readSettings({ CDN: 'on', CDN_PURGE: 'https://cdn.example.nl/purge' }).cdn).toEqual({
      provider: 'webhook',
      target: 'https://cdn.example.nl/purge',
    })
  })
})
