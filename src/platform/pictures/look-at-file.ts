import { open, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { drawingType } from '../../contract/file-types.ts'
import { Faulty } from './faulty.ts'
import type { LookedAt, PictureJob } from './job.ts'

/** Finds out what a file is by its content. A picture is read to its end; a drawing only begins like one. */
export async function lookAtFile(job: Extract<PictureJob, { work: 'look' }>): Promise<LookedAt> {
  const found = await fileTypeFromFile(job.file)
  // A drawing is text, which has no mark at its beginning; whether it is one, the cleaner finds out.
  if (found === undefined || found.mime === 'application/xml') {
    if (!(await beginsLikeDrawing(job.file))) return { type: null, picture: null }
    if ((await stat(job.file)).size > job.drawing.bytes) throw new Faulty('drawing')
    return { type: drawingType, picture: null }
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
