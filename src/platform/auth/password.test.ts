import { expect, test } from 'vitest'
import { beforeStrangers, hashPassword } from './password.ts'

test('who is known goes before a crowd of strangers, and is taken when the crowd is too large for one more', async () => {
  const done: string[] = []
  const note = (name: string) => () => void done.push(name)
  const crowd = Array.from({ length: 102 }, (_, number) => hashPassword(`woord-${number}`).then(note('stranger')))
  await expect(hashPassword('nog een')).rejects.toMatchObject({ code: 'unavailable' })
  await beforeStrangers(() => hashPassword('bekend')).then(note('known'))
  expect(done.indexOf('known')).toBeLessThan(10)
  await Promise.all(crowd)
})
