import { notificationsStore } from '@mantine/notifications'
import { expect, onTestFinished, test, vi } from 'vitest'
import { states } from '../../i18n/nl/admin.ts'
import { ApiRefusal, parseProblem } from '../client.ts'
import { loadLanguage } from '../i18n.ts'
import { notify, notifyNewVersion, reasonOf } from './notify.tsx'

test('an error page of a proxy without a status text has a reason too', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  vi.unstubAllGlobals()
  const reason = async (status: number) =>
    reasonOf(new ApiRefusal(await parseProblem(new Response('<html>', { status }))))
  expect(await reason(502)).toBe(states.unreachable)
  expect(await reason(413)).toBe(states.broken)
})

test('a new notification is shown at once: it replaces the oldest that closes by itself, and none when it is shown already', () => {
  const before = notificationsStore.getState()
  onTestFinished(() => notificationsStore.setState(before))
  // As the admin shows them.
  notificationsStore.setState({ ...before, limit: 3 })
  notifyNewVersion()
  for (const name of ['Eerste', 'Tweede', 'Derde']) notify(name)
  notifyNewVersion()
  const { notifications, queue } = notificationsStore.getState()
  expect(queue).toEqual([])
  expect(notifications.map(({ id, message }) => (id === 'replaced' ? id : JSON.stringify(message)))).toEqual([
    'replaced',
    expect.stringContaining('Tweede'),
    expect.stringContaining('Derde'),
  ])
})
