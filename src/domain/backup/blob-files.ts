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
 * Stored files never change, so backups at one target share them: each blob is in one encrypted file, in a folder beside the
 * archives, and each archive lists those that it needs.
 */

interface At {
  target: BackupTarget
  key: BackupKey
  signal?: AbortSignal
}

/** The folder of a site and a key: files of others are not touched, and a file in it can be opened with the key. */
const folderOf = (key: BackupKey, siteId: string): string =>
  `etalage-files-${keyed(key, ['folder', siteId]).slice(0, 32)}`

/** Names tell nothing about the site. A blob with other objects than before gets another file. */
const nameOf = (key: BackupKey, keys: readonly string[]): string => `${keyed(key, ['blob', ...keys])}.age`

const keyed = ({ identity }: BackupKey, about: readonly string[]): string =>
  createHmac('sha256', identity).update(JSON.stringify(about)).digest('hex')

const archiveNames = /^etalage-.*\.tar\.age$/

/**
 * Stores each blob of the site beside the archives, unless an earlier backup did. A file that is missing, has another size or is
 * known to be damaged is written again.
 * @param damaged names of files that a proof found damaged
 * @returns what the archive lists, and the bytes that were written
 */
export async function writeBlobFiles(
  source: { db: Database; storage: Storage; siteId: string },
  at: At,
  damaged: ReadonlySet<string>,
): Promise<{ blobFiles: BlobFiles; written: number }> {
  const folder = folderOf(at.key, source.siteId)
  const present = await sizesIn(at.target, folder, at.signal)
  const known = await findNewestBlobs(at, source.siteId, folder)
  const blobs: BlobFiles['blobs'] = {}
  let written = 0
  for (const blobId of await listCommittedBlobs(source.db)) {
    at.signal?.throwIfAborted()
    const keys = await source.storage.list(blobId)
    if (keys.length === 0) continue
    const name = nameOf(at.key, keys)
    const earlier = known[blobId]
    const isStored = earlier?.name === name && present.get(name) === earlier.bytes && !damaged.has(name)
    const file = isStored ? earlier : await writeBlobFile(source.storage, keys, at, folder, name)
    if (!file) continue
    blobs[blobId] = file
    if (!isStored) written += file.bytes
  }
  return { blobFiles: { folder, blobs }, written }
}

/** Undefined, and nothing is stored, when an object is gone: staff deleted the file. */
async function writeBlobFile(
  storage: Storage,
  keys: readonly string[],
  at: At,
  folder: string,
  name: string,
): Promise<BlobFile | undefined> {
  const path = `${folder}/${name}`
  const stored: ArchiveItem[] = []
  const to = { target: at.target, name: path, ...(at.signal && { signal: at.signal }) }
  const gone = new Error('an object is gone')
  const written = await writeArchive(to, at.key.recipient, async (add) => {
    for (const key of keys) {
      const object = await storage.read(key)
      if (!object) throw gone
      stored.push(await add(items.file(key), object))
    }
  }).catch((error) => {
    if (error === gone) return undefined
    throw error
  })
  if (!written) return undefined
  await verifyStored(at.target, path, written, at.signal)
  return { name, bytes: written.bytes, items: stored }
}

async function sizesIn(target: BackupTarget, folder: string, signal?: AbortSignal): Promise<Map<string, number>> {
  return new Map((await target.list(folder, signal)).map(({ name, bytes }) => [name, bytes]))
}

/** The blobs of the newest archive of this site that can be read and has its files beside it. */
async function findNewestBlobs(at: At, siteId: string, folder: string): Promise<BlobFiles['blobs']> {
  for (const { name } of (await listArchives(at.target, at.signal)).toReversed()) {
    const head = await readHead(at, name).catch((error) => {
      if (error instanceof UnusableArchive) return undefined
      throw error
    })
    if (head?.header.siteId === siteId && head.blobFiles?.folder === folder) return head.blobFiles.blobs
  }
  return {}
}

/** The archives of a target, oldest first. */
async function listArchives(target: BackupTarget, signal?: AbortSignal): Promise<TargetFile[]> {
  const found = (await target.list('', signal)).filter(({ name }) => archiveNames.test(name))
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Undefined when the archive is gone. */
async function readHead({ target, key, signal }: At, name: string): Promise<BackupHead | undefined> {
  const content = await target.read(name)
  return content && readBackupHead({ label: `${target.label}/${name}`, content }, key.identity, signal)
}

/** @throws {TargetFailure} unless the target has each file, in its size */
export async function requireBlobFiles({ target }: Pick<At, 'target'>, { folder, blobs }: BlobFiles): Promise<void> {
  const present = await sizesIn(target, folder)
  const lost: BlobFile[] = []
  for (const file of Object.values(blobs)) {
    if (present.get(file.name) === file.bytes) continue
    if ((await readSize(target, `${folder}/${file.name}`, file.bytes)) !== file.bytes) lost.push(file)
  }
  if (lost.length === 0) return
  const name = lost[0]?.name ?? ''
  throw new TargetFailure({ key: 'targetLost', target: target.label, count: lost.length, name })
}

/** Another program with the same key, such as a copy of the site, may be making a backup at the target: in this time it is done. */
const unlistedMs = 2 * 24 * 60 * 60_000

/**
 * Removes the blob files of this site that no archive at the target lists and that were stored two days before the newest backup:
 * younger ones may belong to one that is being made.
 * @param newest the name of the newest backup, or the time to count from where this target gets no newer ones
 * @param own the archives that this site made at this target; others that cannot be opened belong to others
 * @throws {UnusableArchive} when an archive of the site cannot be read; nothing is removed then
 */
export async function removeUnusedBlobFiles(
  at: At,
  siteId: string,
  newest: string | Date,
  own: ReadonlySet<string>,
): Promise<void> {
  const folder = folderOf(at.key, siteId)
  const listed = (await listArchives(at.target)).toReversed()
  let archives: Pick<TargetFile, 'name'>[] = listed
  const storedAt = typeof newest === 'string' ? listed.find(({ name }) => name === newest)?.at : newest
  if (!storedAt) return
  const before = storedAt.getTime() - unlistedMs
  const isOlder = (file: TargetFile) => file.at.getTime() < before && blobFile.shape.name.safeParse(file.name).success
  const unused = new Set((await at.target.list(folder)).filter(isOlder).map(({ name }) => name))
  const read = new Set<string>()
  // Reading them takes time: those that came meanwhile count too.
  while (archives.length > 0) {
    for (const { name } of archives) {
      if (unused.size === 0) return
      read.add(name)
      const head = await readHead(at, name).catch((error) => {
        if (own.has(name) || error instanceof NewerArchive || !(error instanceof UnusableArchive)) throw error
        return undefined
      })
      if (head?.blobFiles?.folder !== folder) continue
      for (const file of Object.values(head.blobFiles.blobs)) unused.delete(file.name)
    }
    archives = (await listArchives(at.target)).filter(({ name }) => !read.has(name))
    // A target may list late, or lie: what this site wrote counts unless the target does not have it either.
    archives.push(...[...own].filter((name) => !read.has(name)).map((name) => ({ name })))
  }
  for (const name of unused) await at.target.remove(`${folder}/${name}`)
}

/** A blob file that cannot be used, and why. */
export interface UnusableBlobFile {
  blobId: string
  name: string
  reason: Reason | string
}

/** Reads all blob files of a backup, and compares them with its list. @returns those that are missing or damaged */
export async function listUnusableBlobFiles(
  at: { target: BackupTarget; identity: string; signal?: AbortSignal },
  { folder, blobs }: BlobFiles,
): Promise<UnusableBlobFile[]> {
  const found: UnusableBlobFile[] = []
  for (const [blobId, file] of Object.entries(blobs)) {
    at.signal?.throwIfAborted()
    await readBlobFile(at, folder, file, async () => {}).catch((error) => {
      if (!(error instanceof UnusableArchive)) throw error
      found.push({ blobId, name: file.name, reason: error.reason })
    })
  }
  return found
}

/** Those of some blobs that the storage has, with each object as the backup lists it. */
export async function findIntactBlobs(
  storage: Storage,
  { blobs }: BlobFiles,
  blobIds: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const blobId of blobIds) {
    const file = blobs[blobId]
    if (file && (await isIntact(storage, file))) found.add(blobId)
  }
  return found
}

async function isIntact(storage: Storage, file: BlobFile): Promise<boolean> {
  for (const { name, bytes, hash } of file.items) {
    const object = await storage.read(name.slice(items.file('').length))
    if (!object) return false
    const found = await hashContent(object, bytes)
    if (found.bytes !== bytes || found.hash !== hash) return false
  }
  return true
}

/**
 * The backup without the files of some blobs.
 * @param lost a restore removes what the site lists of them, as of files that staff deleted meanwhile
 * @param intact the storage has these blobs, so a restore does not write them
 */
export function withoutBlobFiles(
  backup: CheckedBackup,
  lost: readonly UnusableBlobFile[],
  intact: ReadonlySet<string>,
): CheckedBackup {
  const { blobFiles, manifest } = backup
  if (!blobFiles || lost.length + intact.size === 0) return backup
  const left = new Set(lost.map(({ blobId }) => blobId))
  const isRead = (blobId: string) => !left.has(blobId) && !intact.has(blobId)
  const blobs = Object.fromEntries(Object.entries(blobFiles.blobs).filter(([blobId]) => isRead(blobId)))
  const gone = new Set([...left].flatMap((blobId) => blobFiles.blobs[blobId]?.items.map(({ name }) => name) ?? []))
  return {
    ...backup,
    manifest: { ...manifest, deletedBlobs: [...manifest.deletedBlobs, ...left] },
    blobFiles: { ...blobFiles, blobs },
    files: backup.files.filter(({ name }) => !gone.has(name)),
  }
}

/** For people: how many, and the first ones. */
export const describeUnusable = (unusable: readonly UnusableBlobFile[], all: number): Reason => ({
  key: 'filesUnusable',
  ...{ count: unusable.length, all },
  reasons: unusable.slice(0, 5).map(({ reason }) => reason),
})

/**
 * Reads a blob file.
 * @param take as of `readArchive`; its input is only verified at the end
 * @throws {UnusableArchive} when it is missing, cannot be read, is damaged or another one; {TargetFailure} of the whole target
 */
export async function readBlobFile(
  { target, identity, signal }: { target: BackupTarget; identity: string; signal?: AbortSignal },
  folder: string,
  file: BlobFile,
  take: ItemHandler,
): Promise<void> {
  const path = `${folder}/${file.name}`
  const content = await target.read(path)
  if (!content) throw new UnusableArchive({ key: 'fileMissing', archive: path })
  const expected = new Set(file.items.map(({ name }) => name))
  const takeExpected: ItemHandler = async (name, data) => {
    if (expected.has(name)) await take(name, data)
  }
  const reading = readItems({ label: path, content }, identity, takeExpected, { ...(signal && { signal }) })
  const found = await reading.catch((error) => {
    const cause = error instanceof TargetFailure ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
    // Only this file of a folder: a bad sector, permissions, or a folder in its place.
    if (!/^(EIO|EACCES|EISDIR)$/.test(cause?.code ?? '')) throw error
    throw new UnusableArchive({ key: 'archiveNotRead', archive: path, detail: cause?.message ?? '' }, error)
  })
  if (JSON.stringify(found) !== JSON.stringify(file.items)) {
    throw new UnusableArchive({ key: 'fileOther', archive: path })
  }
}
