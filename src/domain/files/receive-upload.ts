import { createHmac } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { fileTypeOf, svgType } from '../../contract/file-types.ts'
import type { CropArea } from '../../contract/files.ts'
import { limits } from '../../contract/limits.ts'
import { cleanFileName, truncateText } from '../../contract/text.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { isDiskFull, type Transaction } from '../../platform/db/database.ts'
import { ImageInterrupted, ImageRejected } from '../../platform/images/image-tasks.ts'
import { hashFile, type ReceivedFile, UploadAborted, UploadTooLarge } from '../../platform/storage/temporary-files.ts'
import { allow } from '../allow.ts'
import { findCurrentRights } from '../sign-in/session.queries.ts'
import { canWriteFiles } from './file.policy.ts'
import { isPublicIdTaken } from './file.queries.ts'
import type { FileContent } from './file-write.queries.ts'
import { originalKey, previewKey, refuseAboveQuota, storeBlob } from './store-blob.ts'

/** The body of an upload request. */
export interface UploadBody {
  /** The Content-Length header. */
  contentLength: number | undefined
  body: ReadableStream<Uint8Array> | null
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** A received file with its detected type. */
interface Upload {
  content: Omit<FileContent, 'blobId'>
  /** Stores the file as a blob, and runs `commit` in the transaction that commits the blob; see `storeBlob`. */
  store<T>(commit: (tx: Transaction, content: FileContent) => Promise<T>): Promise<T>
}

/**
 * Writes the body to a temporary file, detects its type and passes it to `work`; afterwards the temporary file is deleted.
 * @throws {Refusal} `too_large`, `unsupported_type`, `invalid` at `file`; `malformed` when the connection was lost;
 * `storage_full`, also for a full disk; `unavailable` when the image process was killed from outside; `signed_out` and
 * `not_allowed` when the actor was blocked or lost the right meanwhile
 */
export async function receiveUpload<T>(
  ctx: Context,
  actor: Actor,
  { contentLength, body, signal }: UploadBody,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const { temporaryFiles, maxBytes, storage } = ctx.uploads
  const tooLarge = uploadRefusal('too_large', 'fileTooLarge', maxBytes / 1_000_000)
  if (contentLength !== undefined && contentLength > maxBytes) throw tooLarge
  await refuseAboveQuota(ctx, ctx.db, contentLength ?? 0)
  try {
    return await temporaryFiles.receive(body as Parameters<typeof temporaryFiles.receive>[0], maxBytes, (received) =>
      temporaryFiles.withFolder(async (folder) => {
        // The body may take an hour, in which the user may have been blocked or have lost the right.
        const rights = await findCurrentRights(ctx.db, actor)
        allow({ actor: rights && { ...actor, rights } }, canWriteFiles)
        const preview = join(folder, 'preview.webp')
        const content = await probe(ctx, actor, { received, folder, preview, signal })
        const putObjects = async (blobId: string) => {
          await storage.put(originalKey(blobId), received.path, content.type)
          if (content.previewBytes !== null) await storage.put(previewKey(blobId), preview, 'image/webp')
        }
        const storedBytes = content.bytes + (content.previewBytes ?? 0)
        return work({
          content,
          store: (commit) =>
            storeBlob(ctx, { bytes: storedBytes, isUpload: true }, putObjects, (tx, blobId) =>
              commit(tx, { ...content, blobId }),
            ),
        })
      }),
    )
  } catch (error) {
    if (error instanceof UploadTooLarge) throw tooLarge
    if (error instanceof UploadAborted) throw new Refusal('malformed')
    if (isDiskFull(error)) throw Object.assign(new Refusal('storage_full'), { cause: error })
    throw error
  }
}

/**
 * Detects the type of an upload from its content alone, and measures an image. An SVG is replaced by its sanitized version.
 * @param actor whose turn it is in the queue of the image worker
 * @param file.folder a folder for temporary results
 * @param file.preview the path for the preview of an image
 * @throws {Refusal} as `receiveUpload`; {UploadAborted}
 */
export async function probe(
  ctx: { uploads: Pick<Context['uploads'], 'maxPixels' | 'imageWorker'> },
  actor: Pick<Actor, 'id'>,
  file: {
    received: Pick<ReceivedFile, 'path' | 'bytes' | 'hash'>
    folder: string
    preview: string
    signal: AbortSignal
  },
): Promise<Omit<FileContent, 'blobId'>> {
  const { received, folder, preview, signal } = file
  if (received.bytes === 0) throw uploadRefusal('invalid', 'fileEmpty')
  const sanitized = join(folder, 'sanitized.svg')
  const { maxPixels, imageWorker } = ctx.uploads
  const task = {
    file: received.path,
    to: sanitized,
    preview,
    maxPixels,
    maxFrames: limits.imageFrames,
    svg: limits.svg,
  }
  const { type, image } = await imageWorker.probe(task, actor.id, signal).catch((error) => {
    if (signal.aborted) throw new UploadAborted()
    if (error instanceof ImageInterrupted && !isDiskFull(error)) {
      throw Object.assign(new Refusal('unavailable', { retryAfter: retrySeconds }), { cause: error })
    }
    throw error instanceof ImageRejected ? rejectionRefusal(error, maxPixels) : error
  })
  const kind = fileTypeOf(type ?? '')?.kind
  if (!type || !kind) throw uploadRefusal('unsupported_type', 'fileType')
  if (type === svgType) await rename(sanitized, received.path)
  // Of an SVG, the sanitized file is stored, so its hash is needed.
  const { bytes, hash } = type === svgType ? await hashFile(received.path) : received
  const noImage = { width: null, height: null, frames: 1, placeholder: null, previewBytes: null }
  return { kind, type, bytes, contentHash: hash, ...(image ?? noImage) }
}

/** The Retry-After of an upload whose image process was killed from outside. */
const retrySeconds = 5

export const uploadRefusal = (
  code: 'invalid' | 'too_large' | 'unsupported_type',
  key: FieldProblem['key'],
  limit?: number,
) => new Refusal(code, { problems: [{ path: 'file', key, ...(limit !== undefined && { limit }) }] })

function rejectionRefusal({ reason }: ImageRejected, maxPixels: number): Refusal {
  const { imageFrames, svg } = limits
  if (reason === 'pixels') return uploadRefusal('invalid', 'imageTooLarge', maxPixels / 1_000_000)
  if (reason === 'frames') return uploadRefusal('invalid', 'imageFrames', imageFrames)
  if (reason === 'svgBytes') return uploadRefusal('too_large', 'svgTooLarge', svg.bytes / 1_000_000)
  if (reason === 'nodes') return uploadRefusal('invalid', 'svgParts', svg.nodes)
  if (reason === 'attributes') return uploadRefusal('invalid', 'svgAttributes', svg.attributes)
  if (reason === 'depth') return uploadRefusal('invalid', 'svgLevels', svg.depth)
  if (reason === 'time') return uploadRefusal('invalid', 'fileTooSlow')
  return uploadRefusal('invalid', 'fileBroken')
}

/** Whether resized images are made of a file; not of an SVG. */
export const needsResizing = ({ kind, type }: Pick<FileContent, 'kind' | 'type'>) =>
  kind === 'picture' && type !== svgType

/**
 * Derives a public id from content and crop: these always get the same id, unless another file has it. It is a keyed
 * hash, so that nobody can test whether known content was uploaded.
 * @param fileId the file that gets the id; undefined for a new one
 */
export async function choosePublicId(
  tx: Transaction,
  { secret }: Pick<Context, 'secret'>,
  content: { contentHash: string; crop: CropArea | null },
  fileId: number | undefined,
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const { contentHash, crop } = content
    const values = crop ? [contentHash, crop.x, crop.y, crop.width, crop.height, attempt] : [contentHash, attempt]
    const publicId = createHmac('sha256', secret)
      .update(`file\0${values.join(':')}`)
      .digest('hex')
      .slice(0, 32)
    if (!(await isPublicIdTaken(tx, publicId, fileId))) return publicId
  }
}

/**
 * Returns a name that every operating system can store: without folders, control characters and bidirectional marks,
 * and with an extension of the detected type. It is used for display and downloads, never as a storage key.
 */
export function safeFileName(name: string, type: string): string {
  const fileType = fileTypeOf(type)
  const cleanName = cleanFileName(name)
  const extension = /\.([a-z0-9]{1,5})$/i.exec(cleanName)?.[1]?.toLowerCase()
  const fitsType =
    extension !== undefined &&
    fileType !== undefined &&
    [fileType.extension, ...(fileType.otherExtensions ?? [])].includes(extension)
  const safeExtension = fitsType ? extension : (fileType?.extension ?? 'bin')
  const base = extension === undefined ? cleanName : cleanName.slice(0, -extension.length - 1)
  const stem = base.replace(/^[.\s]+|[.\s]+$/g, '')
  return `${truncateText(stem || 'bestand', limits.fileNameChars - safeExtension.length - 1)}.${safeExtension}`
}
