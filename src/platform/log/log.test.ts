import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a secret that is logged by mistake is hidden, at the top of the object and in objects within it', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  log.info({ token: 'geheim-1' })
  log.info({ user: { password: 'geheim-2' } })
  log.info({ request: { headers: { cookie: 'geheim-3', authorization: 'geheim-4' } } })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain('geheim')
  expect(lines[0]).toContain('"token":"[hidden]"')
})
