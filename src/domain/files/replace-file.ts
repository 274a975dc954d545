import { Refusal } from '../../contract/errors.ts'
import type { StoredFile } from '../../contract/files.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteFiles } from './file.policy.ts'
import { fileNameOf } from './file-name.ts'
import { updateContent } from './file-write.queries.ts'
import { findRow } from './find-files.ts'
import { lockFiles } from './lock-files.ts'
import { refused } from './look-at.ts'
import { auditedFile, shownFile, subjectOf } from './show-file.ts'
import { addressFor } from './store-content.ts'
import { leaveBlobs } from './stored-blob.queries.ts'
import { sweepNow } from './sweep-files.ts'
import { isDrawn, receive, store } from './upload-file.ts'

/**
 * Gives a file another content. It stays where it stands, and its old addresses lead to it; what is seen of a picture is
 * all of it again.
 * @throws {Refusal} as an upload, and `not_found`, `stale`, `invalid` for content of another kind
 */
export async function replaceFile(
  ctx: Context,
  id: number,
  input: {
    name?: string | undefined
    version?: number | undefined
    bytes: number | undefined
    body: ReadableStream<Uint8Array> | null
    gone: AbortSignal
  },
): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)
  await findRow(ctx.db, id)

  const file = await receive(ctx, input, (arrived, content) =>
    store(ctx, arrived, content, async (tx, blob) => {
      await lockFiles(tx, ctx)
      const before = await findRow(tx, id)
      if (input.version !== undefined && input.version !== before.version) {
        throw new Refusal('stale', { current: shownFile(before, actor) })
      }
      if (content.kind !== before.kind) throw refused('invalid', 'fileOtherKind')
      const waits = isDrawn(content)
      await updateContent(
        tx,
        id,
        {
          // The old name with the ending of the new content, unless another was given.
          name: fileNameOf(input.name ?? before.name, content.type),
          address: await addressFor(tx, ctx, { hash: content.hash, crop: null }, id),
          content: { ...content, blob },
          waits,
        },
        ctx.now(),
      )
      await leaveBlobs(tx, [before.blob, ...(waits ? [] : [before.picturesBlob])], ctx.now())
      const after = await findRow(tx, id)
      await record(tx, ctx, {
        action: 'file.replaced',
        subject: subjectOf(after),
        before: auditedFile(before),
        after: auditedFile(after),
      })
      await touchContent(tx, ['page'])
      return after
    }),
  )
  ctx.signal.content()
  ctx.signal.picture()
  await sweepNow(ctx)
  return shownFile(file, actor)
}
