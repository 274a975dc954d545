import fs, { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { ReadableStream } from 'node:stream/web'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTemporaryFiles } from '../../src/platform/storage/temporary-files.ts'
import { aTempFolder } from '../support/databases.ts'

test('leftovers of ended processes are removed, and nothing that a running process works with', async () => {
  const folder = join(aTempFolder(), 'arriving')
  mkdirSync(folder)
  const day = 24 * 60 * 60_000
  const left = (name: string, ageMs = 0) => {
    const path = join(folder, name)
    writeFileSync(path, 'some bytes')
    const at = new Date(Date.now() - ageMs)
    utimesSync(path, at, at)
    return path
  }
  const ofEndedProcess = left(`${2 ** 22 + 1}-a`)
  // As in a container, where each start has the same process id.
  const ofEarlierStart = left(`${process.pid}-b`)
  const ofOtherProcess = left(`${process.ppid}-c`)
  const abandoned = left(`${process.ppid}-d`, day)
  const files = createTemporaryFiles(folder)
  const body = new Blob(['an upload that takes long']).stream() as ReadableStream<Uint8Array>

  await files.receive(body, 1_000, async ({ path: upload }) => {
    await files.withFolder(async (results) => {
      const old = new Date(Date.now() - day)
      for (const path of [upload, results]) utimesSync(path, old, old)
      await files.removeLeftovers(new Date())
      expect([upload, results, ofOtherProcess].map(existsSync)).toEqual([true, true, true])
      expect([ofEndedProcess, ofEarlierStart, abandoned].map(existsSync)).toEqual([false, false, false])
    })
  })
})

test.each(['sync', 'close'] as const)(
  'a disk that fails at the end of an upload (%s) is not taken for a client that left',
  async (step) => {
    const failure = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    const { open } = fs.promises
    vi.spyOn(fs.promises, 'open').mockImplementation(async (...options) => {
      const file = await open(...options)
      const done = file[step].bind(file)
      file[step] = async () => {
        await done()
        throw failure
      }
      return file
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    const body = new Blob(['an upload']).stream() as ReadableStream<Uint8Array>
    const received = createTemporaryFiles(aTempFolder()).receive(body, 1_000, async () => {})

    await expect(received).rejects.toBe(failure)
  },
)
