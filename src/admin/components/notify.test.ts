import { expect, test, vi } from 'vitest'
import { ApiRefusal, problemOf } from '../client.ts'
import { loadLanguage } from '../i18n.ts'
import { reasonOf } from './notify.tsx'

test('an error page of a proxy without a status text has a reason too', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  vi.unstubAllGlobals()
  const problem = await problemOf(new Response('<html>', { status: 502 }))
  expect(reasonOf(new ApiRefusal(problem))).toMatch(/\w/)
})
