import { expect, test } from 'vitest'
import { withRealPasswordCost } from '../../../test/support/password-cost.ts'
import { hashPassword, verifyPassword, withHashPriority } from './password.ts'

test('a password is hashed by Argon2id with the parameters of OWASP', () =>
  withRealPasswordCost(async () => {
    const hash = await hashPassword('geheim-123')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await verifyPassword({ hash, password: 'geheim-123' })).toBe(true)
    expect(await verifyPassword({ hash, password: 'geheim-124' })).toBe(false)
  }))

test('a known browser is served before anonymous clients, also when their queue is full', async () => {
  const done: string[] = []
  const note = (name: string) => () => void done.push(name)
  const crowd = Array.from({ length: 102 }, (_, number) => hashPassword(`woord-${number}`).then(note('visitor')))
  await expect(hashPassword('nog een')).rejects.toMatchObject({ code: 'unavailable' })
  await withHashPriority(() => hashPassword('bekend')).then(note('known'))
  expect(done.indexOf('known')).toBeLessThan(60)
  await Promise.all(crowd)
})
