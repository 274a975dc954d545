import { createHmac } from 'node:crypto'
import type { Reason } from '../../i18n/reason.ts'
import { type ArchiveItem, type ItemHandler, readItems, writeArchive } from '../../platform/archive/archive.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import {
  type BackupTarget,
  readSize,
  TargetFailure,
  type TargetFile,
  verifyStored,
} from '../../platform/archive/backup-target.ts'
import { NewerArchive, UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { hashContent } from '../../platform/storage/temporary-files.ts'
import { listCommittedBlobs } from './backup.queries.ts'
import { type BackupHead, type CheckedBackup, readBackupHead } from './check-backup.ts'
import { type BlobFile, type BlobFiles, blobFile, items } from './contents.ts'

/*
 * Blobs never change, so backups at one target share them: each blob is in one encrypted blob file, in a folder next to
 * the archives, and each archive lists the blob files that it needs.
 */

/** The target of the archives and their blob files, with the site's key. */
interface KeyedTarget {
  target: BackupTarget
  key: BackupKey
  signal?: AbortSignal
}

/**
 * Each site and key has a folder of its own, so that every file in it belongs to the site and can be decrypted with the
 * key.
 */
const folderNameFor = (key: BackupKey, siteId: string): string =>
  `etalage-files-${keyedHash(key, ['folder', siteId]).slice(0, 32)}`

/**
 * The name depends on the storage keys, so a blob with other objects than before gets another file. A hash reveals
 * nothing of them.
 */
const fileNameFor = (key: BackupKey, storageKeys: readonly string[]): string =>
  `${keyedHash(key, ['blob', ...storageKeys])}.age`

const keyedHash = ({ identity }: BackupKey, values: readonly string[]): string =>
  createHmac('sha256', identity).update(JSON.stringify(values)).digest('hex')

const archiveNamePattern = /^etalage-.*\.tar\.age$/

/**
 * Writes the blob files that the target lacks, has in another size or damaged, or that the newest readable archive of
 * this site does not list.
 * @param damaged names of blob files that a proof (a test restore) found damaged
 * @returns the list for the archive, and the bytes that were written
 */
export async function writeBlobFiles(
  source: { db: Database; storage: Storage; siteId: string },
  keyedTarget: KeyedTarget,
  damaged: ReadonlySet<string>,
): Promise<{ blobFiles: BlobFiles; written: number }> {
  const folder = folderNameFor(keyedTarget.key, source.siteId)
  const storedSizes = await sizesIn(keyedTarget.target, folder, keyedTarget.signal)
  const listedBlobs = await findNewestBlobs(keyedTarget, source.siteId, folder)
  const blobs: BlobFiles['blobs'] = {}
  let written = 0
  for (const blobId of await listCommittedBlobs(source.db)) {
    keyedTarget.signal?.throwIfAborted()
    const keys = await source.storage.list(blobId)
    if (keys.length === 0) continue
    const name = fileNameFor(keyedTarget.key, keys)
    const earlier = listedBlobs[blobId]
    const isStored = earlier?.name === name && storedSizes.get(name) === earlier.bytes && !damaged.has(name)
    const file = isStored ? earlier : await writeBlobFile(source.storage, keys, keyedTarget, folder, name)
    if (!file) continue
    blobs[blobId] = file
    if (!isStored) written += file.bytes
  }
  return { blobFiles: { folder, blobs }, written }
}

/** Writes one blob file. @returns undefined, and stores nothing, when an object is gone because staff deleted the file */
async function writeBlobFile(
  storage: Storage,
  keys: readonly string[],
  keyedTarget: KeyedTarget,
  folder: string,
  name: string,
): Promise<BlobFile | undefined> {
  const path = `${folder}/${name}`
  const writtenItems: ArchiveItem[] = []
  const destination = {
    target: keyedTarget.target,
    name: path,
    ...(keyedTarget.signal && { signal: keyedTarget.signal }),
  }
  const objectGone = new Error('an object is gone')
  const written = await writeArchive(destination, keyedTarget.key.recipient, async (add) => {
    for (const key of keys) {
      const object = await storage.read(key)
      if (!object) throw objectGone
      writtenItems.push(await add(items.file(key), object))
    }
  }).catch((error) => {
    if (error === objectGone) return undefined
    throw error
  })
  if (!written) return undefined
  await verifyStored(keyedTarget.target, path, written, keyedTarget.signal)
  return { name, bytes: written.bytes, items: writtenItems }
}

/** The sizes of the files in a folder of the target, by name. */
async function sizesIn(target: BackupTarget, folder: string, signal?: AbortSignal): Promise<Map<string, number>> {
  return new Map((await target.list(folder, signal)).map(({ name, bytes }) => [name, bytes]))
}

/**
 * The blob files by blob id that the newest readable archive of this site with this folder lists; none without such an
 * archive.
 */
async function findNewestBlobs(keyedTarget: KeyedTarget, siteId: string, folder: string): Promise<BlobFiles['blobs']> {
  for (const { name } of (await listArchives(keyedTarget.target, keyedTarget.signal)).toReversed()) {
    const head = await readHead(keyedTarget, name).catch((error) => {
      if (error instanceof UnusableArchive) return undefined
      throw error
    })
    if (head?.header.siteId === siteId && head.blobFiles?.folder === folder) return head.blobFiles.blobs
  }
  return {}
}

/** The archives of a target, oldest first. */
async function listArchives(target: BackupTarget, signal?: AbortSignal): Promise<TargetFile[]> {
  const archives = (await target.list('', signal)).filter(({ name }) => archiveNamePattern.test(name))
  return archives.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Reads the beginning of an archive. @returns undefined when the archive is gone @throws {UnusableArchive} */
async function readHead({ target, key, signal }: KeyedTarget, name: string): Promise<BackupHead | undefined> {
  const content = await target.read(name)
  return content && readBackupHead({ label: `${target.label}/${name}`, content }, key.identity, signal)
}

/** @throws {TargetFailure} unless the target has each of these blob files, in its size */
export async function requireBlobFiles(
  { target }: Pick<KeyedTarget, 'target'>,
  { folder, blobs }: BlobFiles,
): Promise<void> {
  const storedSizes = await sizesIn(target, folder)
  const lost: BlobFile[] = []
  for (const file of Object.values(blobs)) {
    if (storedSizes.get(file.name) === file.bytes) continue
    // A listing may not have a file yet that was just written.
    if ((await readSize(target, `${folder}/${file.name}`, file.bytes)) !== file.bytes) lost.push(file)
  }
  if (lost.length === 0) return
  const name = lost[0]?.name ?? ''
  throw new TargetFailure({ key: 'targetLost', target: target.label, count: lost.length, name })
}

/**
 * A copy of the site with the same key may be making a backup at the target, which lists its blob files only when it is
 * done.
 */
const minUnusedAgeMs = 2 * 24 * 60 * 60_000

/**
 * Removes the blob files of this site that no archive at the target lists and that were stored more than
 * `minUnusedAgeMs` before the newest backup: newer ones may belong to a backup that is being made.
 * @param newest the archive name of the newest backup, or the time instead of it at a target that gets no more backups
 * @param ownArchives names of the archives that this site made at this target; others that cannot be opened are
 * ignored, unless they are of a newer version
 * @throws {UnusableArchive} when an archive of this site cannot be read; nothing is removed then
 */
export async function removeUnusedBlobFiles(
  keyedTarget: KeyedTarget,
  siteId: string,
  newest: string | Date,
  ownArchives: ReadonlySet<string>,
): Promise<void> {
  const folder = folderNameFor(keyedTarget.key, siteId)
  const listed = (await listArchives(keyedTarget.target)).toReversed()
  let archives: Pick<TargetFile, 'name'>[] = listed
  const storedAt = typeof newest === 'string' ? listed.find(({ name }) => name === newest)?.at : newest
  if (!storedAt) return
  const removableBefore = storedAt.getTime() - minUnusedAgeMs
  const isRemovable = (file: TargetFile) =>
    file.at.getTime() < removableBefore && blobFile.shape.name.safeParse(file.name).success
  const unused = new Set((await keyedTarget.target.list(folder)).filter(isRemovable).map(({ name }) => name))
  const readArchives = new Set<string>()
  // Reading archives takes time, so it is repeated for those that were added meanwhile.
  while (archives.length > 0) {
    for (const { name } of archives) {
      if (unused.size === 0) return
      readArchives.add(name)
      const head = await readHead(keyedTarget, name).catch((error) => {
        if (ownArchives.has(name) || error instanceof NewerArchive || !(error instanceof UnusableArchive)) throw error
        return undefined
      })
      if (head?.blobFiles?.folder !== folder) continue
      for (const file of Object.values(head.blobFiles.blobs)) unused.delete(file.name)
    }
    archives = (await listArchives(keyedTarget.target)).filter(({ name }) => !readArchives.has(name))
    // A target may list incompletely, so this site's archives are read whether listed or not; those that are gone are skipped.
    archives.push(...[...ownArchives].filter((name) => !readArchives.has(name)).map((name) => ({ name })))
  }
  for (const name of unused) await keyedTarget.target.remove(`${folder}/${name}`)
}

/** A blob file that cannot be used, and why. */
export interface UnusableBlobFile {
  blobId: string
  name: string
  reason: Reason | string
}

/** Reads all blob files of a backup, and compares their content with the list. @returns those that are missing or damaged */
export async function listUnusableBlobFiles(
  source: { target: BackupTarget; identity: string; signal?: AbortSignal },
  { folder, blobs }: BlobFiles,
): Promise<UnusableBlobFile[]> {
  const unusable: UnusableBlobFile[] = []
  for (const [blobId, file] of Object.entries(blobs)) {
    source.signal?.throwIfAborted()
    await readBlobFile(source, folder, file, async () => {}).catch((error) => {
      if (!(error instanceof UnusableArchive)) throw error
      unusable.push({ blobId, name: file.name, reason: error.reason })
    })
  }
  return unusable
}

/** Returns those of the blob ids whose objects the storage has, each with the size and hash that the backup lists. */
export async function findIntactBlobs(
  storage: Storage,
  { blobs }: BlobFiles,
  blobIds: readonly string[],
): Promise<Set<string>> {
  const intact = new Set<string>()
  for (const blobId of blobIds) {
    const file = blobs[blobId]
    if (file && (await isIntact(storage, file))) intact.add(blobId)
  }
  return intact
}

async function isIntact(storage: Storage, file: BlobFile): Promise<boolean> {
  for (const { name, bytes, hash } of file.items) {
    const object = await storage.read(name.slice(items.file('').length))
    if (!object) return false
    const actual = await hashContent(object, bytes)
    if (actual.bytes !== bytes || actual.hash !== hash) return false
  }
  return true
}

/**
 * Returns the backup without the blob files of some blobs, so that a restore does not read them.
 * @param lost the restore deletes the rows of their files, as of files that staff deleted during the backup
 * @param intact the storage has these blobs already
 */
export function withoutBlobFiles(
  backup: CheckedBackup,
  lost: readonly UnusableBlobFile[],
  intact: ReadonlySet<string>,
): CheckedBackup {
  const { blobFiles, manifest } = backup
  if (!blobFiles || lost.length + intact.size === 0) return backup
  const lostIds = new Set(lost.map(({ blobId }) => blobId))
  const isNeeded = (blobId: string) => !lostIds.has(blobId) && !intact.has(blobId)
  const blobs = Object.fromEntries(Object.entries(blobFiles.blobs).filter(([blobId]) => isNeeded(blobId)))
  const lostItems = new Set(
    [...lostIds].flatMap((blobId) => blobFiles.blobs[blobId]?.items.map(({ name }) => name) ?? []),
  )
  return {
    ...backup,
    manifest: { ...manifest, deletedBlobs: [...manifest.deletedBlobs, ...lostIds] },
    blobFiles: { ...blobFiles, blobs },
    files: backup.files.filter(({ name }) => !lostItems.has(name)),
  }
}

/**
 * A reason for people, with the number of unusable blob files and the first five causes.
 * @param all the number of all blob files
 */
export const describeUnusable = (unusable: readonly UnusableBlobFile[], all: number): Reason => ({
  key: 'filesUnusable',
  ...{ count: unusable.length, all },
  reasons: unusable.slice(0, 5).map(({ reason }) => reason),
})

/**
 * Reads the objects of a blob file.
 * @param handleItem as of `readArchive`; its content is verified only when the returned promise resolves
 * @throws {UnusableArchive} when the file is missing, damaged or not the listed one; {TargetFailure} when the whole
 * target fails
 */
export async function readBlobFile(
  { target, identity, signal }: { target: BackupTarget; identity: string; signal?: AbortSignal },
  folder: string,
  file: BlobFile,
  handleItem: ItemHandler,
): Promise<void> {
  const path = `${folder}/${file.name}`
  const content = await target.read(path)
  if (!content) throw new UnusableArchive({ key: 'fileMissing', archive: path })
  const expected = new Set(file.items.map(({ name }) => name))
  const handleExpected: ItemHandler = async (name, data) => {
    if (expected.has(name)) await handleItem(name, data)
  }
  const reading = readItems({ label: path, content }, identity, handleExpected, { ...(signal && { signal }) })
  const actualItems = await reading.catch((error) => {
    const cause = error instanceof TargetFailure ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
    // These concern this file alone: a bad sector, permissions, or a folder in its place.
    if (!/^(EIO|EACCES|EISDIR)$/.test(cause?.code ?? '')) throw error
    throw new UnusableArchive({ key: 'archiveNotRead', archive: path, detail: cause?.message ?? '' }, error)
  })
  if (JSON.stringify(actualItems) !== JSON.stringify(file.items)) {
    throw new UnusableArchive({ key: 'fileOther', archive: path })
  }
}
