import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { Faulty } from './faulty.ts'
import { type Area, type Drawn, type DrawnWidth, drawnName, type Inspected, type PictureJob, wholeName } from './job.ts'

// One picture at a time and nothing kept: the machine belongs to the visitors.
sharp.concurrency(1)
sharp.cache(false)

/** Pixels across; above the widest no screen gains anything that the eye sees. */
const widths = [320, 640, 960, 1_280, 1_920, 2_560]
const widest = 2_560
/** Animations are as long as they are wide: their many pictures are kept small. */
const widestAnimated = 960
const widestWhole = 1_280
const placeholderPixels = 20

const formats: Record<string, { format: Metadata['format']; ending: string } | undefined> = {
  'image/jpeg': { format: 'jpeg', ending: 'jpg' },
  'image/png': { format: 'png', ending: 'png' },
  'image/webp': { format: 'webp', ending: 'webp' },
  'image/gif': { format: 'gif', ending: 'gif' },
  'image/avif': { format: 'heif', ending: 'avif' },
}

export const isPictureType = (type: string): boolean => formats[type] !== undefined

/** Reads all of a picture once, so that what is accepted can also be drawn. */
export async function inspectPicture(
  job: { file: string; maxPixels: number; maxFrames: number },
  type: string,
): Promise<Inspected> {
  const about = await sharp(job.file, { limitInputPixels: false }).metadata()
  if (about.format !== formats[type]?.format) throw new Faulty('broken')
  const { width, height } = about.autoOrient
  const frames = about.pages ?? 1
  if (width * height * frames > job.maxPixels) throw new Faulty('pixels')
  if (frames > job.maxFrames) throw new Faulty('frames')
  const whole = sharp(job.file, { failOn: 'error', animated: frames > 1 })
  return { width, height, frames, placeholder: await placeholderOf(frames > 1 ? whole : whole.autoOrient(), about) }
}

/** Writes the picture in every width and type; what stands in it beside the picture (place, camera, date) is left out. */
export async function drawPicture(job: Extract<PictureJob, { work: 'draw' }>): Promise<Drawn> {
  const ending = formats[job.type]?.ending
  if (!ending) throw new Faulty('broken')
  const about = await sharp(job.file).metadata()
  const shown = job.crop ?? { ...about.autoOrient, x: 0, y: 0 }
  const picture = () => cropped(sharp(job.file, { failOn: 'error', animated: job.animated }), job.crop, job.animated)
  const types = [...new Set([...(job.animated ? [] : ['avif']), 'webp', ending])]

  const drawn: DrawnWidth[] = []
  for (const width of widthsOf(shown.width, job.animated ? widestAnimated : widest)) {
    const height = Math.max(1, Math.round((shown.height * width) / shown.width))
    const bytes: number[] = []
    for (const type of types) {
      const resized = picture().resize(width, height, { fit: 'fill' })
      const { size } = await encoded(resized, type).toFile(join(job.folder, drawnName(width, type)))
      bytes.push(size)
    }
    drawn.push({ width, height, types, bytes })
  }
  if (job.crop) {
    const whole = cropped(sharp(job.file, { failOn: 'error' }), null, false)
    await encoded(whole.resize({ width: widestWhole, withoutEnlargement: true }), 'webp').toFile(
      join(job.folder, wholeName),
    )
  }
  return {
    width: shown.width,
    height: shown.height,
    placeholder: await placeholderOf(picture(), about),
    widths: drawn,
  }
}

const cropped = (picture: Sharp, crop: Area | null, animated: boolean): Sharp => {
  if (animated) return picture
  const upright = picture.autoOrient()
  return crop ? upright.extract({ left: crop.x, top: crop.y, width: crop.width, height: crop.height }) : upright
}

/** Those that are smaller than the picture, and its own. */
const widthsOf = (own: number, most: number): number[] => {
  const last = Math.min(own, most)
  return [...widths.filter((width) => width < last), last]
}

function encoded(picture: Sharp, ending: string): Sharp {
  if (ending === 'avif') return picture.avif({ quality: 52, effort: 3 })
  if (ending === 'webp') return picture.webp({ quality: 76 })
  if (ending === 'png') return picture.png({ compressionLevel: 9 })
  if (ending === 'gif') return picture.gif()
  return picture.jpeg({ quality: 80, mozjpeg: true })
}

async function placeholderOf(picture: Sharp, { hasAlpha, pages = 1 }: Metadata): Promise<string | null> {
  const small = await picture
    .resize(placeholderPixels, placeholderPixels, { fit: 'inside' })
    .webp({ quality: 40 })
    .toBuffer()
  // An animation's would move, and through a picture with holes it would be seen for ever.
  return hasAlpha || pages > 1 ? null : `data:image/webp;base64,${small.toString('base64')}`
}
