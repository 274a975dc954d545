import { expect, test } from 'vitest'
import { KeptAnswers, makeAnswer } from './kept-answers.ts'

const anAnswer = (text: string, tags = ['page']) =>
  makeAnswer({ body: Buffer.from(text), headers: [['Content-Type', 'text/plain']], tags, packs: false })

test('what was begun before a change is not kept after it', async () => {
  const kept = new KeptAnswers()
  let finish = () => {}
  const slow = kept.findOrMake('/', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return anAnswer('of before')
  })
  kept.drop(['site'])
  finish()
  expect((await slow).identity.body.toString()).toBe('of before')
  expect((await kept.findOrMake('/', () => anAnswer('of after'))).identity.body.toString()).toBe('of after')
})

test('what many ask for at the same moment is made once, and again when that went wrong', async () => {
  const kept = new KeptAnswers()
  let made = 0
  const ask = (work: () => Promise<unknown>) =>
    kept.findOrMake('/', async () => {
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

test('who asks after a change does not get what was begun before it', async () => {
  const kept = new KeptAnswers()
  let finish = () => {}
  const slow = kept.findOrMake('/', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return anAnswer('of before')
  })
  kept.drop(['site'])
  expect((await kept.findOrMake('/', () => anAnswer('of after'))).identity.body.toString()).toBe('of after')
  finish()
  await slow
  expect((await kept.findOrMake('/', () => anAnswer('again'))).identity.body.toString()).toBe('of after')
})

test('a change drops what carries its tag, a change of the site everything but what never changes', async () => {
  const kept = new KeptAnswers()
  const made: string[] = []
  const ask = async () => {
    made.length = 0
    for (const [url, tags] of [
      ['/', ['page:/', 'page']],
      ['/disclaimer', ['page:/disclaimer', 'page']],
      ['/icon.png', ['site']],
      ['/logo.svg', []],
    ] as const) {
      await kept.findOrMake(url, () => {
        made.push(url)
        return anAnswer(url, [...tags])
      })
    }
    return made
  }
  expect(await ask()).toHaveLength(4)
  expect(await ask()).toEqual([])
  kept.drop(['page:/disclaimer'])
  expect(await ask()).toEqual(['/disclaimer'])
  kept.drop(['page'])
  expect(await ask()).toEqual(['/', '/disclaimer'])
  for (const all of [['site'], 'all'] as const) {
    kept.drop(all as string[] | 'all')
    expect(await ask()).toEqual(['/', '/disclaimer', '/icon.png'])
  }
})

test('addresses without end do not fill the memory: what was not asked for longest goes', async () => {
  const kept = new KeptAnswers()
  const large = 'x'.repeat(1_048_576)
  for (let at = 0; at < 60; at++) await kept.findOrMake(`/${at}`, () => anAnswer(large))
  let made = 0
  const again = () => {
    made++
    return anAnswer(large)
  }
  await kept.findOrMake('/59', again)
  expect(made).toBe(0)
  await kept.findOrMake('/0', again)
  expect(made).toBe(1)
})
