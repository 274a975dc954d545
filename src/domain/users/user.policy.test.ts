import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Right, rights } from '../../contract/rights.ts'
import { canChangeRole, canDeleteRole, canSeeRoles } from '../roles/role.policy.ts'
import { canBlockUser, canChangeUser, canGiveRole, canSeeUsers } from './user.policy.ts'

const some = fc.subarray([...rights])
const without = (all: readonly Right[], gone: Right) => all.filter((right) => right !== gone)

test('a user with all rights may do everything except lock themselves out', () => {
  fc.assert(
    fc.property(some, some, (held, given) => {
      const all = { id: 1, rights }
      expect(canChangeUser(all, { rights: held })).toBe(true)
      expect(canGiveRole(all, { rights: given })).toBe(true)
      expect(canChangeRole(all, { rights: held }, { rights: given })).toBe(true)
      expect(canBlockUser(all, { id: 2, rights: held })).toBe(true)
      expect(canBlockUser(all, { id: 1, rights: held })).toBe(false)
    }),
  )
})

test('one missing right is enough to be refused, whether the target had it before or gets it', () => {
  fc.assert(
    fc.property(some, some, fc.constantFrom(...rights), (mine, theirs, lacking) => {
      const actor = { id: 1, rights: without([...mine, 'users.write', 'roles.write'], lacking) }
      const stronger = { id: 2, rights: [...theirs, lacking] }
      const weaker = { id: 2, rights: [] }
      expect(canChangeUser(actor, stronger)).toBe(false)
      expect(canBlockUser(actor, stronger)).toBe(false)
      expect(canGiveRole(actor, stronger)).toBe(false)
      expect(canChangeRole(actor, stronger, weaker)).toBe(false)
      expect(canChangeRole(actor, weaker, stronger)).toBe(false)
      expect(canDeleteRole(actor, { ...stronger, users: 0 })).toBe(false)
    }),
  )
})

test('without the right to write no user can be changed; reading needs one of the two rights', () => {
  fc.assert(
    fc.property(some, (mine) => {
      const actor = { id: 1, rights: without(mine, 'users.write') }
      expect(canChangeUser(actor, { rights: [] })).toBe(false)
      expect(canGiveRole(actor, { rights: [] })).toBe(false)
      expect(canSeeUsers(actor)).toBe(mine.includes('users.read'))
      expect(canChangeRole({ rights: without(mine, 'roles.write') }, { rights: [] })).toBe(false)
    }),
  )
  expect(canSeeUsers({ rights: ['users.write'] })).toBe(true)
  expect(canSeeRoles({ rights: ['pages.write'] })).toBe(false)
})

test('a role in use, and the base role, cannot be deleted', () => {
  const all = { rights }
  expect(canDeleteRole(all, { id: 3, rights: [], users: 0 })).toBe(true)
  expect(canDeleteRole(all, { id: 3, rights: [], users: 1 })).toBe(false)
  expect(canDeleteRole(all, { id: 1, rights: [], users: 0 })).toBe(false)
})
