import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { touchContent } from '../../src/platform/content-clock.ts'
import { aFolder, databases } from '../support/databases.ts'
import { type Answer, aServedApp, type ServedApp } from '../support/served.ts'
import { deliveredSite } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { until } from '../support/until.ts'

const encodings = [undefined, 'gzip', 'br'] as const
const unpacked = ({ headers, body }: Answer) => {
  const how = headers['content-encoding']
  return (how === 'br' ? brotliDecompressSync(body) : how === 'gzip' ? gunzipSync(body) : body).toString('utf8')
}
const accepting = (encoding: string | undefined) => ({
  headers: { ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }) },
})

/** Brotli is ready a moment after the first answer. */
const inBrotli = (site: ServedApp, path: string) =>
  until(async () => {
    const answer = await site.ask(path, accepting('gzip, br'))
    return answer.headers['content-encoding'] === 'br' && answer
  }, `${path} in brotli`)

/** The page in each of its encodings: once past the layers (the first visit), from memory after that. */
async function inEach(site: ServedApp, path: string): Promise<Answer[]> {
  const first = await site.ask(path)
  await inBrotli(site, path)
  const fromMemory = await Promise.all(encodings.map((encoding) => site.ask(path, accepting(encoding))))
  expect(fromMemory[0]?.headers.etag).toBe(first.headers.etag)
  return fromMemory
}

/** How often an answer was given from memory since the start. */
async function givenFromMemory(site: ServedApp): Promise<number> {
  const response = await site.request('/metrics', { headers: { Authorization: `Bearer ${token}` } })
  return Number(/^etalage_kept_answers_given\{status="200"\} (\d+)$/m.exec(await response.text())?.[1])
}
const token = 'alleen-voor-wie-meet'

/** Puts the delivered configuration in force with another brand. */
const rename = (site: ServedApp, brand: string) =>
  importConfiguration(site.app.context(), { text: JSON.stringify({ ...deliveredSite(), brand }), note: 'test' })

describe('a page for everyone', () => {
  test('is the same page plain, in gzip and in brotli, each with its length and a strong ETag of its own', async () => {
    const site = await aServedApp()
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

  test('says that it may be kept when it is asked for again each time, and what it depends on', async () => {
    const site = await aServedApp()
    for (const answer of await inEach(site, '/disclaimer')) {
      expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
      expect(answer.headers.vary).toBe('Accept-Encoding, Cookie')
    }
  })

  test('that a browser has already is a 304 with the ETag that it has, and not one byte more', async () => {
    const site = await aServedApp()
    const answers = await inEach(site, '/disclaimer')
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      for (const { headers } of answers) {
        const etag = headers.etag ?? ''
        for (const match of [etag, `W/${etag}`, `"x", ${etag}`]) {
          for (const encoding of encodings) {
            const again = await site.ask(path, {
              headers: { ...accepting(encoding).headers, 'If-None-Match': match },
            })
            expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0])
            expect(again.headers['cache-control']).toBe(headers['cache-control'])
            expect(again.headers.vary).toBe(headers.vary)
            expect(again.headers['content-encoding']).toBeUndefined()
            // It would take the place of the page's own.
            expect(again.headers['content-security-policy']).toBeUndefined()
          }
        }
      }
      expect((await site.ask(path, { headers: { 'If-None-Match': '*' } })).status).toBe(304)
      expect((await site.ask(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200)
    }
  })

  test('answers HEAD with the headers of GET and without its body', async () => {
    const site = await aServedApp()
    await inEach(site, '/disclaimer')
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      for (const encoding of encodings) {
        const got = await site.ask(path, accepting(encoding))
        const head = await site.ask(path, { method: 'HEAD', ...accepting(encoding) })
        const { date: _, 'x-request-id': __, connection: ___, ...headers } = got.headers
        expect(head.status).toBe(200)
        expect(head.headers).toMatchObject(headers)
        expect(head.body.length).toBe(0)
      }
    }
  })

  test('is given packed only to whom can unpack it', async () => {
    const site = await aServedApp()
    await inBrotli(site, '/disclaimer')
    for (const [accepted, encoding] of [
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['deflate', undefined],
      ['GZIP', 'gzip'],
      ['identity', undefined],
      ['gzip, deflate, br, zstd', 'br'],
    ]) {
      expect((await site.ask('/disclaimer', accepting(accepted))).headers['content-encoding'], accepted).toBe(encoding)
    }
  })

  test('is made once: the visits after the first are given from memory', async () => {
    const site = await aServedApp({ settings: { metricsToken: token } })
    for (let visit = 0; visit < 5; visit++) await site.ask('/disclaimer')
    expect(await givenFromMemory(site)).toBe(4)
  })
})

test('a file that carries a hash in its name is kept for ever, another for an hour', async () => {
  const folder = aFolder()
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
  const small = await site.ask('/folder.txt', accepting('gzip, br'))
  expect(small.headers['cache-control']).toBe('public, max-age=3600')
  expect(small.headers['content-encoding']).toBeUndefined()
  expect(small.body.toString()).toBe('kort')
})

describe('who has a cookie', () => {
  test('of a session gets a page of their own, which nobody keeps', async () => {
    const site = await aServedApp({ settings: { metricsToken: token } })
    const { cookie } = await as(site, 'roya')
    const { headers } = await site.ask('/disclaimer')
    const given = await givenFromMemory(site)
    for (const path of ['/disclaimer', '/disclaimer?past=memory']) {
      const own = await site.ask(path, { headers: { Cookie: cookie, 'If-None-Match': headers.etag ?? '' } })
      expect(own.status).toBe(200)
      expect(own.headers['cache-control']).toBe('private, no-store')
      expect(own.headers.etag).toBeUndefined()
    }
    expect(await givenFromMemory(site)).toBe(given)
    expect((await site.ask('/disclaimer')).headers.etag).toBe(headers.etag)
  })

  test.each(['etalage.session_token=abc', 'x=1; __Secure-etalage.session_token=abc'])(
    'of a session that is nobody’s (%s) gets what everyone gets, made once',
    async (cookie) => {
      const site = await aServedApp()
      const made = await site.ask('/disclaimer', { headers: { Cookie: cookie } })
      const { headers } = await site.ask('/disclaimer')
      expect([made.status, made.headers.etag]).toEqual([200, headers.etag])
      const again = await site.ask('/disclaimer', { headers: { Cookie: cookie, 'If-None-Match': headers.etag ?? '' } })
      expect(again.status).toBe(304)
    },
  )

  test('of a language is led from the front door to that language, and nowhere else', async () => {
    const site = await aServedApp()
    await Promise.all(['/', '/fa', '/disclaimer'].map((path) => site.ask(path)))
    for (const method of ['GET', 'HEAD']) {
      const led = await site.ask('/', { method, headers: { Cookie: 'locale=fa' } })
      expect([led.status, led.headers.location]).toEqual([302, '/fa'])
      expect(led.headers['cache-control']).toBe('private, no-store')
      expect(led.headers.vary).toContain('Cookie')
    }
    for (const [path, cookie] of [
      ['/', 'locale=nl'],
      ['/', 'locale=xx'],
      ['/', 'locale=constructor'],
      ['/', 'x=1'],
      ['/fa', 'locale=nl'],
      ['/disclaimer', 'locale=fa'],
    ] as const) {
      const answer = await site.ask(path, { headers: { Cookie: cookie } })
      expect([path, cookie, answer.status]).toEqual([path, cookie, 200])
    }
    expect((await site.ask('/')).status).toBe(200)
  })
})

describe.each(databases)('on %s', (database) => {
  test('a page that is asked for while the configuration changes is not kept as it was', async () => {
    const site = await aServedApp({ database })
    for (let at = 1; at <= 15; at++) {
      const asking = Promise.all(Array.from({ length: 8 }, () => site.ask('/disclaimer')))
      const renaming = rename(site, `Merk ${at}`)
      const more = Promise.all(Array.from({ length: 8 }, () => site.ask('/disclaimer')))
      await Promise.all([asking, renaming, more])
      await until(async () => (await site.ask('/disclaimer')).body.includes(`Merk ${at}`), `brand ${at}`)
    }
  })

  test('a configuration put in force on one copy of the program shows on both, in every page and file', async () => {
    const one = await aServedApp({ database })
    const other = await aServedApp({ beside: one })
    const paths = ['/', '/fa', '/disclaimer', '/site.webmanifest']
    const before = new Map<string, string | undefined>()
    for (const path of paths) {
      for (const copy of [one, other]) {
        const answer = await copy.ask(path)
        expect(unpacked(answer)).toContain('Maaslicht')
        before.set(path, answer.headers.etag)
      }
    }

    await rename(one, 'Lichtkade')

    for (const copy of [one, other]) {
      for (const path of paths) {
        const answer = await until(async () => {
          const now = await copy.ask(path)
          return now.headers.etag !== before.get(path) && now
        }, `new ${path}`)
        expect(unpacked(answer)).toContain('Lichtkade')
        expect(unpacked(answer)).not.toContain('Maaslicht')
        // What a browser kept from before is no longer good.
        const again = await copy.ask(path, { headers: { 'If-None-Match': before.get(path) ?? '' } })
        expect(again.status).toBe(200)
      }
      expect(copy.app.source()).toBe('revision 1')
    }
  })

  test('a change of one page drops that page, and leaves the others in memory', async () => {
    const site = await aServedApp({ database, settings: { metricsToken: token } })
    const visit = () => Promise.all(['/', '/disclaimer', '/fa/disclaimer'].map((path) => site.ask(path)))
    await visit()
    await visit()
    expect(await givenFromMemory(site)).toBe(3)

    await site.db.transaction().execute((tx) => touchContent(tx, ['page:/disclaimer']))
    await until(async () => {
      const given = await givenFromMemory(site)
      await site.ask('/disclaimer')
      return (await givenFromMemory(site)) === given
    }, 'page that is made anew')

    const given = await givenFromMemory(site)
    await visit()
    expect(await givenFromMemory(site), 'home and the new page, but not the Persian one').toBe(given + 2)
  })

  test('what is in force survives a restart, and wins over the file', async () => {
    const one = await aServedApp({ database })
    await rename(one, 'Lichtkade')
    await one.stop()
    const next = await aServedApp({ beside: one })
    expect(unpacked(await next.ask('/'))).toContain('Lichtkade')
  })

  test('a configuration that is wrong is refused, and changes nothing', async () => {
    const site = await aServedApp({ database })
    await expect(
      importConfiguration(site.app.context(), {
        text: JSON.stringify({ ...deliveredSite(), palette: {} }),
        note: 'wrong.json',
      }),
    ).rejects.toThrow(/^wrong\.json cannot be used:\n {2}palette\.primary/)
    expect(await site.db.selectFrom('config_revision').select('id').execute()).toEqual([])
    expect(await site.db.selectFrom('content_clock').select('version').execute()).toEqual([{ version: 0 }])
    expect(unpacked(await site.ask('/'))).toContain('Maaslicht')
  })
})

test('the year in the footer turns by itself', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let at = Date.UTC(2026, 11, 31, 22, 59, 59)
    const site = await aServedApp({ now: () => new Date(at) })
    expect(unpacked(await site.ask('/'))).toContain('© 2026')
    at += 1_000
    await vi.advanceTimersByTimeAsync(60_000)
    expect(unpacked(await site.ask('/'))).toContain('© 2027')
  } finally {
    vi.useRealTimers()
  }
})
