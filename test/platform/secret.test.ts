import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepSecret } from '../../src/platform/config/secret.ts'
import { aFolder } from '../support/databases.ts'

test('a secret is made once and kept where only its owner reads', () => {
  const folder = join(aFolder(), 'data')
  const secret = keepSecret(folder, undefined)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(keepSecret(folder, undefined)).toBe(secret)
  expect(keepSecret(aFolder(), undefined)).not.toBe(secret)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

test('the setting wins, and nothing is written then', () => {
  const folder = join(aFolder(), 'data')
  expect(keepSecret(folder, 'x'.repeat(32))).toBe('x'.repeat(32))
  expect(() => statSync(folder)).toThrow('ENOENT')
})

test('a cut-off secret stops the start and is not shown', () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'secret'), 'abcdef')
  expect(() => keepSecret(folder, undefined)).toThrow(/holds 6 characters; at least 32 are wanted/)
  expect(() => keepSecret(folder, undefined)).not.toThrow(/abcdef/)
})
