import { open } from 'node:fs/promises'

/** Flushes a file to the disk; for a folder, the names of its files. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
