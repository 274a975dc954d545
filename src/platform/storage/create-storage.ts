import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../sync-path.ts'
import { s3Storage } from './s3.ts'
import { type Storage, storageKeyParts } from './storage.ts'

/** Creates the storage of uploads: the bucket of STORAGE_URL, or else the folder `files/` in the data folder. */
export function createStorage(settings: { storageUrl?: string | undefined; dataDir: string }): Storage {
  return settings.storageUrl ? s3Storage(settings.storageUrl) : folderStorage(join(settings.dataDir, 'files'))
}

function folderStorage(root: string): Storage {
  const pathOf = (key: string) => join(root, ...storageKeyParts(key))
  return {
    async put(key, path) {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await move(path, target)
      // Directory entries must be on disk too before the upload is acknowledged.
      await syncPath(dirname(target))
      await syncPath(root)
    },
    async read(key, range) {
      const stream = createReadStream(pathOf(key), range)
      return once(stream, 'open').then(() => stream, undefinedIfMissing)
    },
    async list(blobId) {
      const names = await readdir(pathOf(blobId)).catch(undefinedIfMissing)
      // A copy in progress, see `move`, is included under its temporary name.
      return (names ?? []).sort().map((name) => `${blobId}/${name}`)
    },
    async localFile(key) {
      const path = pathOf(key)
      const isStored = await access(path).then(() => true, undefinedIfMissing)
      // If the folder is empty, its disk may not be mounted: then reading the path fails, which is retried.
      if (!isStored && (await readdir(root)).length > 0) throw new Error(`nothing is stored as ${key}`)
      return path
    },
    remove: (blobId) => rm(pathOf(blobId), { recursive: true, force: true }),
    async close() {},
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // `to` is on another disk: the file is copied under a temporary name, and renamed when it is complete.
    const copy = `${to}.${randomUUID()}`
    try {
      await copyFile(from, copy)
      await syncPath(copy)
      await rename(copy, to)
    } catch (copyError) {
      await rm(copy, { force: true })
      throw copyError
    }
    await rm(from, { force: true })
  }
}

/** For `catch`: returns undefined for a missing file. @throws any other error */
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
