import { expect, test } from 'vitest'
import { ApiRefusal, Unreachable } from '../../client.ts'
import { backupsQuery } from './backups.ts'

test('the list of backups is fetched again after a first failure, but not after the session ended', () => {
  const { refetchInterval } = backupsQuery
  const intervalAfter = (error: Error) =>
    typeof refetchInterval === 'function' && refetchInterval({ state: { data: undefined, error } } as never)
  expect(intervalAfter(new Unreachable())).toBe(60_000)
  const signedOut = { type: '', title: '', detail: '', status: 401, code: 'signed_out', errors: [] } as const
  expect(intervalAfter(new ApiRefusal(signedOut as never))).toBe(false)
})
