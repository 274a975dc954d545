import { expect, test } from 'vitest'
import { wouldOverwrite } from './versioned-form.tsx'

const before = { name: 'Roya', roles: ['editor'], smtp: { host: 'a.example', password: '' } }
const withHost = (host: string, password = '') => ({ ...before, smtp: { host, password } })

test('the own save is recognised, also with a password, which is never read back, and with spaces that are trimmed', () => {
  expect(wouldOverwrite(before, withHost('b.example'), withHost(' b.example ', 'geheim'))).toBe(false)
})

test('a change of other values is kept, and one of the same value or list is asked about', () => {
  expect(wouldOverwrite(before, before, withHost('b.example'))).toBe(false)
  expect(wouldOverwrite(before, withHost('b.example'), { ...withHost('b.example'), name: 'Roya B.' })).toBe(false)
  expect(wouldOverwrite(before, withHost('b.example'), withHost('c.example'))).toBe(true)
  expect(wouldOverwrite(before, withHost('b.example'), { ...before, name: 'Roya B.' })).toBe(true)
  expect(wouldOverwrite(before, { ...before, roles: ['admin'] }, { ...before, roles: ['admin', 'editor'] })).toBe(true)
})
