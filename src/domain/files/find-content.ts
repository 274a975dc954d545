import type { Readable } from 'node:stream'
import { Refusal } from '../../contract/errors.ts'
import { type FileKind, pictureTypes } from '../../contract/file-types.ts'
import { fileUrl, widthUrl, withEnding } from '../../contract/pictures.ts'
import type { Context } from '../../platform/context.ts'
import { drawnName, wholeName } from '../../platform/pictures/job.ts'
import { allow } from '../allow.ts'
import { canSeeFiles } from './file.policy.ts'
import { type FileRow, findFilesAt } from './file.queries.ts'
import { findRow } from './find-files.ts'
import { originalOf } from './store-content.ts'
import { isDrawn } from './upload-file.ts'

/** What stands at an address: something stored, or another address where it stands today. */
export type FoundContent =
  | { key: string; name: string; type: string; kind: FileKind; bytes: number; etag: string }
  | { moved: string }

/** Everyone may see what they have the address of. @param asked.width of a picture, with the ending of a type */
export async function findContent(
  ctx: Pick<Context, 'db'>,
  asked: { address: string; width?: number | undefined; name: string },
): Promise<FoundContent | undefined> {
  const file = (await findFilesAt(ctx.db, [asked.address])).get(asked.address)
  if (!file) return undefined
  return isDrawn(file) ? findWidth(file, asked) : findOriginal(file, asked)
}

function findOriginal(file: FileRow, asked: { address: string; name: string }): FoundContent {
  const { address, name, type, kind, bytes } = file
  if (asked.address !== address || asked.name !== name) return { moved: fileUrl(address, name) }
  return { key: originalOf(file.blob), name, type, kind, bytes, etag: address }
}

/** Of a picture nobody gets the original: it may tell where it was taken. Without a width it is the widest. */
function findWidth(file: FileRow, asked: { address: string; width?: number | undefined; name: string }) {
  const { pictures, picturesBlob, kind } = file
  const widest = pictures?.widths.at(-1)
  if (!pictures || !picturesBlob || !widest) return undefined
  const wanted = asked.width ?? widest.width
  // Another crop may have other widths than the page was made with that is still somewhere.
  const found = pictures.widths.find(({ width }) => width >= wanted) ?? widest
  const given = asked.name.slice(asked.name.lastIndexOf('.') + 1)
  const own = found.types.at(-1) ?? ''
  const ending = asked.width !== undefined && found.types.includes(given) ? given : own
  const name = withEnding(file.name, ending)
  const moved =
    asked.width === undefined ? fileUrl(pictures.address, name) : widthUrl(pictures.address, found.width, name, ending)
  const here =
    asked.width === undefined ? fileUrl(asked.address, asked.name) : widthUrl(asked.address, wanted, asked.name, given)
  if (moved !== here) return { moved }
  return {
    key: `${picturesBlob}/${drawnName(found.width, ending)}`,
    name,
    type: pictureTypes[ending] ?? '',
    kind,
    bytes: found.bytes[found.types.indexOf(ending)] ?? 0,
    etag: `${pictures.address}-${found.width}-${ending}`,
  }
}

/** All of a cropped picture, for who changes the crop. @throws {Refusal} `not_found` */
export async function readWhole(ctx: Context, id: number): Promise<Readable> {
  allow(ctx, canSeeFiles)
  const { pictures, picturesBlob } = await findRow(ctx.db, id)
  const stored = pictures?.cropped ? await ctx.uploads.storage.read(`${picturesBlob}/${wholeName}`) : undefined
  if (!stored) throw new Refusal('not_found')
  return stored
}
