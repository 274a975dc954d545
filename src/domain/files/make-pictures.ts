import { join } from 'node:path'
import { pictureTypes } from '../../contract/file-types.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { drawnName, wholeName } from '../../platform/pictures/job.ts'
import { PictureRefused } from '../../platform/pictures/workshop.ts'
import { findFileRow } from './file.queries.ts'
import { type ClaimedFile, claimFile, releaseClaim, renewClaim, settleMade, settleUnmade } from './file-work.queries.ts'
import { originalOf, storeBlob } from './store-content.ts'
import { leaveBlobs } from './stored-blob.queries.ts'
import { sweepNow } from './sweep-files.ts'

/** Short, so that a killed program's pictures are soon free; it is renewed while one is drawn. */
const leaseMs = 30_000
/** A picture that was cut off so often is not tried again by itself. */
const mostAttempts = 5
const pauseMs = 60_000

type Ctx = Omit<Context, 'actor'>

/** Makes the widths of the picture that has waited longest. False: none waits. @param stopping gives it back */
export async function makePictures(ctx: Ctx, stopping: AbortSignal): Promise<boolean> {
  const claim = await claimFile(ctx.db, ctx.dialect.skipLocked, ctx.now(), leaseMs)
  if (!claim) return false
  const renewal = setInterval(() => {
    renewClaim(ctx.db, claim, ctx.now(), leaseMs).catch((error) =>
      ctx.log.warn({ file: claim.id, err: error }, 'a claim was not renewed'),
    )
  }, leaseMs / 3)
  try {
    await draw(ctx, claim)
    ctx.log.info({ file: claim.id, attempt: claim.attempt }, 'pictures made')
  } catch (error) {
    if (stopping.aborted) await releaseClaim(ctx.db, claim, ctx.now())
    else await unmade(ctx, claim, error)
  } finally {
    clearInterval(renewal)
  }
  return true
}

async function draw(ctx: Ctx, claim: ClaimedFile): Promise<void> {
  const { storage, workshop, arrivals } = ctx.uploads
  const { type, crop, frames, address } = claim
  await arrivals.withFolder(async (folder) => {
    const { width, height, placeholder, widths } = await storage.withFile(originalOf(claim.blob), (file) =>
      workshop.draw({ file, folder, type, crop, animated: frames > 1 }),
    )
    const fill = async (blob: string) => {
      for (const one of widths) {
        for (const ending of one.types) {
          const name = drawnName(one.width, ending)
          await storage.put(`${blob}/${name}`, join(folder, name), pictureTypes[ending] ?? 'application/octet-stream')
        }
      }
      if (crop) await storage.put(`${blob}/${wholeName}`, join(folder, wholeName), 'image/webp')
    }
    const pictures = { address, width, height, placeholder, cropped: crop !== null, widths }
    await storeBlob(ctx, fill, async (tx, blob) => {
      const before = await findFileRow(tx, claim.id)
      const made = await settleMade(tx, claim, { pictures, blob })
      if (!made) throw new Overtaken()
      await leaveBlobs(tx, [before?.picturesBlob ?? null], ctx.now())
      await touchContent(tx, ['page'])
    })
  })
  ctx.signal.content()
  await sweepNow(ctx)
}

/** The file became another while it was drawn, or is gone. */
class Overtaken extends Error {}

async function unmade(ctx: Ctx, claim: ClaimedFile, error: unknown): Promise<void> {
  const now = await findFileRow(ctx.db, claim.id)
  if (error instanceof Overtaken || now?.address !== claim.address) return sweepNow(ctx)
  // What a decoder refuses it refuses again; what else went wrong may pass.
  const final = error instanceof PictureRefused || claim.attempt >= mostAttempts
  await settleUnmade(ctx.db, claim, final ? undefined : new Date(ctx.now().getTime() + pauseMs))
  const about = { file: claim.id, attempt: claim.attempt, err: error }
  if (final) ctx.log.warn(about, 'the widths of a picture could not be made')
  else ctx.log.warn(about, 'the widths of a picture are made later')
}
