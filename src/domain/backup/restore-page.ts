import { join } from 'node:path'
import type { PageInBackup } from '../../contract/backups.ts'
import { findCollection } from '../../contract/collections.ts'
import { Refusal } from '../../contract/errors.ts'
import { svgType } from '../../contract/file-types.ts'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import { type Locale, localizedPath, splitLocale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { slugFrom } from '../../contract/slug.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { hashFile } from '../../platform/storage/temporary-files.ts'
import { type FileRow, findFileRowByHash, findFilesByPublicId, listPublicIds } from '../files/file.queries.ts'
import { probe } from '../files/receive-upload.ts'
import { storeBlobs } from '../files/store-blob.ts'
import { chooseFreeSlug } from '../pages/create-page.ts'
import { addPage, lockPages, subjectOf } from '../pages/edit-page.ts'
import { findPageRow, type PageRow, textsOf } from '../pages/page.queries.ts'
import { findPageRevision } from '../pages/revision.queries.ts'
import {
  addPublicIds,
  findPageIdBySlug,
  getFileIdByPublicId,
  listStoredRows,
  readPageTexts,
} from './backup-rows.queries.ts'
import {
  commitStoredBlob,
  createErasedCheck,
  type ErasedCheck,
  type ExtractedBlob,
  extractBlobs,
  insertStoredRows,
  NotRestored,
  type OpenBackup,
  type OpenBackupContext,
  toBlobInput,
  withoutErasedAuthor,
  withoutId,
} from './open-backup.ts'

/** The texts of pages in a backup, with the paths that the site of today gives to their slugs. */
export async function listBackupPages(
  { site }: Pick<Context, 'site'>,
  { db }: OpenBackup,
): Promise<{ path: string; title: string; isPublished: boolean }[]> {
  const texts = (await Array.fromAsync(readPageTexts(db))).flat()
  return texts.map(({ locale, slug, title, isPublished }) => ({
    path: localizedPath(`/${slug}`, locale, site),
    title,
    isPublished: isPublished === 1,
  }))
}

interface RestoredBackupPage {
  id: number
  /** Its path in the backup (`from`) and in the site (`to`), in each language. */
  paths: { locale: Locale; from: string; to: string }[]
  /** The names of the restored files, which the site no longer had; they are served at their old addresses again. */
  files: string[]
  /**
   * Files that the backup lacks, that are damaged, or that an upload would refuse or take for another type: by name, or
   * else by public id.
   */
  missingFiles: string[]
}

/**
 * Restores a page of a backup as a new, unpublished page, with the files that the site no longer has. Each language gets its
 * published text, or the saved one if it was not published. Other pages are not changed: a slug that is in use gets a number.
 * @param address a path, or a whole address whose host is ignored
 * @throws {NotRestored} `notInBackup`; {Refusal} `storage_full`
 */
export async function restoreBackupPage(
  ctx: OpenBackupContext,
  backup: OpenBackup,
  address: string,
): Promise<RestoredBackupPage> {
  const { locale, slug } = slugOf(ctx, address)
  const pageId = await findPageIdBySlug(backup.db, locale, slug)
  if (pageId === undefined) {
    throw new NotRestored('notInBackup', `There is no page ${address} in this backup, in the language ${locale}.`)
  }
  return restoreBackupPageById(ctx, backup, pageId)
}

/** `restoreBackupPage` by the id of the page in the backup. */
export async function restoreBackupPageById(
  ctx: OpenBackupContext,
  backup: OpenBackup,
  id: number,
): Promise<RestoredBackupPage> {
  const { page, texts } = await getBackupPage(backup, id)
  // An entry of a collection that was removed becomes an ordinary page.
  const collection = page.collection && findCollection(ctx.site, page.collection) ? page.collection : null
  const { usedIds, filesInBackup, filesToRestore } = await listUsedFiles(ctx, backup, texts)
  const extracted = await extractFiles(ctx, backup, filesToRestore)
  const restorable = extracted.filter(({ status }) => status === 'restorable')
  const missing = extracted.filter(({ status }) => status === 'missing')
  const missingFiles = [
    ...usedIds.filter((publicId) => !filesInBackup.has(publicId)),
    ...missing.map(({ file }) => file.name),
  ]
  return storeBlobs(
    ctx,
    restorable.map(({ blob }) => toBlobInput(ctx, blob)),
    (blobIds) =>
      ctx.transaction(async (tx) => {
        // So that no uploader is erased between the check and the insert.
        await ctx.dialect.lock(tx, 'people')
        await lockPages(tx, ctx)
        const isErased = await createErasedCheck(ctx, tx, backup)
        for (const [index, { file }] of restorable.entries()) {
          await addFile(tx, ctx, { backup, isErased, file, blobId: blobIds[index] as string })
        }
        await addMissingPublicIds(tx, backup, filesInBackup, extracted)
        return addPage(tx, ctx, { fixed: false, collection }, async (edit) => {
          const paths: RestoredBackupPage['paths'] = []
          for (const { locale, text } of texts) {
            const { slug, ...path } = await findFreePath(edit, tx, { locale, text })
            const { fields, ...textWithoutFields } = text
            await edit.save(locale, { ...(collection === null ? textWithoutFields : text), slug })
            paths.push(path)
          }
          edit.record({
            action: 'backup.page_restored',
            after: {
              backup: backup.header.madeAt,
              title: subjectOf(edit.page, ctx.site).name,
              files: restorable.length,
            },
          })
          return { id: edit.page.id, paths, files: restorable.map(({ file }) => file.name), missingFiles }
        })
      }),
  )
}

/** What `restoreBackupPageById` would add; `files` may include some that turn out to be missing. @throws {NotRestored} */
export async function previewBackupPage(ctx: OpenBackupContext, backup: OpenBackup, id: number): Promise<PageInBackup> {
  const { page, texts } = await getBackupPage(backup, id)
  const { filesToRestore } = await listUsedFiles(ctx, backup, texts)
  const paths: PageInBackup['paths'] = []
  for (const text of texts) {
    const { locale, from, to } = await findFreePath(ctx, ctx.db, text)
    paths.push({ locale, from, to })
  }
  return {
    id,
    title: texts[0]?.text.title ?? '',
    isPublished: textsOf(page).some(({ liveRevisionId }) => liveRevisionId !== null),
    paths,
    files: filesToRestore.map(({ name }) => name),
  }
}

interface BackupText {
  locale: Locale
  text: PageText
}

/**
 * A page with its published texts, for a page in the trash those before it, or else its saved texts.
 * @throws {NotRestored} `notInBackup`
 */
async function getBackupPage({ db }: OpenBackup, id: number): Promise<{ page: PageRow; texts: BackupText[] }> {
  const page = await findPageRow(db, id)
  if (!page) throw new NotRestored('notInBackup', `There is no page ${id} in this backup.`)
  const texts: BackupText[] = []
  for (const { locale, liveRevisionId, trashedLiveRevisionId, savedRevisionId } of textsOf(page)) {
    const revisionId = liveRevisionId ?? trashedLiveRevisionId ?? savedRevisionId
    const revision = await findPageRevision(db, { pageId: page.id, locale }, revisionId)
    if (revision) texts.push({ locale, text: revision.text })
  }
  return { page, texts }
}

interface UsedFiles {
  /** The public ids in the texts. */
  usedIds: string[]
  /** The rows of the backup, by these public ids. */
  filesInBackup: Map<string, FileRow>
  /** Those of `filesInBackup` that the site lacks, under any of their public ids and as content. */
  filesToRestore: FileRow[]
}

async function listUsedFiles(
  ctx: Pick<Context, 'db'>,
  backup: OpenBackup,
  texts: readonly BackupText[],
): Promise<UsedFiles> {
  const usedIds = publicFileIdsIn(JSON.stringify(texts))
  const filesInBackup = await findFilesByPublicId(backup.db, usedIds)
  return { usedIds, filesInBackup, filesToRestore: await listFilesToRestore(ctx, backup, usedIds, filesInBackup) }
}

async function findFreePath(
  { site }: Pick<Context, 'site'>,
  db: Context['db'] | Transaction,
  { locale, text }: BackupText,
) {
  const preferredSlug = text.slug || slugFrom(text.title, locale)
  const slug = await chooseFreeSlug(db, site, { slug: preferredSlug, locale, pageId: undefined })
  const pathOf = (slug: string) => localizedPath(`/${slug}`, locale, site)
  return { locale, slug, from: pathOf(text.slug), to: pathOf(slug) }
}

function slugOf({ site }: Pick<Context, 'site'>, address: string): { locale: Locale; slug: string } {
  const url = URL.parse(address, 'http://site.invalid')
  if (!url) throw new NotRestored('notInBackup', `${address} is no address of a page.`)
  let pathname: string
  try {
    pathname = decodeURIComponent(url.pathname).normalize('NFC')
  } catch {
    throw new NotRestored('notInBackup', `${address} is no address of a page.`)
  }
  const { locale, path } = splitLocale(pathname, site)
  return { locale, slug: path.replace(/^\/|\/$/g, '') }
}

async function listFilesToRestore(
  ctx: Pick<Context, 'db'>,
  { db }: OpenBackup,
  usedIds: readonly string[],
  filesInBackup: ReadonlyMap<string, FileRow>,
): Promise<FileRow[]> {
  const filesInSite = await findFilesByPublicId(ctx.db, usedIds)
  const filesToRestore = new Map<number, FileRow>()
  for (const [publicId, file] of filesInBackup) if (!filesInSite.has(publicId)) filesToRestore.set(file.id, file)
  for (const file of filesToRestore.values()) {
    const publicIds = await listPublicIds(db, file.id)
    const hasOtherId = (await findFilesByPublicId(ctx.db, publicIds)).size > 0
    if (hasOtherId || (await findFileRowByHash(ctx.db, file.contentHash))) filesToRestore.delete(file.id)
  }
  // The oldest first: `extractFiles` keeps the first of several SVGs that become equal.
  return [...filesToRestore.values()].sort((a, b) => a.id - b.id)
}

interface ExtractedFile {
  /** As in the backup; an SVG has the properties that sanitizing by today's rules gives it. */
  file: FileRow
  blob: ExtractedBlob
  /** `duplicate`: an SVG that the site has in sanitized form, or that equals an earlier one. */
  status: 'restorable' | 'duplicate' | 'missing'
}

/** Extracts the blobs of some files and sanitizes SVGs. @returns one for each file, in their order */
async function extractFiles(
  ctx: OpenBackupContext,
  backup: OpenBackup,
  files: readonly FileRow[],
): Promise<ExtractedFile[]> {
  const extracted: ExtractedFile[] = []
  const sanitizedHashes = new Set<string>()
  for (const [index, blob] of (await extractBlobs(backup, files)).entries()) {
    const file = files[index] as FileRow
    const [original] = blob.objects
    if (!original || file.type !== svgType) {
      extracted.push({ file, blob, status: original ? 'restorable' : 'missing' })
      continue
    }
    const sanitized = await sanitizeStoredSvg(ctx, backup, original.path)
    if (!sanitized) {
      extracted.push({ file, blob, status: 'missing' })
      continue
    }
    original.bytes = sanitized.bytes
    const { contentHash } = sanitized
    const isDuplicate = sanitizedHashes.has(contentHash) || (await findFileRowByHash(ctx.db, contentHash))
    sanitizedHashes.add(contentHash)
    extracted.push({ file: { ...file, ...sanitized }, blob, status: isDuplicate ? 'duplicate' : 'restorable' })
  }
  return extracted
}

/** The properties of an SVG that sanitizing changes. */
type SanitizedFile = Pick<FileRow, 'bytes' | 'contentHash' | 'width' | 'height'>

/**
 * Replaces the SVG at this path by what an upload of it would store today.
 * @returns undefined when an upload would refuse it
 */
async function sanitizeStoredSvg(
  ctx: OpenBackupContext,
  { folder }: OpenBackup,
  path: string,
): Promise<SanitizedFile | undefined> {
  const received = { path, ...(await hashFile(path)) }
  const preview = join(folder, 'preview.webp')
  const signal = new AbortController().signal
  try {
    const probed = await probe(ctx, { id: 0 }, { received, folder, preview, signal })
    // `probe` sanitizes only what it takes for an SVG, but the restored row would serve this file as one.
    if (probed.type !== svgType) return undefined
    const { bytes, contentHash, width, height } = probed
    return { bytes, contentHash, width, height }
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'unavailable') return undefined
    throw error
  }
}

/** Adds a file as the backup has it, outside folders; its smaller images are made again. */
async function addFile(
  tx: Transaction,
  ctx: OpenBackupContext,
  from: { backup: OpenBackup; isErased: ErasedCheck; file: FileRow; blobId: string },
): Promise<void> {
  const { backup, isErased, file, blobId } = from
  const table = withoutId(backup.table('file'))
  const [row] = await listStoredRows(backup.db, table, { column: 'id', value: file.id })
  if (!row) throw new Error('a file of the backup has no row')
  const mustResize = row.resized_images !== null || row.state === 'waiting'
  const stateWithoutResizing = row.state === 'failed' ? 'failed' : 'ready'
  await insertStoredRows(tx, ctx, table, [
    {
      ...(await withoutErasedAuthor({ db: tx, backup, isErased }, row, { id: 'added_by_id', name: 'added_by' })),
      blob_id: blobId,
      bytes: file.bytes,
      content_hash: file.contentHash,
      width: file.width,
      height: file.height,
      folder_id: null,
      folder_name: '',
      resized_images: null,
      resized_blob_id: null,
      queued_by: null,
      queue_turn: 0,
      attempts: 0,
      state: mustResize ? 'waiting' : stateWithoutResizing,
      due_at: mustResize ? ctx.now().toISOString() : null,
    },
  ])
  await addPublicIds(tx, await getFileIdByPublicId(tx, file.publicId), await listPublicIds(backup.db, file.id))
  await commitStoredBlob(tx, blobId)
}

/**
 * Registers the public ids of the backup's files at the files of the site with the same content, so that links in the
 * restored texts work.
 */
async function addMissingPublicIds(
  tx: Transaction,
  { db }: OpenBackup,
  filesInBackup: ReadonlyMap<string, FileRow>,
  extracted: readonly ExtractedFile[],
): Promise<void> {
  // An SVG has another hash after it was sanitized.
  const extractedHashes = new Map(extracted.map(({ file }) => [file.id, file.contentHash]))
  for (const [publicId, file] of filesInBackup) {
    const filesInSite = await findFilesByPublicId(tx, await listPublicIds(db, file.id))
    const contentHash = extractedHashes.get(file.id) ?? file.contentHash
    const fileInSite = filesInSite.values().next().value ?? (await findFileRowByHash(tx, contentHash))
    if (fileInSite) await addPublicIds(tx, fileInSite.id, [publicId])
  }
}
