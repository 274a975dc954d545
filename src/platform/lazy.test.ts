import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('a failure is not remembered, and only what was made is found without making it', async () => {
  let calls = 0
  const get = lazy(async () => {
    calls++
    if (calls === 1) throw new Error('EMFILE: too many open files')
    return 'loaded'
  })

  expect(await get.ifCreated()).toBeUndefined()
  const failing = get()
  expect(await get.ifCreated()).toBeUndefined()
  await expect(failing).rejects.toThrow('EMFILE')
  expect([await get(), await get(), await get.ifCreated(), calls]).toEqual(['loaded', 'loaded', 'loaded', 2])
})
