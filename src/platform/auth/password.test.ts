import { expect, test } from 'vitest'
import { hashPassword, withHashPriority } from './password.ts'

test('a known browser is served before anonymous clients, also when their queue is full', async () => {
  const done: string[] = []
  const note = (name: string) => () => void done.push(name)
  const crowd = Array.from({ length: 102 }, (_, number) => hashPassword(`woord-${number}`).then(note('stranger')))
  await expect(hashPassword('nog een')).rejects.toMatchObject({ code: 'unavailable' })
  await withHashPriority(() => hashPassword('bekend')).then(note('known'))
  expect(done.indexOf('known')).toBeLessThan(10)
  await Promise.all(crowd)
})
