import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Refusal } from '../../contract/errors.ts'
import { svgType } from '../../contract/file-types.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { commitBlob, releaseBlobs } from '../files/blob.queries.ts'
import { probe, safeFileName } from '../files/receive-upload.ts'
import { originalKey, storeBlobs } from '../files/store-blob.ts'
import { addressGroup } from './address-group.ts'
import { canSeeMessages } from './message.policy.ts'
import { resolveId } from './message.queries.ts'
import { findMessageFile, insertMessageFiles, listBlobsOfMessages } from './message-file.queries.ts'

/** A file that a visitor posted, in a temporary file. */
interface PostedAttachment {
  /** The id of the form field. */
  field: string
  /** Of the temporary file. */
  path: string
  /** As the browser sent it; `Attachment` has a safe one. */
  name: string
  bytes: number
  /** SHA-256 in hex. */
  hash: string
}

/** A file whose type was detected from its content. */
export interface Attachment extends PostedAttachment {
  type: string
}

/**
 * The owner of a visitor's tasks in the image worker, which lets owners take turns: a negative id, as users have
 * positive ones.
 */
const ownerOf = (address: string) => ({
  id: -1 - createHash('sha256').update(addressGroup(address)).digest().readUInt32BE(),
})

/**
 * Detects the type of each file from its content, and makes its name safe. The temporary file of an SVG is replaced by its
 * sanitized version. Of a ZIP archive only the entry with an office file's type is unpacked, at most a megabyte.
 * @throws {Refusal} `invalid` or `unsupported_type` at the field of the file
 */
export async function checkAttachments(
  ctx: Context,
  files: readonly PostedAttachment[],
  { address, signal }: { address: string; signal: AbortSignal },
): Promise<Attachment[]> {
  const owner = ownerOf(address)
  const checked: Attachment[] = []
  for (const file of files) {
    const { type, bytes, contentHash } = await ctx.uploads.temporaryFiles
      .withFolder((folder) =>
        probe(ctx, owner, { received: file, folder, preview: join(folder, 'preview.webp'), signal }),
      )
      .catch((error) => {
        throw error instanceof Refusal ? withFieldPath(error, file) : error
      })
    checked.push({ ...file, name: safeFileName(file.name, type), type, bytes, hash: contentHash })
  }
  return checked
}

/** The refusal with its problems at the field of the file. */
const withFieldPath = (refusal: Refusal, { field }: PostedAttachment) =>
  refusal.problems.length === 0
    ? refusal
    : new Refusal('invalid', { problems: refusal.problems.map((problem) => ({ ...problem, path: field })) })

/**
 * Stores files as blobs, one for each file in order, which `work` commits with `commitAttachments`; the others are
 * released.
 */
export const withStoredAttachments = <T>(
  ctx: Context,
  files: readonly Attachment[],
  work: (blobIds: string[]) => Promise<T>,
): Promise<T> =>
  storeBlobs(
    ctx,
    files.map(({ bytes, path, type }) => ({
      bytes,
      fill: (blobId: string) => ctx.uploads.storage.put(originalKey(blobId), path, type),
    })),
    work,
  )

/** Attaches stored files to a message, in the transaction that stores the message. */
export async function commitAttachments(
  tx: Transaction,
  messageId: number,
  files: readonly Attachment[],
  blobIds: readonly string[],
): Promise<void> {
  for (const id of blobIds) {
    if (!(await commitBlob(tx, id))) throw new Error('storing took longer than the garbage collector waits')
  }
  await insertMessageFiles(
    tx,
    messageId,
    files.map((file, index) => ({ ...file, blobId: blobIds[index] as string })),
  )
}

/** Releases the stored files of messages; call it before the rows of the messages are deleted. */
export async function releaseAttachments(tx: Transaction, messageIds: readonly number[], now: Date): Promise<void> {
  await releaseBlobs(tx, await listBlobsOfMessages(tx, messageIds), now)
}

/**
 * Finds a file to download. An SVG gets a type that browsers do not open, as it may contain scripts.
 * @throws {Refusal} `not_found`
 */
export async function getAttachment(
  ctx: Context,
  messageNumber: number,
  id: number,
): Promise<{ name: string; type: string; bytes: number; storageKey: string }> {
  allow(ctx, canSeeMessages)
  const file = await findMessageFile(ctx.db, await resolveId(ctx.db, messageNumber), id)
  if (!file) throw new Refusal('not_found')
  const { name, bytes, type, blobId } = file
  return { name, bytes, type: type === svgType ? 'application/octet-stream' : type, storageKey: originalKey(blobId) }
}
