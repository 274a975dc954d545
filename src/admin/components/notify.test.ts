import { expect, test, vi } from 'vitest'
import { states } from '../../i18n/nl/admin.ts'
import { ApiRefusal, problemOf } from '../client.ts'
import { loadLanguage } from '../i18n.ts'
import { reasonOf } from './notify.tsx'

test('an error page of a proxy without a status text has a reason too', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  vi.unstubAllGlobals()
  const reason = async (status: number) => reasonOf(new ApiRefusal(await problemOf(new Response('<html>', { status }))))
  expect(await reason(502)).toBe(states.unreachable)
  expect(await reason(413)).toBe(states.broken)
})
