import { existsSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aTempFolder } from '../../../test/support/databases.ts'
import { refuseWhileRestoring, whileRestoring } from './restoring.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a second restore of the same site is refused, and leaves the first alone', async () => {
  const folder = aTempFolder()
  const marker = join(folder, 'restoring')
  await whileRestoring(folder, async () => {
    const work = vi.fn()
    await expect(whileRestoring(folder, work)).rejects.toThrow(/replaces by that of a backup/)
    expect(work).not.toHaveBeenCalled()
    expect(existsSync(marker)).toBe(true)
  })
  expect(existsSync(marker)).toBe(false)
})

test('a restore goes on when the file that marks it was removed or cannot be written', async () => {
  const folder = aTempFolder()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await whileRestoring(join(folder, 'data'), async () => {
    const marker = join(folder, 'data', 'restoring')
    rmSync(marker)
    vi.advanceTimersByTime(10_000)
    expect(existsSync(marker)).toBe(true)
    rmSync(join(folder, 'data'), { recursive: true })
    expect(() => vi.advanceTimersByTime(10_000)).not.toThrow()
  })
})

test('a restore that was killed does not count for longer than a minute when the clock is set back', async () => {
  const folder = aTempFolder()
  await whileRestoring(folder, async () => {
    const ahead = new Date(Date.now() + 2 * 60 * 60_000)
    utimesSync(join(folder, 'restoring'), ahead, ahead)
    expect(() => refuseWhileRestoring(folder)).not.toThrow()
  })
})
