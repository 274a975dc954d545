import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { ResponsiveImage } from '../../contract/images.ts'

/** Reads the images of the public folder by URL path; those whose size cannot be read are left out. They are not resized. */
export function readPublicImages(folder: string): ReadonlyMap<string, ResponsiveImage> {
  const images = new Map<string, ResponsiveImage>()
  if (!existsSync(folder)) return images
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    const size = file.isFile() && sizeReaders[extname(path)]?.(readFileSync(path))
    if (!size || !(size.width > 0 && size.height > 0)) continue
    const src = `/${relative(folder, path).normalize().split(sep).map(encodeURIComponent).join('/')}`
    images.set(src, { ...size, src, sources: [], placeholder: null, focal: { x: 50, y: 50 }, alt: { nl: '', fa: '' } })
  }
  return images
}

type Size = Pick<ResponsiveImage, 'width' | 'height'>

/** By extension: reads the size in pixels; undefined for a file that is broken or of an unknown variant of its format. */
const sizeReaders: Record<string, (bytes: Buffer) => Size | undefined> = {
  '.svg': (bytes) => {
    const [, width, height] = /<svg\b[^>]*\sviewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString('utf8')) ?? []
    return width && height ? { width: Math.round(Number(width)), height: Math.round(Number(height)) } : undefined
  },
  '.png': (bytes) =>
    bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  // The box `ispe` (image spatial extents): version and flags, width, height.
  '.avif': (bytes) => {
    const index = bytes.indexOf('ispe')
    if (index < 0 || bytes.length < index + 16) return undefined
    return { width: bytes.readUInt32BE(index + 8), height: bytes.readUInt32BE(index + 12) }
  },
  // The lossy format (`VP8 `) and the extended one (`VP8X`); the lossless one is not read.
  '.webp': (bytes) => {
    if (bytes.length < 30) return undefined
    const format = bytes.toString('latin1', 12, 16)
    if (format === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    if (format === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    return undefined
  },
}
