import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ExplainedError } from '../../i18n/reason.ts'
import { type BackupTarget, readSize } from '../../platform/archive/backup-target.ts'
import { hashFile } from '../../platform/storage/temporary-files.ts'

/** The archive is no longer at its target as it was stored. */
export class LostArchive extends ExplainedError {}

/** A backup as recorded: `bytes` is all that it stored, of which the archive is a part; 0 and an empty hash are unknown. */
export interface StoredArchive {
  target: BackupTarget
  name: string
  bytes: number
  hash: string
}

/** The size of an archive at its target. @throws {LostArchive} when it is gone, or larger than what was stored */
export async function sizeOfArchive({ target, name, bytes: stored }: StoredArchive): Promise<number> {
  const maxBytes = stored > 0 ? stored : Number.POSITIVE_INFINITY
  const listed = (await target.list('')).find((file) => file.name === name)
  const bytes = listed?.bytes ?? (await readSize(target, name, maxBytes))
  if (bytes === undefined) throw gone(target, name)
  if (bytes > maxBytes) throw grown(name, maxBytes)
  return bytes
}

/**
 * Downloads an archive once, so that the check and the restore read the same file. The target gives up when no byte comes for a while.
 * @param bytes its size; the download ends when more come
 * @returns the path
 * @throws {LostArchive}; {TargetFailure}
 */
export async function fetchArchive(
  { target, name, hash }: StoredArchive,
  { bytes, folder, signal }: { bytes: number; folder: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const content = await target.read(name)
  if (!content) throw gone(target, name)
  const path = join(folder, name)
  const downloaded = Readable.from(bounded(content, bytes, name))
  await writeFile(path, downloaded, { mode: 0o600, flag: 'wx', ...(signal && { signal }) })
  const found = await hashFile(path)
  // The run of the backup from which this site was restored has no hash.
  if (hash !== '' && found.hash !== hash) {
    throw new LostArchive({ key: 'archiveAltered', archive: name, bytes: found.bytes })
  }
  return path
}

async function* bounded(content: AsyncIterable<Uint8Array>, bytes: number, name: string): AsyncGenerator<Uint8Array> {
  let found = 0
  for await (const chunk of content) {
    found += chunk.length
    if (found > bytes) throw grown(name, bytes)
    yield chunk
  }
}

const gone = ({ label }: BackupTarget, name: string) =>
  new LostArchive({ key: 'archiveGone', target: label, archive: name })

const grown = (name: string, bytes: number) => new LostArchive({ key: 'archiveGrown', archive: name, bytes })
