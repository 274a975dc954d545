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
import { ImageInterrupted, ImageRejected, type ProbedFile } from '../../platform/images/image-tasks.ts'
import { hashFile, type ReceivedFile, UploadAborted, UploadTooLarge } from '../../platform/storage/temporary-files.ts'
import { isPublicIdTaken } from './file.queries.ts'
import type { FileContent } from './file-write.queries.ts'
import { originalKey, previewKey, refuseAboveQuota, storeBlob } from './store-blob.ts'

/** The body of an upload request. */
export interface UploadBody {
  /** From the Content-Length header. */
  contentLength: number | undefined
  body: ReadableStream<Uint8Array> | null
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** A received file, its detected type, and how it is stored. */
export interface Upload {
  content: Omit<FileContent, 'blobId'>
  store<T>(commit: (tx: Transaction, content: FileContent) => Promise<T>): Promise<T>
}

/**
 * Writes the body to a temporary file, probes it and passes both to `work`; afterwards the temporary file is gone.
 * @throws {Refusal} `too_large`, `unsupported_type`, `invalid` at `file`; `malformed` when the connection was lost;
 * `storage_full`, also for a full disk; `unavailable` when its image process was ended from outside
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
            storeBlob(ctx, { bytes: storedBytes, upload: true }, putObjects, (tx, blobId) =>
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

/** Determines the type of an upload from its content alone. An SVG is replaced by its sanitized version. */
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
  // The hash is of what is stored, which for an SVG is the sanitized file.
  const { bytes, hash } = type === svgType ? await hashFile(received.path) : received
  const none: ProbedFile['image'] = { width: 0, height: 0, frames: 1, placeholder: null, previewBytes: null }
  return { kind, type, bytes, contentHash: hash, ...(image ?? { ...none, width: null, height: null }) }
}

/** The Retry-After of an upload whose image process was ended from outside. */
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

/** SVGs are not resized. */
export const needsResizing = ({ kind, type }: Pick<FileContent, 'kind' | 'type'>) =>
  kind === 'picture' && type !== svgType

/**
 * The same content and crop get the same id, unless another file has it. It is keyed with the secret, so that nobody
 * can test whether known content was uploaded.
 * @param fileId the file that gets it; undefined for a new one
 */
export async function choosePublicId(
  tx: Transaction,
  { secret }: Pick<Context, 'secret'>,
  content: { contentHash: string; crop: CropArea | null },
  fileId: number | undefined,
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const { contentHash, crop } = content
    const parts = crop ? [contentHash, crop.x, crop.y, crop.width, crop.height, attempt] : [contentHash, attempt]
    const publicId = createHmac('sha256', secret)
      .update(`file\0${parts.join(':')}`)
      .digest('hex')
      .slice(0, 32)
    if (!(await isPublicIdTaken(tx, publicId, fileId))) return publicId
  }
}

/**
 * A name that every operating system can store: without folders, control characters and bidirectional marks, and with
 * the extension of the detected type. It is only displayed; nothing is stored under it.
 */
export function safeFileName(name: string, type: string): string {
  const fileType = fileTypeOf(type)
  const plain = cleanFileName(name)
  const extension = /\.([a-z0-9]{1,5})$/i.exec(plain)?.[1]?.toLowerCase()
  const fits =
    extension !== undefined &&
    fileType !== undefined &&
    [fileType.extension, ...(fileType.otherExtensions ?? [])].includes(extension)
  const right = fits ? extension : (fileType?.extension ?? 'bin')
  const stem = (extension === undefined ? plain : plain.slice(0, -extension.length - 1)).replace(/^[.\s]+|[.\s]+$/g, '')
  return `${truncateText(stem || 'bestand', limits.fileNameChars - right.length - 1)}.${right}`
}
