import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Faulty } from './faulty.ts'
import type { PictureAnswer, PictureJob } from './job.ts'

/*
 * A program of its own: it reads one job from its standard input, writes the answer to its standard output and ends.
 * The memory that pictures take goes with it, and what a broken picture can do to a decoder it does here. It ends when
 * its input does, so none outlives the server.
 */

const input = createInterface({ input: process.stdin })
const [line] = (await once(input, 'line')) as [string]
input.once('close', () => process.exit(1))
process.stdout.write(JSON.stringify(await answerTo(JSON.parse(line))), () => process.exit(0))

async function answerTo(job: PictureJob): Promise<PictureAnswer<unknown>> {
  try {
    if (job.work === 'look') {
      const { lookAtFile } = await import('./look-at-file.ts')
      return { result: await lookAtFile(job) }
    }
    if (job.work === 'clean') {
      const { cleanDrawing } = await import('./clean-drawing.ts')
      return { result: await cleanDrawing(job) }
    }
    const { drawPicture } = await import('./draw-picture.ts')
    return { result: await drawPicture(job) }
  } catch (error) {
    return { fault: error instanceof Faulty ? error.fault : 'broken', detail: String(error).slice(0, 500) }
  }
}
