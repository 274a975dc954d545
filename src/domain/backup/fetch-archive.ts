import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ExplainedError } from '../../i18n/reason.ts'
import { type BackupTarget, readSize } from '../../platform/archive/backup-target.ts'
import { hashFile } from '../../platform/storage/temporary-files.ts'

/** The archive is missing at its target, or differs from what was stored. */
export class LostArchive extends ExplainedError {}

/** The archive of a backup as its run records it. */
export interface StoredArchive {
  target: BackupTarget
  name: string
  /** Of the archive and its new blob files; 0 when unknown. */
  bytes: number
  /** SHA-256 in hex; empty when unknown. */
  hash: string
}

/** The size of an archive at its target, in bytes. @throws {LostArchive} when it is missing, or larger than what was stored */
export async function sizeOfArchive({ target, name, bytes: storedBytes }: StoredArchive): Promise<number> {
  const maxBytes = storedBytes > 0 ? storedBytes : Number.POSITIVE_INFINITY
  const listed = (await target.list('')).find((file) => file.name === name)
  const bytes = listed?.bytes ?? (await readSize(target, name, maxBytes))
  if (bytes === undefined) throw missingError(target, name)
  if (bytes > maxBytes) throw tooLargeError(name, maxBytes)
  return bytes
}

/**
 * Downloads an archive into a folder, so that the check and the restore read the same file. It has no timeout, but
 * targets have one.
 * @param bytes the size of the archive; a longer download is ended
 * @returns the path
 * @throws {LostArchive}; {TargetFailure}
 */
export async function fetchArchive(
  { target, name, hash }: StoredArchive,
  { bytes, folder, signal }: { bytes: number; folder: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const content = await target.read(name)
  if (!content) throw missingError(target, name)
  const path = join(folder, name)
  const downloaded = Readable.from(limitedTo(content, bytes, name))
  await writeFile(path, downloaded, { mode: 0o600, flag: 'wx', ...(signal && { signal }) })
  const downloadedFile = await hashFile(path)
  // The run of the backup from which this site was restored has no hash.
  if (hash !== '' && downloadedFile.hash !== hash) {
    throw new LostArchive({ key: 'archiveAltered', archive: name, bytes: downloadedFile.bytes })
  }
  return path
}

/** @throws {LostArchive} when the content is longer than `maxBytes` */
async function* limitedTo(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLargeError(name, maxBytes)
    yield chunk
  }
}

const missingError = ({ label }: BackupTarget, name: string) =>
  new LostArchive({ key: 'archiveGone', target: label, archive: name })

const tooLargeError = (name: string, bytes: number) => new LostArchive({ key: 'archiveGrown', archive: name, bytes })
