import { Refusal } from '../../contract/errors.ts'
import { drawingType } from '../../contract/file-types.ts'
import type { UploadedFile } from '../../contract/files.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type Arrived, BrokenOff, TooManyBytes } from '../../platform/storage/arriving.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteFiles } from './file.policy.ts'
import { type FileRow, findFileRowByHash } from './file.queries.ts'
import { fileNameOf } from './file-name.ts'
import { type Content, insertFile } from './file-write.queries.ts'
import { findRow } from './find-files.ts'
import { lockFiles } from './lock-files.ts'
import { lookAt, tooLarge } from './look-at.ts'
import { auditedFile, shownFile, subjectOf } from './show-file.ts'
import { addressFor, originalOf, storeBlob } from './store-content.ts'

type Body = ReadableStream<Uint8Array> | null

/**
 * Takes an upload. The same content twice is one file: the second time it is given as it is.
 * @param input.bytes as the client announced them
 * @param input.gone whether the client is still there
 * @throws {Refusal} `too_large`, `unsupported_type`, `invalid` at `file`; `malformed` when it broke off
 */
export async function uploadFile(
  ctx: Context,
  input: { name: string; folder?: string | undefined; bytes: number | undefined; body: Body; gone: AbortSignal },
): Promise<UploadedFile> {
  const actor = allow(ctx, canWriteFiles)

  return receive(ctx, input, async (arrived, content) => {
    const known = await findFileRowByHash(ctx.db, content.hash)
    if (known) return { ...shownFile(known, actor), already: true }

    const file = await store(ctx, arrived, content, async (tx, blob) => {
      // On PostgreSQL two uploads of the same content would else both find nothing.
      await lockFiles(tx, ctx)
      const first = await findFileRowByHash(tx, content.hash)
      if (first) throw new AlreadyThere(first)
      const id = await insertFile(
        tx,
        {
          name: fileNameOf(input.name, content.type),
          folder: input.folder ?? '',
          address: await addressFor(tx, ctx, { hash: content.hash, crop: null }, undefined),
          addedBy: actor.name,
          content: { ...content, blob },
          waits: isDrawn(content),
        },
        ctx.now(),
      )
      const added = await findRow(tx, id)
      await record(tx, ctx, { action: 'file.uploaded', subject: subjectOf(added), after: auditedFile(added) })
      return added
    }).catch((error) => {
      if (error instanceof AlreadyThere) return error
      throw error
    })
    if (file instanceof AlreadyThere) return { ...shownFile(file.row, actor), already: true }
    ctx.signal.picture()
    return { ...shownFile(file, actor), already: false }
  })
}

class AlreadyThere extends Error {
  readonly row: FileRow
  constructor(row: FileRow) {
    super('already there')
    this.row = row
  }
}

/** Whether widths are made of it; a drawing is sharp at every one. */
export const isDrawn = ({ kind, type }: Pick<Content, 'kind' | 'type'>) => kind === 'picture' && type !== drawingType

/** Writes the body down, looks what it is, and gives both to `work`; afterwards nothing of it is left here. */
export async function receive<T>(
  ctx: Pick<Context, 'uploads'>,
  { bytes, body, gone }: { bytes: number | undefined; body: Body; gone: AbortSignal },
  work: (arrived: Arrived, content: Omit<Content, 'blob'>) => Promise<T>,
): Promise<T> {
  const { arrivals, maxBytes } = ctx.uploads
  if (bytes !== undefined && bytes > maxBytes) throw tooLarge(ctx)
  try {
    return await arrivals.receive(body as Parameters<typeof arrivals.receive>[0], maxBytes, async (arrived) =>
      work(arrived, await lookAt(ctx, arrived, gone)),
    )
  } catch (error) {
    if (error instanceof TooManyBytes) throw tooLarge(ctx)
    if (error instanceof BrokenOff) throw new Refusal('malformed')
    throw error
  }
}

/** Stores what arrived, and writes it down. */
export const store = <T>(
  ctx: Context,
  arrived: Arrived,
  content: Omit<Content, 'blob'>,
  keep: (tx: Transaction, blob: string) => Promise<T>,
): Promise<T> => storeBlob(ctx, (blob) => ctx.uploads.storage.put(originalOf(blob), arrived.path, content.type), keep)
