import { environmentManager } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from './admin.tsx'
import { ApiRefusal, Unreachable } from './client.ts'
import { sendsMailKey, storeSendsMail } from './components/states.tsx'
import { removeFetchedData } from './features/privacy/privacy-page.tsx'
import { siteLanguagesKey, storeSiteLanguages } from './site-languages.ts'

test('a query is retried after a network error or the status 502, 503 or 504, and after no other error', () => {
  const { retry } = createQueryClient().getDefaultOptions().queries ?? {}
  const isRetried = (error: Error, count = 0) => typeof retry === 'function' && retry(count, error)
  const refusal = (status: number) => new ApiRefusal({ title: '', status, detail: '', code: 'unavailable', errors: [] })

  expect(isRetried(new Unreachable())).toBe(true)
  expect([502, 503, 504].map((status) => isRetried(refusal(status)))).toEqual([true, true, true])
  expect([403, 404, 422, 500].map((status) => isRetried(refusal(status)))).toEqual([false, false, false, false])
  expect(isRetried(new TypeError('undefined is not a function'))).toBe(false)
  expect(isRetried(new Unreachable(), 2)).toBe(false)
})

test('after personal data is erased, the query cache keeps only what came with the HTML page, also while nothing uses it', () => {
  vi.useFakeTimers()
  // On a server nothing that is unused is collected.
  environmentManager.setIsServer(() => false)
  onTestFinished(() => {
    vi.useRealTimers()
    environmentManager.setIsServer(() => true)
  })
  const queries = createQueryClient()
  storeSiteLanguages(queries, { locales: ['de'] })
  storeSendsMail(queries, true)
  queries.setQueryData(['users', 'one', 1], { name: 'Roya' })
  vi.advanceTimersByTime(60_000)
  removeFetchedData(queries)
  expect(queries.getQueryData(['users', 'one', 1])).toBeUndefined()
  vi.advanceTimersByTime(3_600_000)
  expect(queries.getQueryData(siteLanguagesKey)).toMatchObject({ locales: ['de'] })
  expect(queries.getQueryData(sendsMailKey)).toBe(true)
})
