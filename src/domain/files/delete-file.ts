import { Refusal } from '../../contract/errors.ts'
import { holdContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteFiles } from './file.policy.ts'
import { listAddresses } from './file.queries.ts'
import { deleteFileRow } from './file-write.queries.ts'
import { findRow } from './find-files.ts'
import { lockFiles } from './lock-files.ts'
import { type FindPlaces, findPlaces } from './places.ts'
import { auditedFile, subjectOf } from './show-file.ts'
import { leaveBlobs } from './stored-blob.queries.ts'
import { sweepNow } from './sweep-files.ts'

/**
 * Removes a file that stands nowhere: also not in what somebody saves at this moment, or saved on another copy of the
 * program a moment ago.
 * @throws {Refusal} `not_found`; `file_in_use`, with the places
 */
export async function deleteFile(ctx: Context, id: number, finders: readonly FindPlaces[]): Promise<void> {
  allow(ctx, canWriteFiles)

  await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    const file = await findRow(tx, id)
    await holdContent(tx)
    const places = await findPlaces({ site: ctx.site, db: tx }, await listAddresses(tx, id), finders)
    if (places.length > 0) throw new Refusal('file_in_use', { current: { places } })

    await deleteFileRow(tx, id)
    await leaveBlobs(tx, [file.blob, file.picturesBlob], ctx.now())
    await record(tx, ctx, { action: 'file.deleted', subject: subjectOf(file), before: auditedFile(file) })
  })
  await sweepNow(ctx)
}
