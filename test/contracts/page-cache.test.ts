import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { invalidate } from '../../src/platform/cache-invalidation.ts'
import { aTempFolder, databases } from '../support/databases.ts'
import { savePageIn } from '../support/pages.ts'
import { aServedApp, type RawResponse, type ServedApp } from '../support/served-app.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { waitUntil } from '../support/wait-until.ts'

const encodings = [undefined, 'gzip', 'br'] as const
const unpacked = ({ headers, body }: RawResponse) => {
  const how = headers['content-encoding']
  return (how === 'br' ? brotliDecompressSync(body) : how === 'gzip' ? gunzipSync(body) : body).toString('utf8')
}
const accepting = (encoding: string | undefined) => ({
  headers: { ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }) },
})

/** Waits for the Brotli encoding, which is made after the first response. */
const inBrotli = (site: ServedApp, path: string) =>
  waitUntil(async () => {
    const answer = await site.fetchRaw(path, accepting('gzip, br'))
    return answer.headers['content-encoding'] === 'br' && answer
  }, `${path} in brotli`)

/** The page in each of its encodings: first rendered, then from the cache. */
async function inEach(site: ServedApp, path: string): Promise<RawResponse[]> {
  const first = await site.fetchRaw(path)
  await inBrotli(site, path)
  const fromMemory = await Promise.all(encodings.map((encoding) => site.fetchRaw(path, accepting(encoding))))
  expect(fromMemory[0]?.headers.etag).toBe(first.headers.etag)
  return fromMemory
}

/** The number of cache hits since the start. */
async function countCacheHits(site: ServedApp): Promise<number> {
  const response = await site.request('/metrics', { headers: { Authorization: `Bearer ${token}` } })
  return Number(/^etalage_page_cache_hits\{status="200"\} (\d+)$/m.exec(await response.text())?.[1])
}
const token = 'alleen-voor-wie-meet'

/** Saves the default configuration with another brand. */
const rename = (site: ServedApp, brand: string) =>
  importConfiguration(site.app.context(), { text: JSON.stringify({ ...defaultSiteFile(), brand }), note: 'test' })

describe('a public page', () => {
  let site: ServedApp
  beforeAll(async () => {
    site = await aServedApp()
  })

  test('has the same content plain, in gzip and in brotli, each with its length and its own strong ETag', async () => {
    for (const path of ['/', '/fa', '/disclaimer', '/sitemap.xml']) {
      const answers = await inEach(site, path)
      const [plain] = answers
      for (const [at, answer] of answers.entries()) {
        expect(answer.status).toBe(200)
        expect(answer.headers['content-encoding']).toBe(encodings[at])
        expect(answer.headers['content-length']).toBe(String(answer.body.length))
        expect(answer.headers.etag).toMatch(/^"[\w-]+"$/)
        expect(unpacked(answer), path).toBe(plain?.body.toString('utf8'))
      }
      expect(new Set(answers.map((answer) => answer.headers.etag)).size).toBe(answers.length)
    }
  })

  test('may be stored with revalidation, has Vary, and with a matching If-None-Match is a 304 with the ETag and no body', async () => {
    const answers = await inEach(site, '/disclaimer')
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
      expect(headers.vary).toBe('Accept-Encoding, Cookie')
    }
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      for (const { headers } of answers) {
        const etag = headers.etag ?? ''
        for (const match of [etag, `W/${etag}`, `"x", ${etag}`]) {
          for (const encoding of encodings) {
            const again = await site.fetchRaw(path, {
              headers: { ...accepting(encoding).headers, 'If-None-Match': match },
            })
            expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0])
            expect(again.headers['cache-control']).toBe(headers['cache-control'])
            expect(again.headers.vary).toBe(headers.vary)
            expect(again.headers['content-encoding']).toBeUndefined()
            // It would replace the policy of the page.
            expect(again.headers['content-security-policy']).toBeUndefined()
          }
        }
      }
      expect((await site.fetchRaw(path, { headers: { 'If-None-Match': '*' } })).status).toBe(304)
      expect((await site.fetchRaw(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200)
    }
  })

  test('answers HEAD with the headers of GET and without a body', async () => {
    await inEach(site, '/disclaimer')
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      for (const encoding of encodings) {
        const got = await site.fetchRaw(path, accepting(encoding))
        const head = await site.fetchRaw(path, { method: 'HEAD', ...accepting(encoding) })
        const { date: _, 'x-request-id': __, connection: ___, ...headers } = got.headers
        expect(head.status).toBe(200)
        expect(head.headers).toMatchObject(headers)
        expect(head.body.length).toBe(0)
      }
    }
  })

  test('is compressed only for clients that accept it', async () => {
    await inBrotli(site, '/disclaimer')
    for (const [accepted, encoding] of [
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['deflate', undefined],
      ['GZIP', 'gzip'],
      ['identity', undefined],
      ['gzip, deflate, br, zstd', 'br'],
    ]) {
      expect((await site.fetchRaw('/disclaimer', accepting(accepted))).headers['content-encoding'], accepted).toBe(
        encoding,
      )
    }
  })

  test('is rendered once: later visits are cache hits', async () => {
    const site = await aServedApp({ settings: { metricsToken: token } })
    for (let visit = 0; visit < 5; visit++) await site.fetchRaw('/disclaimer')
    expect(await countCacheHits(site)).toBe(4)
  })
})

test('a file with a hash in its name is cached for ever, another file for an hour', async () => {
  const folder = aTempFolder()
  const folders = { client: join(folder, 'client'), public: join(folder, 'public') }
  mkdirSync(join(folders.client, 'assets'), { recursive: true })
  cpSync('public', folders.public, { recursive: true })
  writeFileSync(join(folders.client, 'assets', 'site-1a2b3c.js'), `export const text = '${'lang '.repeat(400)}'`)
  writeFileSync(join(folders.public, 'folder.txt'), 'kort')
  const site = await aServedApp({ folders })
  const script = await inEach(site, '/assets/site-1a2b3c.js')
  for (const { headers } of script) {
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.vary).toBe('Accept-Encoding')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  }
  const small = await site.fetchRaw('/folder.txt', accepting('gzip, br'))
  expect(small.headers['cache-control']).toBe('public, max-age=3600')
  expect(small.headers['content-encoding']).toBeUndefined()
  expect(small.body.toString()).toBe('kort')
})

describe('a request with a cookie', () => {
  test('of a session gets its own page, which is not cached', async () => {
    const site = await aServedApp({ settings: { metricsToken: token } })
    const { cookie } = await as(site, 'roya')
    const { headers } = await site.fetchRaw('/disclaimer')
    const hits = await countCacheHits(site)
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      const own = await site.fetchRaw(path, { headers: { Cookie: cookie, 'If-None-Match': headers.etag ?? '' } })
      expect(own.status).toBe(200)
      expect(own.headers['cache-control']).toBe('private, no-store')
      expect(own.headers.etag).toBeUndefined()
    }
    expect(await countCacheHits(site)).toBe(hits)
    expect((await site.fetchRaw('/disclaimer')).headers.etag).toBe(headers.etag)
  })

  test.each(['etalage.session_token=abc', 'x=1; __Secure-etalage.session_token=abc'])(
    'of an invalid session (%s) gets the shared cached page',
    async (cookie) => {
      const site = await aServedApp()
      const made = await site.fetchRaw('/disclaimer', { headers: { Cookie: cookie } })
      const { headers } = await site.fetchRaw('/disclaimer')
      expect([made.status, made.headers.etag]).toEqual([200, headers.etag])
      const again = await site.fetchRaw('/disclaimer', {
        headers: { Cookie: cookie, 'If-None-Match': headers.etag ?? '' },
      })
      expect(again.status).toBe(304)
    },
  )

  test('of a language is redirected from / to that language, and from nowhere else', async () => {
    const site = await aServedApp()
    await Promise.all(['/', '/fa', '/disclaimer'].map((path) => site.fetchRaw(path)))
    for (const method of ['GET', 'HEAD']) {
      const redirect = await site.fetchRaw('/', { method, headers: { Cookie: 'locale=fa' } })
      expect([redirect.status, redirect.headers.location]).toEqual([302, '/fa'])
      expect(redirect.headers['cache-control']).toBe('private, no-store')
      expect(redirect.headers.vary).toContain('Cookie')
    }
    for (const [path, cookie] of [
      ['/', 'locale=nl'],
      ['/', 'locale=xx'],
      ['/', 'locale=constructor'],
      ['/', 'x=1'],
      ['/fa', 'locale=nl'],
      ['/disclaimer', 'locale=fa'],
    ] as const) {
      const answer = await site.fetchRaw(path, { headers: { Cookie: cookie } })
      expect([path, cookie, answer.status]).toEqual([path, cookie, 200])
    }
    expect((await site.fetchRaw('/')).status).toBe(200)
  })
})

describe.each(databases)('on %s', (database) => {
  test('a page that is rendered while the configuration changes is not cached', async () => {
    const site = await aServedApp({ database })
    for (let at = 1; at <= 5; at++) {
      const asking = Promise.all(Array.from({ length: 8 }, () => site.fetchRaw('/disclaimer')))
      const renaming = rename(site, `Merk ${at}`)
      const more = Promise.all(Array.from({ length: 8 }, () => site.fetchRaw('/disclaimer')))
      await Promise.all([asking, renaming, more])
      await waitUntil(async () => (await site.fetchRaw('/disclaimer')).body.includes(`Merk ${at}`), `brand ${at}`)
    }
  })

  test('a configuration that is saved on one instance shows on both, in every page and file', async () => {
    const one = await aServedApp({ database })
    const other = await aServedApp({ beside: one })
    const paths = ['/', '/fa', '/disclaimer', '/site.webmanifest']
    const before = new Map<string, string | undefined>()
    for (const path of paths) {
      for (const copy of [one, other]) {
        const answer = await copy.fetchRaw(path)
        expect(unpacked(answer)).toContain('Maaslicht')
        before.set(path, answer.headers.etag)
      }
    }

    await rename(one, 'Lichtkade')

    for (const copy of [one, other]) {
      for (const path of paths) {
        const answer = await waitUntil(async () => {
          const now = await copy.fetchRaw(path)
          return now.headers.etag !== before.get(path) && now
        }, `new ${path}`)
        expect(unpacked(answer)).toContain('Lichtkade')
        expect(unpacked(answer)).not.toContain('Maaslicht')
        // The ETag that the browser has from before no longer matches.
        const again = await copy.fetchRaw(path, { headers: { 'If-None-Match': before.get(path) ?? '' } })
        expect(again.status).toBe(200)
      }
      expect(copy.app.source()).toBe('revision 1')
    }
  })

  test('a change of one page invalidates that page, and leaves the others in the cache', async () => {
    const site = await aServedApp({ database, settings: { metricsToken: token } })
    const visit = () => Promise.all(['/', '/disclaimer', '/fa/disclaimer'].map((path) => site.fetchRaw(path)))
    await visit()
    await visit()
    expect(await countCacheHits(site)).toBe(3)

    await site.db.transaction().execute((tx) => invalidate(tx, ['page:/disclaimer']))
    await waitUntil(async () => {
      const hits = await countCacheHits(site)
      await site.fetchRaw('/disclaimer')
      return (await countCacheHits(site)) === hits
    }, 'page that is made anew')

    const hits = await countCacheHits(site)
    await visit()
    expect(await countCacheHits(site), 'home and the new page, but not the Persian one').toBe(hits + 2)
  })

  test('a new page, and a change of one that was never published, evict nothing', async () => {
    const site = await aServedApp({ database })
    const version = () => site.db.selectFrom('cache_invalidation_version').select('version').executeTakeFirstOrThrow()
    const bente = await as(site, 'beheerder')
    const before = await version()
    const { id } = await (await bente.post('/api/pages', { title: 'Concept', locale: 'nl' })).json()
    expect((await savePageIn(bente, id, { description: 'Nog niet online' })).status).toBe(200)
    expect(await version()).toEqual(before)
  })

  test('the saved configuration survives a restart, and takes precedence over the file', async () => {
    const one = await aServedApp({ database })
    await rename(one, 'Lichtkade')
    await one.stop()
    const next = await aServedApp({ beside: one })
    expect(unpacked(await next.fetchRaw('/'))).toContain('Lichtkade')
  })

  test('an invalid configuration is refused, and changes nothing', async () => {
    const site = await aServedApp({ database })
    const version = () => site.db.selectFrom('cache_invalidation_version').select('version').executeTakeFirstOrThrow()
    const before = await version()
    await expect(
      importConfiguration(site.app.context(), {
        text: JSON.stringify({ ...defaultSiteFile(), palette: {} }),
        note: 'wrong.json',
      }),
    ).rejects.toThrow(/^wrong\.json cannot be used:\n {2}palette\.primary/)
    expect(await site.db.selectFrom('config_revision').select('id').execute()).toEqual([])
    expect(await version()).toEqual(before)
    expect(unpacked(await site.fetchRaw('/'))).toContain('Maaslicht')
  })
})

test('the year in the footer follows the clock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let at = Date.UTC(2026, 11, 31, 22, 59, 59)
    const site = await aServedApp({ now: () => new Date(at) })
    expect(unpacked(await site.fetchRaw('/'))).toContain('© 2026')
    at += 1_000
    await vi.advanceTimersByTimeAsync(60_000)
    expect(unpacked(await site.fetchRaw('/'))).toContain('© 2027')
  } finally {
    vi.useRealTimers()
  }
})
