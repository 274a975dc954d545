import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { drawingType, fileTypeOf } from '../../contract/file-types.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { type LookedAt, PictureRefused } from '../../platform/pictures/workshop.ts'
import { type Arrived, BrokenOff, hashOf } from '../../platform/storage/arriving.ts'
import type { Content } from './file-write.queries.ts'

type Ctx = Pick<Context, 'uploads'>

/**
 * Finds out what an upload is, by its content alone. A drawing is cleaned in its place.
 * @param gone of who sent it: then nobody waits for what it is
 * @throws {BrokenOff}; {Refusal} `unsupported_type`, `too_large`, `invalid`: why it is not taken, with the limit where there is one
 */
export async function lookAt(ctx: Ctx, arrived: Arrived, gone: AbortSignal): Promise<Omit<Content, 'blob'>> {
  if (arrived.bytes === 0) throw refused('invalid', 'fileEmpty')
  return ctx.uploads.arrivals.withFolder(async (folder) => {
    const to = join(folder, 'clean')
    const { type, picture } = await looked(ctx, arrived.path, to, gone)
    const kind = fileTypeOf(type ?? '')?.kind
    if (!type || !kind) throw refused('unsupported_type', 'fileType')
    if (type === drawingType) await rename(to, arrived.path)
    // What stands in the clean file is what is stored, and what the hash is of.
    const { bytes, hash } = type === drawingType ? await hashOf(arrived.path) : arrived
    return { kind, type, bytes, hash, ...(picture ?? { width: null, height: null, frames: 1, placeholder: null }) }
  })
}

export const refused = (code: 'invalid' | 'too_large' | 'unsupported_type', key: FieldProblem['key'], limit?: number) =>
  new Refusal(code, { problems: [{ path: 'file', key, ...(limit !== undefined && { limit }) }] })

export const tooLarge = ({ uploads }: Ctx) => refused('too_large', 'fileTooLarge', uploads.maxBytes / 1_000_000)

async function looked({ uploads }: Ctx, file: string, to: string, gone: AbortSignal): Promise<LookedAt> {
  const { maxPixels, workshop } = uploads
  const { pictureFrames: maxFrames, drawing } = limits
  try {
    return await workshop.look({ file, to, maxPixels, maxFrames, drawing }, gone)
  } catch (error) {
    if (gone.aborted) throw new BrokenOff()
    if (!(error instanceof PictureRefused)) throw error
    if (error.fault === 'pixels') throw refused('invalid', 'pictureTooLarge', maxPixels / 1_000_000)
    if (error.fault === 'frames') throw refused('invalid', 'pictureFrames', maxFrames)
    if (error.fault === 'drawing') throw refused('too_large', 'drawingTooLarge', drawing.bytes / 1_000_000)
    if (error.fault === 'parts') throw refused('invalid', 'drawingParts', drawing.parts)
    if (error.fault === 'attributes') throw refused('invalid', 'drawingAttributes', drawing.attributes)
    if (error.fault === 'levels') throw refused('invalid', 'drawingLevels', drawing.levels)
    throw refused('invalid', 'fileBroken')
  }
}
