import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordCheckRun } from '../../src/domain/health/alarms.ts'
import { startCdnPurger } from '../../src/jobs/purge-cdn.ts'
import { invalidate } from '../../src/platform/cache-invalidation.ts'
import type { CdnSettings } from '../../src/platform/config/settings.ts'
import { createCdn } from '../../src/platform/net/cdn.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aParagraph, publishedPage, savePageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { aPdf, aPhoto, replaceContent, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

interface Received {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  fastlyKey: string | string[] | undefined
  body: { tags?: string[]; surrogate_keys?: string[] }
}

/** An HTTP server in the place of the API of a CDN. */
async function aCdnApi(answer: () => number = () => 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const body = (await json(request)) as Received['body']
    received.push({ method, url, authorization: headers.authorization, fastlyKey: headers['fastly-key'], body })
    response.writeHead(answer(), { 'Content-Type': 'application/json' }).end('{"success":true}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const tagsOf = (response: Response) => response.headers.get('Cache-Tag')?.split(',') ?? []

test('a site behind a CDN marks the responses that may be cached, and purges only those that changed', async () => {
  // On a busy machine a purge may take too long. It is repeated.
  allowErrors(/purging the CDN failed.*due to timeout|due to timeout.*purging the CDN failed/)
  const api = await aCdnApi()
  const settings: CdnSettings = { provider: 'webhook', target: `${api.origin}/purge`, token: 'een-sleutel' }
  const site = await aTestApp({ settings: { cdn: settings } })
  const bente = await as(site, 'beheerder')
  const id = await publishedPage(bente, { title: 'Werk', slug: 'werk' })
  const { id: fileId, url } = await uploadFile(bente, 'merk.png', await aPhoto(8, 6, 'png'))
  const replaced = await uploadFile(bente, 'prijslijst.pdf', aPdf('Prijzen van 2025'))

  /** What is invalidated while it is rendered may not be stored; the images of the file are resized meanwhile. */
  const storable = (path: string) =>
    waitUntil(async () => {
      const response = await site.request(path)
      return response.headers.has('Cache-Tag') && response
    }, `${path} to be storable`)
  const page = await storable('/werk')
  expect(page.headers.get('Cache-Control')).toBe(
    'public, max-age=0, s-maxage=600, stale-while-revalidate=60, stale-if-error=86400',
  )
  const home = await storable('/')
  const sitemap = await storable('/sitemap.xml')
  const icon = await storable('/favicon.svg')
  const file = await storable((await site.request(url)).headers.get('Location') ?? url)
  const priceList = await storable(replaced.url)
  for (const response of [page, home, sitemap, icon, file, priceList]) {
    expect(response.headers.get('Cache-Tag')).toMatch(/^[0-9a-f]{16}(,[0-9a-f]{16})*$/)
  }
  const seen = await bente.get('/werk')
  expect([seen.headers.get('Cache-Control'), tagsOf(seen)]).toEqual(['private, no-store', []])
  const missing = await site.request('/bestaat-niet')
  expect([missing.headers.get('Cache-Control'), tagsOf(missing)]).toEqual(['private, no-store', []])

  // At its start it purges everything: it may not have purged all that changed before.
  const [first] = await waitUntil(() => api.received.length > 0 && api.received, 'purge at the start')
  const everything = first?.body.tags ?? []
  for (const response of [page, home, sitemap, icon, file, priceList]) {
    expect(tagsOf(response).filter((tag) => everything.includes(tag))).toHaveLength(1)
  }

  api.received.length = 0
  expect((await savePageIn(bente, id, { title: 'Ons werk' }, { publish: true })).status).toBe(200)
  expect((await bente.delete(`/api/files/${fileId}`)).status).toBe(204)
  expect((await replaceContent(bente, replaced.id, aPdf('Prijzen van 2026'))).status).toBe(200)
  const isPurged = (response: Response) =>
    api.received.some(({ body }) => tagsOf(response).some((tag) => body.tags?.includes(tag)))
  await waitUntil(() => isPurged(page) && isPurged(file) && isPurged(priceList), 'purge of the page and the files')
  expect(api.received[0]).toMatchObject({ method: 'POST', url: '/purge', authorization: 'Bearer een-sleutel' })
})

test('a CDN that refuses purges is reported by a health check, which fails after an hour', async () => {
  allowErrors(/purging the CDN failed/)
  const api = await aCdnApi(() => 503)
  const cdn: CdnSettings = { provider: 'webhook', target: `${api.origin}/purge`, token: undefined }
  let now = new Date('2026-11-21T11:00:00Z')
  const site = await aTestApp({ settings: { cdn, baseUrl: 'http://127.0.0.1:1' }, now: () => now })
  const bente = await as(site, 'beheerder')
  const lineAfter = async (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
    const { lines } = await (await bente.get('/api/health?fresh=yes')).json()
    return lines.find(({ check }: { check: string }) => check === 'cdn')
  }
  expect(await lineAfter(0)).toMatchObject({ outcome: 'good' })
  await waitUntil(() => site.lines.some(({ msg }) => msg === 'purging the CDN failed'), 'a refused purge')
  expect(await lineAfter(11)).toMatchObject({ outcome: 'attention', text: expect.stringContaining('CDN_PURGE') })
  expect(await lineAfter(50)).toMatchObject({ outcome: 'failed' })
  // A worker that runs no jobs knows nothing of purges, and keeps what the one that does has found.
  await recordCheckRun(site.app.context(), [])
  const { checkedAt, ...line } = await lineAfter(2)
  const serving = await aTestApp({ beside: site, settings: site.settings, now: () => now, startJobs: false })
  const { lines } = await (await (await as(serving, 'beheerder')).get('/api/health?fresh=yes')).json()
  expect(lines).toContainEqual(expect.objectContaining(line))
  const problems = await (await bente.get('/api/health/problems')).json()
  expect(problems.lines).toContainEqual(expect.objectContaining(line))
})

test('a page that changed while it was rendered is not stored by the CDN, whose purge may come before it', async () => {
  const cdn: CdnSettings = { provider: 'webhook', target: 'http://127.0.0.1:9/purge', token: undefined }
  const site = await aTestApp({ database: 'postgres', settings: { cdn }, startJobs: false })
  const bente = await as(site, 'beheerder')
  const { url } = await uploadFile(bente, 'prijslijst.pdf', aPdf())
  await publishedPage(bente, {
    title: 'Werk',
    slug: 'werk',
    body: [aParagraph(`<p><a href="${url}">Prijslijst</a></p>`)],
  })
  const isStored = (response: Response) => [
    /s-maxage/.test(response.headers.get('Cache-Control') ?? ''),
    tagsOf(response).length > 0,
  ]

  const { db, transaction, wake } = site.app.context()
  const waiting = sql<{ count: string }>`
    select count(*) as count from pg_locks where relation = 'file'::regclass and not granted`
  const { late } = await db.transaction().execute(async (tx) => {
    await sql`lock table file in access exclusive mode`.execute(tx)
    const late = site.request('/werk')
    await waitUntil(async () => Number((await waiting.execute(tx)).rows[0]?.count) > 0, 'rendering that waits')
    await transaction((other) => invalidate(other, ['page:/werk']))
    await wake.invalidation()
    return { late }
  })
  const rendered = await late
  expect([rendered.status, rendered.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
  expect(isStored(rendered)).toEqual([false, false])
  expect(isStored(await site.request('/werk'))).toEqual([true, true])
})

test('without a CDN pages are revalidated and have no tags', async () => {
  const site = await aTestApp({ startJobs: false })
  const page = await site.request('/')
  expect([page.headers.get('Cache-Control'), tagsOf(page)]).toEqual(['public, max-age=0, must-revalidate', []])
})

describe('the documented call of', () => {
  const many = Array.from({ length: 31 }, (_, at) => `page:/werk-${at}`)
  const never = new AbortController().signal

  test('Cloudflare has up to 30 tags, and the token as bearer', async () => {
    const { origin, received } = await aCdnApi()
    const cdn = createCdn({ provider: 'cloudflare', target: 'zone1', token: 't' }, { cloudflare: origin, fastly: '' })
    await cdn.purge(many, never)
    expect(received.map(({ body }) => body.tags?.length)).toEqual([30, 1])
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/client/v4/zones/zone1/purge_cache',
      authorization: 'Bearer t',
    })
    expect(cdn.tagHeader(['page', 'page:/fa/درباره-ما'])).toEqual([
      'Cache-Tag',
      expect.stringMatching(/^[0-9a-f]{16}(,[0-9a-f]{16}){2}$/),
    ])
  })

  test('Fastly has surrogate keys, which its responses have in a header of its own', async () => {
    const { origin, received } = await aCdnApi()
    const cdn = createCdn({ provider: 'fastly', target: 'service1', token: 't' }, { cloudflare: '', fastly: origin })
    const [name, keys] = cdn.tagHeader(many)
    await cdn.purge(many, never)
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/service/service1/purge',
        authorization: undefined,
        fastlyKey: 't',
        body: { surrogate_keys: keys.split(' ').slice(0, -1) },
      },
    ])
    expect(name).toBe('Surrogate-Key')
  })

  test('a webhook has the name and password of its address', async () => {
    const { origin, received } = await aCdnApi()
    const target = `${origin.replace('http://', 'http://purge:zeer%20geheim@')}/purge`
    await createCdn({ provider: 'webhook', target, token: undefined }).purge(['page'], never)
    expect(received).toMatchObject([{ url: '/purge', authorization: `Basic ${btoa('purge:zeer geheim')}` }])
  })
})

describe('a purge that is refused', () => {
  test('is tried again with what changed meanwhile, and logged once', async () => {
    allowErrors(/the CDN answered 503/)
    const { log, lines } = aLog()
    const purged: (readonly string[] | 'all')[] = []
    let accepts = true
    const cdn = {
      ...createCdn({ provider: 'webhook', target: 'https://cdn.example', token: undefined }),
      purge: async (tags: readonly string[] | 'all') => {
        if (!accepts) throw new Error('the CDN answered 503 to a purge')
        purged.push(tags)
      },
    }
    const began = new Date('2026-11-21T11:00:00Z')
    const purger = startCdnPurger({ cdn, log, now: () => began, settleMs: 0 })
    await expect.poll(() => purged).toEqual(['all'])
    accepts = false
    purger.add(['page:/een'])
    await expect.poll(() => lines).toHaveLength(1)
    expect(purger.failingSince()).toEqual(began)
    accepts = true
    purger.add(['page:/twee'])
    await expect.poll(() => purged.at(-1)).toEqual(['page:/een', 'page:/twee'])
    expect(purger.failingSince()).toBeUndefined()
    await purger.stop()
    expect(lines.map(({ msg }) => msg)).toEqual(['purging the CDN failed', 'purging the CDN works again'])
  })
})
