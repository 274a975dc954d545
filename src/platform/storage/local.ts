import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { partsOf } from './key.ts'
import type { Storage } from './storage.ts'

/** Uploads as files on this machine. */
export function localStorage(root: string): Storage {
  const pathOf = (key: string) => join(root, ...partsOf(key))
  return {
    kind: 'local',
    async put(key, path) {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await moved(path, target)
      // The name is on disk too before anybody is told that the file is there.
      await synced(dirname(target))
      await synced(root)
    },
    async read(key, range) {
      const stream = createReadStream(pathOf(key), { ...range, highWaterMark: 256 * 1024 })
      return once(stream, 'open').then(() => stream, nothingThere)
    },
    withFile: (key, work) => work(pathOf(key)),
    remove: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
    async close() {},
  }
}

async function moved(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // Another disk: copied beside its place, and put there when it is whole.
    const beside = `${to}.${randomUUID()}`
    try {
      await copyFile(from, beside)
      await synced(beside)
      await rename(beside, to)
    } catch (failed) {
      await rm(beside, { force: true })
      throw failed
    }
    await rm(from, { force: true })
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
