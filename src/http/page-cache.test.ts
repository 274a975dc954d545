import { expect, test } from 'vitest'
import { buildCachedResponse, PageCache } from './page-cache.ts'

const anAnswer = (text: string, tags = ['page']) =>
  buildCachedResponse({ body: Buffer.from(text), headers: [['Content-Type', 'text/plain']], tags, compressible: false })

test('a response rendered during an invalidation is not cached, and nobody may store it', async () => {
  const cache = new PageCache()
  let finish = () => {}
  const ask = () =>
    cache.getOrRender('/', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return anAnswer('of before')
    })
  const both = [ask(), ask()]
  cache.invalidate(['site'])
  finish()
  for (const { identity } of await Promise.all(both)) {
    expect(identity.body.toString()).toBe('of before')
    expect(identity.headers.slice(0, 2)).toEqual(['Content-Type', 'text/plain'])
    expect(identity.headers.slice(-2)).toEqual(['Cache-Control', 'no-store'])
  }
  expect((await cache.getOrRender('/', () => anAnswer('of after'))).identity.body.toString()).toBe('of after')
})

test('without the database a cached page answers only its own query, and nobody may store that answer', async () => {
  const cache = new PageCache()
  for (const at of ['/nieuws', '/nieuws?pagina=2']) await cache.getOrRender(at, () => anAnswer(at))
  const ask = (at: string) => cache.respondFromCache(new Request(`http://localhost${at}`))
  for (const [at, found] of [
    ['/nieuws', '/nieuws'],
    ['/nieuws?utm_source=x', '/nieuws'],
    ['/nieuws?pagina=2', '/nieuws?pagina=2'],
  ] as const) {
    expect([await ask(at)?.text(), ask(at)?.headers.get('cache-control')]).toEqual([found, 'no-store'])
  }
  for (const at of ['/nieuws?pagina=3', '/nieuws?rubriek=x', '/nieuws?verzonden=1.x']) expect(ask(at)).toBeUndefined()
})

test('concurrent requests share one rendering, and a failed one is repeated', async () => {
  const cache = new PageCache()
  let made = 0
  const ask = (work: () => Promise<unknown>) =>
    cache.getOrRender('/', async () => {
      made++
      await work()
      return anAnswer('of all')
    })
  const failing = Array.from({ length: 50 }, () => ask(() => Promise.reject(new Error('not now'))))
  expect(new Set((await Promise.allSettled(failing)).map((one) => one.status))).toEqual(new Set(['rejected']))
  expect(made).toBe(1)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(() => Promise.resolve())))
  expect(made).toBe(2)
  expect(new Set(answers).size).toBe(1)
})

test('a request after an invalidation does not get a rendering that began before it', async () => {
  const cache = new PageCache()
  let finish = () => {}
  const slow = cache.getOrRender('/', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return anAnswer('of before')
  })
  cache.invalidate(['site'])
  expect((await cache.getOrRender('/', () => anAnswer('of after'))).identity.body.toString()).toBe('of after')
  finish()
  await slow
  expect((await cache.getOrRender('/', () => anAnswer('again'))).identity.body.toString()).toBe('of after')
})

test('a tag evicts its responses, the tag `site` everything except immutable files', async () => {
  const cache = new PageCache()
  const made: string[] = []
  const ask = async () => {
    made.length = 0
    for (const [url, tags] of [
      ['/', ['page:/', 'page']],
      ['/disclaimer', ['page:/disclaimer', 'page']],
      ['/icon.png', ['site']],
      ['/logo.svg', []],
    ] as const) {
      await cache.getOrRender(url, () => {
        made.push(url)
        return anAnswer(url, [...tags])
      })
    }
    return made
  }
  expect(await ask()).toHaveLength(4)
  expect(await ask()).toEqual([])
  cache.invalidate(['page:/disclaimer'])
  expect(await ask()).toEqual(['/disclaimer'])
  cache.invalidate(['page'])
  expect(await ask()).toEqual(['/', '/disclaimer'])
  for (const all of [['site'], 'all'] as const) {
    cache.invalidate(all as string[] | 'all')
    expect(await ask()).toEqual(['/', '/disclaimer', '/icon.png'])
  }
})

test('the cache is bounded: the least recently used response is evicted first', async () => {
  const cache = new PageCache()
  const large = 'x'.repeat(1_048_576)
  for (let at = 0; at < 60; at++) await cache.getOrRender(`/${at}`, () => anAnswer(large))
  let made = 0
  const again = () => {
    made++
    return anAnswer(large)
  }
  await cache.getOrRender('/59', again)
  expect(made).toBe(0)
  await cache.getOrRender('/0', again)
  expect(made).toBe(1)
})
