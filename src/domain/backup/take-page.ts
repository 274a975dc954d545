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
import { freeSlug } from '../pages/create-page.ts'
import { addPage, lockPages, subjectOf } from '../pages/edit-page.ts'
import { findPageRow, type PageRow, textsOf } from '../pages/page.queries.ts'
import { findPageRevision } from '../pages/revision.queries.ts'
import {
  commitStoredBlob,
  createErasedCheck,
  type ErasedCheck,
  extractBlobs,
  insertStored,
  NotTaken,
  type OpenBackup,
  storedFrom,
  type TakeOutContext,
  withoutErasedAuthor,
  withoutId,
} from './open-backup.ts'
import { addPublicIds, findPageIdBySlug, getFileId, listStoredRows, readPageTexts } from './take-out.queries.ts'

/** The pages of a backup in each language, by their addresses in the site of today. */
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

export interface TakenPage {
  id: number
  /** Where it is, in each of its languages; nobody but staff sees it there. */
  paths: { locale: Locale; from: string; to: string }[]
  /** The names of the files that the site did not have any more; they are served at their old addresses again. */
  files: string[]
  /** Those that the backup lacks too, or has damaged: by name, or by the id in their address. */
  missingFiles: string[]
}

/**
 * Adds a page of a backup as a new one that is not published, in each of its languages as visitors saw it, or else as it was saved,
 * with the files that the site has no more. Nothing that is there is changed: where its address is taken it gets another.
 * @param address as in the address bar; it may begin with the name of the site
 * @throws {NotTaken} when it is not in the backup; {Refusal} `storage_full`
 */
export async function takePage(ctx: TakeOutContext, backup: OpenBackup, address: string): Promise<TakenPage> {
  const { locale, slug } = slugOf(ctx, address)
  const pageId = await findPageIdBySlug(backup.db, locale, slug)
  if (pageId === undefined) {
    throw new NotTaken('notInBackup', `There is no page ${address} in this backup, in the language ${locale}.`)
  }
  return takePageById(ctx, backup, pageId)
}

/** `takePage` by the id of the page in the backup. */
export async function takePageById(ctx: TakeOutContext, backup: OpenBackup, id: number): Promise<TakenPage> {
  const { page, texts } = await getBackupPage(backup, id)
  // An entry of a collection that is gone is a page like others.
  const collection = page.collection && findCollection(ctx.site, page.collection) ? page.collection : null
  const { used, known, gone } = await listUsedFiles(ctx, backup, texts)
  const cleaned = new Map<number, CleanedFile>()
  /** Indexes of SVGs that the site has already, cleaned, or gets by another of them. */
  const isThere = new Set<number>()
  const extracted = await extractBlobs(backup, gone)
  for (const [index, file] of gone.entries()) {
    const [original] = extracted[index]?.objects ?? []
    if (file.type !== svgType || !original) continue
    const clean = await cleanSvg(ctx, backup, original.path)
    if (clean) cleaned.set(file.id, clean)
    Object.assign(original, clean)
    // Two that are equal after cleaning are one file, under both ids.
    const isSecond =
      clean && [...cleaned.values()].filter(({ contentHash }) => contentHash === clean.contentHash).length > 1
    if (clean && (isSecond || (await findFileRowByHash(ctx.db, clean.contentHash)) !== undefined)) isThere.add(index)
    // Values that today's rules refuse are left out.
    if (!clean || isThere.has(index)) extracted[index] = { objects: [], type: file.type }
  }
  const has = (index: number) => extracted[index]?.objects.length !== 0
  const blobs = extracted.filter((_, index) => has(index))
  const lost = gone.filter((_, index) => has(index))
  const missingFiles = [
    ...used.filter((publicId) => !known.has(publicId)),
    ...gone.filter((_, index) => !has(index) && !isThere.has(index)).map(({ name }) => name),
  ]
  return storeBlobs(ctx, blobs.map(storedFrom(ctx)), (blobIds) =>
    ctx.transaction(async (tx) => {
      // No uploader is erased between the check and the insert.
      await ctx.dialect.lock(tx, 'people')
      await lockPages(tx, ctx)
      const isErased = await createErasedCheck(ctx, tx, backup)
      for (const [index, file] of lost.entries()) {
        const added = { ...file, ...cleaned.get(file.id) }
        await addFile(tx, ctx, { backup, isErased, file: added, blobId: blobIds[index] as string })
      }
      await addKnownPublicIds(tx, backup, known, cleaned)
      return addPage(tx, ctx, { fixed: false, collection }, async (edit) => {
        const paths: TakenPage['paths'] = []
        for (const { locale, text } of texts) {
          const { slug, ...path } = await findFreePath(edit, tx, { locale, text })
          const { fields, ...plain } = text
          await edit.save(locale, { ...(collection === null ? plain : text), slug })
          paths.push(path)
        }
        edit.record({
          action: 'backup.page_restored',
          after: { backup: backup.header.madeAt, title: subjectOf(edit.page, ctx.site).name, files: lost.length },
        })
        return { id: edit.page.id, paths, files: lost.map(({ name }) => name), missingFiles }
      })
    }),
  )
}

/** A preview of the page that `takePageById` would add. */
export async function showBackupPage(ctx: TakeOutContext, backup: OpenBackup, id: number): Promise<PageInBackup> {
  const { page, texts } = await getBackupPage(backup, id)
  const { gone } = await listUsedFiles(ctx, backup, texts)
  const paths: PageInBackup['paths'] = []
  for (const one of texts) {
    const { locale, from, to } = await findFreePath(ctx, ctx.db, one)
    paths.push({ locale, from, to })
  }
  return {
    id,
    title: texts[0]?.text.title ?? '',
    isPublished: textsOf(page).some(({ liveRevisionId }) => liveRevisionId !== null),
    paths,
    files: gone.map(({ name }) => name),
  }
}

interface BackupText {
  locale: Locale
  text: PageText
}

/** A page with its texts as visitors saw them, or else as they were saved. @throws {NotTaken} */
async function getBackupPage({ db }: OpenBackup, id: number): Promise<{ page: PageRow; texts: BackupText[] }> {
  const page = await findPageRow(db, id)
  if (!page) throw new NotTaken('notInBackup', `There is no page ${id} in this backup.`)
  const texts: BackupText[] = []
  for (const one of textsOf(page)) {
    const shownId = one.liveRevisionId ?? one.trashedLiveRevisionId ?? one.savedRevisionId
    const shown = await findPageRevision(db, { pageId: page.id, locale: one.locale }, shownId)
    if (shown) texts.push({ locale: one.locale, text: shown.text })
  }
  return { page, texts }
}

/** The public ids of files in some texts, those that the backup knows, and those of them that the site has no more. */
async function listUsedFiles(ctx: Pick<Context, 'db'>, backup: OpenBackup, texts: readonly BackupText[]) {
  const used = publicFileIdsIn(JSON.stringify(texts))
  const known = await findFilesByPublicId(backup.db, used)
  return { used, known, gone: await listGoneFiles(ctx, backup, used, known) }
}

async function findFreePath(
  { site }: Pick<Context, 'site'>,
  db: Context['db'] | Transaction,
  { locale, text }: BackupText,
) {
  const wanted = text.slug || slugFrom(text.title, locale)
  const slug = await freeSlug(db, site, { slug: wanted, locale, pageId: undefined })
  const pathOf = (one: string) => localizedPath(`/${one}`, locale, site)
  return { locale, slug, from: pathOf(text.slug), to: pathOf(slug) }
}

function slugOf({ site }: Pick<Context, 'site'>, address: string): { locale: Locale; slug: string } {
  const url = URL.parse(address, 'http://site.invalid')
  if (!url) throw new NotTaken('notInBackup', `${address} is no address of a page.`)
  let pathname: string
  try {
    pathname = decodeURIComponent(url.pathname).normalize('NFC')
  } catch {
    throw new NotTaken('notInBackup', `${address} is no address of a page.`)
  }
  const { locale, path } = splitLocale(pathname, site)
  return { locale, slug: path.replace(/^\/|\/$/g, '') }
}

/** The files of a backup by which content refers to none of the site: neither by a public id nor with the same content. */
async function listGoneFiles(
  ctx: Pick<Context, 'db'>,
  { db }: OpenBackup,
  used: readonly string[],
  known: ReadonlyMap<string, FileRow>,
): Promise<FileRow[]> {
  const there = await findFilesByPublicId(ctx.db, used)
  const gone = new Map<number, FileRow>()
  for (const [publicId, file] of known) if (!there.has(publicId)) gone.set(file.id, file)
  for (const file of gone.values()) {
    const publicIds = await listPublicIds(db, file.id)
    const isThere = (await findFilesByPublicId(ctx.db, publicIds)).size > 0
    if (isThere || (await findFileRowByHash(ctx.db, file.contentHash))) gone.delete(file.id)
  }
  // The oldest first: of those that become equal, it stays.
  return [...gone.values()].sort((one, other) => one.id - other.id)
}

/** The properties of an SVG that cleaning by today's rules changes. */
type CleanedFile = Pick<FileRow, 'bytes' | 'contentHash' | 'width' | 'height'>

/**
 * Replaces an SVG by what an upload of it would store today.
 * @returns undefined when it would be refused, or be of another type
 */
async function cleanSvg(ctx: TakeOutContext, { folder }: OpenBackup, path: string): Promise<CleanedFile | undefined> {
  const received = { path, ...(await hashFile(path)) }
  const preview = join(folder, 'preview.webp')
  const signal = new AbortController().signal
  try {
    const today = await probe(ctx, { id: 0 }, { received, folder, preview, signal })
    // A file that is no SVG by today's rules was not cleaned, but would be served as one.
    if (today.type !== svgType) return undefined
    const { bytes, contentHash, width, height } = today
    return { bytes, contentHash, width, height }
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'unavailable') return undefined
    throw error
  }
}

/** Adds a file as it was, outside folders; its images are resized again. */
async function addFile(
  tx: Transaction,
  ctx: TakeOutContext,
  from: { backup: OpenBackup; isErased: ErasedCheck; file: FileRow; blobId: string },
): Promise<void> {
  const { backup, isErased, file, blobId } = from
  const table = withoutId(backup.table('file'))
  const [row] = await listStoredRows(backup.db, table, { column: 'id', value: file.id })
  if (!row) throw new Error('a file of the backup has no row')
  const isResized = row.resized_images !== null || row.state === 'waiting'
  await insertStored(tx, ctx, table, [
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
      state: isResized ? 'waiting' : row.state === 'failed' ? 'failed' : 'ready',
      due_at: isResized ? ctx.now().toISOString() : null,
    },
  ])
  await addPublicIds(tx, await getFileId(tx, file.publicId), await listPublicIds(backup.db, file.id))
  await commitStoredBlob(tx, blobId)
}

/** Content refers to a file by an id that only the backup knows: the file of the site with the same content gets it too. */
async function addKnownPublicIds(
  tx: Transaction,
  { db }: OpenBackup,
  known: ReadonlyMap<string, FileRow>,
  cleaned: ReadonlyMap<number, CleanedFile>,
): Promise<void> {
  for (const [publicId, file] of known) {
    const there = await findFilesByPublicId(tx, await listPublicIds(db, file.id))
    const same =
      there.values().next().value ?? (await findFileRowByHash(tx, (cleaned.get(file.id) ?? file).contentHash))
    if (same) await addPublicIds(tx, same.id, [publicId])
  }
}
