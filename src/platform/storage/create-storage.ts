import { join } from 'node:path'
import { localStorage } from './local.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** The configured storage; by default `files/` in the data folder. */
export function createStorage(settings: { storageUrl?: string | undefined; dataDir: string }): Storage {
  return settings.storageUrl
    ? s3Storage(settings.storageUrl, join(settings.dataDir, 'arriving'))
    : localStorage(join(settings.dataDir, 'files'))
}
