import { describe, expect, test } from 'vitest'
import { hasRight, holdsAll, isRight, type Right, rights } from './rights.ts'

const holding = (...held: Right[]) => ({ rights: held })

describe('spec 6 rights check', () => {
  test('an empty list passes for any signed-in user', () => {
    expect(hasRight(holding(), [])).toBe(true)
    expect(hasRight(holding(...rights), [])).toBe(true)
  })

  test('one of several rights is enough, at any position in either list', () => {
    for (const held of rights) {
      expect(hasRight(holding(held), rights)).toBe(true)
      expect(hasRight(holding(...rights), [held])).toBe(true)
      expect(hasRight(holding(held), [...rights].reverse())).toBe(true)
    }
  })

  test('none of them is not enough', () => {
    for (const wanted of rights) {
      expect(hasRight(holding(), [wanted])).toBe(false)
      expect(hasRight(holding(...rights.filter((right) => right !== wanted)), [wanted])).toBe(false)
    }
    expect(hasRight(holding('users.read'), ['users.write', 'roles.write'])).toBe(false)
  })

  test('it fails when nobody is signed in, also for an empty list', () => {
    expect(hasRight(undefined, [])).toBe(false)
    expect(hasRight(undefined, rights)).toBe(false)
    expect(holdsAll(undefined, [])).toBe(false)
  })
})

test('holding all rights is stricter than holding one of them', () => {
  expect(holdsAll(holding('users.read'), ['users.read', 'users.write'])).toBe(false)
  expect(holdsAll(holding('users.write', 'users.read'), ['users.read', 'users.write'])).toBe(true)
  expect(holdsAll(holding(), [])).toBe(true)
})

test.each(['users', 'users.all', '', 'toString', 'USERS.READ', 'users.read '])('%j is not a right', (name) =>
  expect(isRight(name)).toBe(false),
)
