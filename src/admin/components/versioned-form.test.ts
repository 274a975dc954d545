import { expect, test } from 'vitest'
import { changedSince, wouldOverwrite } from './versioned-form.tsx'

const before = { name: 'Roya', roles: ['editor'], smtp: { host: 'a.example', password: '' } }
const withHost = (host: string, password = '') => ({ ...before, smtp: { host, password } })

test('the user’s own save is not taken for somebody else’s, although passwords are not read back and spaces are trimmed', () => {
  expect(wouldOverwrite(before, withHost('b.example'), withHost(' b.example ', 'geheim'))).toBe(false)
})

test('a save that would overwrite a value or list that somebody else changed asks first; changes of other values stay', () => {
  expect(wouldOverwrite(before, before, withHost('b.example'))).toBe(false)
  expect(wouldOverwrite(before, withHost('b.example'), { ...withHost('b.example'), name: 'Roya B.' })).toBe(false)
  expect(wouldOverwrite(before, withHost('b.example'), withHost('c.example'))).toBe(true)
  expect(wouldOverwrite(before, withHost('b.example'), { ...before, name: 'Roya B.' })).toBe(true)
  expect(wouldOverwrite(before, { ...before, roles: ['admin'] }, { ...before, roles: ['admin', 'editor'] })).toBe(true)
})

test('of what is typed while a form is saved, only the changed values stay, although the form copies all of them', () => {
  const sent = { name: 'Roya', roles: ['editor'], smtp: { host: 'a.example' } }
  expect(changedSince(sent, { ...structuredClone(sent), name: 'Roya B.' })).toEqual({ name: 'Roya B.' })
})
