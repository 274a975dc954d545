import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { ImageTask, ImageToRender } from './image-tasks.ts'

/**
 * Renders SVG images with text layers into PNG and ICO files.
 * @param task.fonts paths of font files; fonts of the system are not used
 */
export async function renderImages({ folder, fonts, images }: Extract<ImageTask, { kind: 'render' }>): Promise<void> {
  // Rendering any text with a font file makes the font known to Pango in the whole process.
  for (const fontfile of fonts)
    await sharp({ text: { text: 'a', fontfile } })
      .raw()
      .toBuffer()
  for (const image of images) await writeFile(join(folder, image.name), await render(image))
}

async function render({ name, svg, width, height, texts = [] }: ImageToRender): Promise<Buffer> {
  const layers = await Promise.all(
    texts.map(async (text) => {
      const { data, info } = await sharp({
        text: {
          text: text.markup,
          font: text.font,
          dpi: 72,
          rgba: true,
          width: text.width,
          align: 'left',
          wrap: 'word',
        },
      })
        .png()
        .toBuffer({ resolveWithObject: true })
      return { input: data, top: text.top, left: text.rtl ? width - text.start - info.width : text.start }
    }),
  )
  // Rendered at twice the size and scaled down, so that thin lines stay even.
  const png = await sharp(await sharp(Buffer.from(svg), { density: 144 }).resize(width, height).png().toBuffer())
    .composite(layers)
    .png({ compressionLevel: 9, palette: texts.length === 0 })
    .toBuffer()
  return name.endsWith('.ico') ? wrapInIco(png, width) : png
}

/** Wraps a square PNG in an ICO file: a header of 6 bytes and a directory entry of 16. A size of 256 is stored as 0. */
function wrapInIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size % 256, 6)
  head.writeUInt8(size % 256, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
