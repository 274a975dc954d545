import { open, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { Faulty } from './faulty.ts'
import type { LookedAt, PictureJob } from './job.ts'

const drawing = 'image/svg+xml'

/** Finds out what a file is by its content. A picture is read to its end; of a drawing a clean copy is written to `to`. */
export async function lookAtFile(job: Extract<PictureJob, { work: 'look' }>): Promise<LookedAt> {
  const found = await fileTypeFromFile(job.file)
  // A drawing is text, which has no mark at its beginning; whether it is one, the cleaner finds out.
  if (found === undefined || found.mime === 'application/xml') {
    if (!(await beginsLikeDrawing(job.file))) return { type: null, picture: null }
    if ((await stat(job.file)).size > job.maxDrawingBytes) throw new Faulty('drawing')
    const { cleanDrawing } = await import('./clean-drawing.ts')
    return { type: drawing, picture: await cleanDrawing(job) }
  }
  const { inspectPicture, isPictureType } = await import('./draw-picture.ts')
  return { type: found.mime, picture: isPictureType(found.mime) ? await inspectPicture(job, found.mime) : null }
}

async function beginsLikeDrawing(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '')
    return /^\s*</.test(text) && /<(?:\w+:)?svg[\s>]/.test(text)
  } finally {
    await handle.close()
  }
}
