import { Refusal } from '../../contract/errors.ts'
import type { Area, ChangedFile, StoredFile } from '../../contract/files.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteFiles } from './file.policy.ts'
import type { FileRow } from './file.queries.ts'
import { fileNameOf } from './file-name.ts'
import { updateFileRow } from './file-write.queries.ts'
import { findRow } from './find-files.ts'
import { lockFiles } from './lock-files.ts'
import { auditedFile, shownFile, subjectOf } from './show-file.ts'
import { addressFor } from './store-content.ts'
import { isDrawn } from './upload-file.ts'

/**
 * Changes what is said of a file, and what is seen of a picture; what is left out stays. Every place shows it anew.
 * @throws {Refusal} `not_found`, `stale`, `invalid` for a crop that lies outside
 */
export async function changeFile(ctx: Context, id: number, input: ChangedFile): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)

  const file = await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    const before = await findRow(tx, id)
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale', { current: shownFile(before, actor) })
    }
    const crop = input.crop === undefined ? before.crop : wholeIsNone(input.crop, before)
    if (crop && input.crop !== undefined && !isInside(crop, before)) {
      throw new Refusal('invalid', { problems: [{ path: 'crop', key: 'value' }] })
    }
    const drawAnew = JSON.stringify(crop) !== JSON.stringify(before.crop)
    await updateFileRow(
      tx,
      id,
      {
        name: input.name === undefined ? before.name : fileNameOf(input.name, before.type),
        folder: input.folder ?? before.folder,
        alt: input.alt ?? before.alt,
        focal: input.focal ?? before.focal,
        crop,
        address: drawAnew ? await addressFor(tx, ctx, { hash: before.hash, crop }, id) : before.address,
      },
      drawAnew,
      ctx.now(),
    )
    const after = await findRow(tx, id)
    await record(tx, ctx, {
      action: 'file.updated',
      subject: subjectOf(after),
      before: auditedFile(before),
      after: auditedFile(after),
    })
    await touchContent(tx, ['page'])
    return after
  })
  ctx.signal.content()
  ctx.signal.picture()
  return shownFile(file, actor)
}

const wholeIsNone = (crop: Area | null, { width, height }: FileRow): Area | null =>
  crop && crop.x === 0 && crop.y === 0 && crop.width === width && crop.height === height ? null : crop

const isInside = (crop: Area, file: FileRow): boolean =>
  isDrawn(file) &&
  file.frames === 1 &&
  crop.x + crop.width <= (file.width ?? 0) &&
  crop.y + crop.height <= (file.height ?? 0)
