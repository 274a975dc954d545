import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import sharp from 'sharp'

/*
 * A program of its own: it reads what to draw from its standard input, writes the files and ends. The memory that
 * drawing takes goes with it.
 */

export interface DrawJob {
  folder: string
  /** Files of fonts, so that the texts need none of the machine. */
  fonts: string[]
  drawings: Drawing[]
}

export interface Drawing {
  /** Name of the file; `.ico` wraps the PNG. */
  name: string
  svg: string
  width: number
  height: number
  texts?: DrawnText[]
}

export interface DrawnText {
  /** Pango markup. */
  markup: string
  /** Pango's description of the font: family, a comma, style and size in pixels. */
  font: string
  /** Distance of the text's box from the top and from the side that reading begins at. */
  top: number
  start: number
  width: number
  rtl: boolean
}

const { folder, fonts, drawings } = (await json(process.stdin)) as DrawJob
// A font file is known to the whole program once one text has been drawn with it.
for (const fontfile of fonts)
  await sharp({ text: { text: 'a', fontfile } })
    .raw()
    .toBuffer()
for (const drawing of drawings) await writeFile(join(folder, drawing.name), await draw(drawing))

async function draw({ name, svg, width, height, texts = [] }: Drawing): Promise<Buffer> {
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
  // Rendered at twice the size and brought down, so that thin lines stay even.
  const png = await sharp(await sharp(Buffer.from(svg), { density: 144 }).resize(width, height).png().toBuffer())
    .composite(layers)
    .png({ compressionLevel: 9, palette: texts.length === 0 })
    .toBuffer()
  return name.endsWith('.ico') ? icoOf(png, width) : png
}

/** An icon file with one PNG in it. */
function icoOf(png: Buffer, size: number): Buffer {
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
