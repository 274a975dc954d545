import { expect, test } from 'vitest'
import { createQueryClient } from './admin.tsx'
import { ApiRefusal, Unreachable } from './client.ts'

test('a query is tried again when the server was not reached or was away for the moment, and only then', () => {
  const { retry } = createQueryClient().getDefaultOptions().queries ?? {}
  const isRetried = (error: Error, count = 0) => typeof retry === 'function' && retry(count, error)
  const refusal = (status: number) => new ApiRefusal({ title: '', status, detail: '', code: 'unavailable', errors: [] })

  expect(isRetried(new Unreachable())).toBe(true)
  expect([502, 503, 504].map((status) => isRetried(refusal(status)))).toEqual([true, true, true])
  expect([403, 404, 422, 500].map((status) => isRetried(refusal(status)))).toEqual([false, false, false, false])
  expect(isRetried(new TypeError('undefined is not a function'))).toBe(false)
  expect(isRetried(new Unreachable(), 2)).toBe(false)
})
