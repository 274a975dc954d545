import { open } from 'node:fs/promises'

/** Waits until a file is on the disk; of a folder, the names in it. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
