import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { CropArea } from '../../contract/files.ts'
import type { ResizedWidth } from '../../contract/images.ts'
import {
  ImageRejected,
  type ImageTask,
  type ProbedImage,
  type ResizeResult,
  resizedFileName,
  uncroppedFileName,
} from './image-tasks.ts'

// One thread and no cache, to leave the processors and memory to the server.
sharp.concurrency(1)
sharp.cache(false)

/** In pixels; screens show no difference above the last one. */
const widths = [320, 640, 960, 1_280, 1_920, 2_560]
const maxWidth = 2_560
/** An animation is smaller, because every frame must be encoded. */
const maxAnimatedWidth = 960
const maxUncroppedWidth = 1_280
/** The limit of WebP. */
const maxHeight = 16_383
/** The width of a quick pass. */
const quickWidth = 1_280
const previewPixels = 640
const animatedPreviewPixels = 160
const placeholderPixels = 20

const formats: Record<string, { format: Metadata['format']; extension: string } | undefined> = {
  'image/jpeg': { format: 'jpeg', extension: 'jpg' },
  'image/png': { format: 'png', extension: 'png' },
  'image/webp': { format: 'webp', extension: 'webp' },
  'image/gif': { format: 'gif', extension: 'gif' },
  'image/avif': { format: 'heif', extension: 'avif' },
}

export const isRasterImageType = (type: string): boolean => formats[type] !== undefined

/** Decodes the whole image, so that a damaged one is refused, and writes its preview. @throws {ImageRejected} */
export async function probeImage(task: Extract<ImageTask, { kind: 'probe' }>, type: string): Promise<ProbedImage> {
  const metadata = await sharp(task.file, { limitInputPixels: false }).metadata()
  if (metadata.format !== formats[type]?.format) throw new ImageRejected('unreadable')
  const { width, height } = metadata.autoOrient
  const frames = metadata.pages ?? 1
  if (width * height * frames > task.maxPixels) throw new ImageRejected('pixels')
  if (frames > task.maxFrames) throw new ImageRejected('frames')
  const pixels = frames > 1 ? animatedPreviewPixels : previewPixels
  const image = sharp(task.file, { failOn: 'error', animated: frames > 1 })
  const preview = await (frames > 1 ? image : image.autoOrient())
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 70 })
    .toBuffer()
  await writeFile(task.preview, preview)
  const placeholder = await placeholderOf(sharp(preview), metadata)
  return { width, height, frames, placeholder, previewBytes: preview.length }
}

/** Writes the image in every width and type, or with `quick` in one width, without metadata such as location and date. */
export async function resizeImage(task: Extract<ImageTask, { kind: 'resize' }>): Promise<ResizeResult> {
  const extension = formats[task.type]?.extension
  if (!extension) throw new ImageRejected('unreadable')
  const metadata = await sharp(task.file).metadata()
  const { width: fullWidth, height: fullHeight } = task.crop ?? metadata.autoOrient
  const image = () => crop(sharp(task.file, { failOn: 'error', animated: task.animated }), task.crop, task.animated)
  const types = [...new Set([...(task.animated || task.quick ? [] : ['avif']), 'webp', extension])]
  const widthAtMaxHeight = Math.max(1, Math.floor((fullWidth * maxHeight) / fullHeight))
  const largestWidth = Math.min(fullWidth, widthAtMaxHeight, task.animated ? maxAnimatedWidth : maxWidth)

  let totalBytes = 0
  // Written by Node, because Sharp's errors do not distinguish a full disk from a broken image.
  const write = async (image: Sharp, name: string) => {
    const content = await image.toBuffer()
    await writeFile(join(task.folder, name), content)
    totalBytes += content.length
    return content.length
  }
  const resized: ResizedWidth[] = []
  for (const width of task.quick ? [Math.min(largestWidth, quickWidth)] : widthsUpTo(largestWidth)) {
    const height = Math.min(maxHeight, Math.max(1, Math.round((fullHeight * width) / fullWidth)))
    const bytes: number[] = []
    // A quick pass decodes the image once for all types, because somebody waits for it; it has one width, so its pixels
    // fit in memory.
    const decoded = task.quick ? await decode(image().resize(width, height, { fit: 'fill' })) : undefined
    for (const type of types) {
      const output = encode(decoded?.() ?? image().resize(width, height, { fit: 'fill' }), type, task.quick)
      bytes.push(await write(output, resizedFileName(width, type)))
    }
    resized.push({ width, height, types, bytes })
  }
  if (task.crop) {
    const uncropped = crop(sharp(task.file, { failOn: 'error' }), null, false)
    const maxSize = { width: maxUncroppedWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true } as const
    await write(encode(uncropped.resize(maxSize), 'webp'), uncroppedFileName)
  }
  return {
    width: fullWidth,
    height: fullHeight,
    placeholder: await placeholderOf(image(), metadata),
    widths: resized,
    totalBytes,
  }
}

/** Decodes an image once. @returns a function that gives its pixels, to be encoded several times */
async function decode(image: Sharp): Promise<() => Sharp> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return () => sharp(data, { raw: { width, height, channels } })
}

/** Orients and crops an image; an animation stays as it is. */
const crop = (image: Sharp, area: CropArea | null, animated: boolean): Sharp => {
  if (animated) return image
  const oriented = image.autoOrient()
  return area ? oriented.extract({ left: area.x, top: area.y, width: area.width, height: area.height }) : oriented
}

/** The standard widths below the largest, and the largest. */
const widthsUpTo = (largest: number): number[] => [...widths.filter((width) => width < largest), largest]

/** @param quick takes a quarter of the time, for files that are a tenth larger */
function encode(image: Sharp, extension: string, quick = false): Sharp {
  if (extension === 'avif') return image.avif({ quality: 52, effort: 3 })
  if (extension === 'webp') return image.webp({ quality: 76, effort: quick ? 1 : 4 })
  if (extension === 'png') return image.png({ compressionLevel: quick ? 3 : 9 })
  if (extension === 'gif') return image.gif()
  return image.jpeg({ quality: 80, mozjpeg: !quick })
}

/** A tiny image as a data URL, to show until the image is loaded; null when there can be none. */
async function placeholderOf(image: Sharp, { hasAlpha, pages = 1 }: Metadata): Promise<string | null> {
  // A placeholder would stay visible behind a transparent image, and one frame does not suit an animation.
  if (hasAlpha || pages > 1) return null
  const small = await image
    .resize(placeholderPixels, placeholderPixels, { fit: 'inside' })
    .webp({ quality: 40 })
    .toBuffer()
  return `data:image/webp;base64,${small.toString('base64')}`
}
