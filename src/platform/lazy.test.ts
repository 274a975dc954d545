import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('a failed load is tried again, and ifCreated() returns only what was loaded before', async () => {
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
