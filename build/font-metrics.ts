/** The font metrics that decide the size of a text, in em. */
export interface FontMetrics {
  ascent: number
  descent: number
  lineGap: number
  /** Mean character width in running Dutch text. */
  meanWidth: number
}

/** A Dutch text, so that the mean width is weighted by the frequency of letters. */
const sample =
  'wij bouwen snelle websites en webapplicaties voor ondernemers en houden ze in de lucht u weet vooraf wat het kost en wanneer het klaar is'

/** Advance widths in thousandths of an em: space, then a to t. Those of Arial, which are the same in Liberation. */
const arial = {
  regular: [278, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278],
  bold: [278, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333],
}
/** The same of u to z. */
const arialEnd = { regular: [556, 500, 722, 500, 500, 500], bold: [611, 556, 778, 556, 556, 500] }

/** Reads the metrics of an uncompressed TrueType font. Byte offsets are those of the OpenType specification. */
export function readMetrics(font: Buffer): FontMetrics {
  const table = (tag: string) => tableAt(font, tag)
  const em = font.readUInt16BE(table('head') + 18)
  const hhea = table('hhea')
  const lines = lineMetricsAt(font)
  const longMetrics = font.readUInt16BE(hhea + 34)
  const glyphOf = readCharacterMap(font, table('cmap'))
  const hmtx = table('hmtx')
  const advance = (character: string) =>
    font.readUInt16BE(hmtx + 4 * Math.min(glyphOf(character.charCodeAt(0)), longMetrics - 1))
  return {
    ascent: font.readInt16BE(lines) / em,
    descent: -font.readInt16BE(lines + 2) / em,
    lineGap: font.readInt16BE(lines + 4) / em,
    meanWidth: mean([...sample].map(advance)) / em,
  }
}

/** A copy of the font with larger glyphs: it has fewer units per em. */
export function enlarge(font: Buffer, scale: number): Buffer {
  const larger = Buffer.from(font)
  const em = tableAt(larger, 'head') + 18
  larger.writeUInt16BE(Math.round(larger.readUInt16BE(em) / scale), em)
  return larger
}

/** A copy of the font with other line metrics, so that two fonts of one family have the same line height. */
export function withLineMetrics(font: Buffer, { ascent, descent, lineGap }: FontMetrics): Buffer {
  const changed = Buffer.from(font)
  const em = changed.readUInt16BE(tableAt(changed, 'head') + 18)
  for (const offset of [tableAt(changed, 'hhea') + 4, tableAt(changed, 'OS/2') + 68]) {
    for (const [index, metric] of [ascent, -descent, lineGap].entries())
      changed.writeInt16BE(Math.round(metric * em), offset + 2 * index)
  }
  return changed
}

/** The font family: entry 1 of the `name` table, in UTF-16. */
export function readFamily(font: Buffer): string {
  const names = tableAt(font, 'name')
  const storage = names + font.readUInt16BE(names + 4)
  for (let entry = names + 6, left = font.readUInt16BE(names + 2); left > 0; left--, entry += 12) {
    if (font.readUInt16BE(entry) !== 3 || font.readUInt16BE(entry + 6) !== 1) continue
    const start = storage + font.readUInt16BE(entry + 10)
    return Buffer.from(font.subarray(start, start + font.readUInt16BE(entry + 8)))
      .swap16()
      .toString('utf16le')
  }
  throw new Error('The font does not say its name')
}

/** The same of Times: space, then a to u. */
const times = {
  regular: [
    250, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500,
  ],
  bold: [250, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556],
}
const timesEnd = { regular: [500, 722, 500, 500, 444], bold: [500, 722, 500, 500, 444] }
const fallbacks = { arial: [arial, arialEnd], times: [times, timesEnd] } as const

/** `@font-face` descriptors that give Arial or Times the metrics of this font, so that swapping it in shifts no layout. */
export function fallbackDescriptors(
  metrics: FontMetrics,
  fallback: keyof typeof fallbacks,
  weight: 'regular' | 'bold',
): string {
  const widths = fallbacks[fallback].flatMap((widthsByWeight) => widthsByWeight[weight])
  const fallbackWidth = mean(
    [...sample].map((character) => widths[character === ' ' ? 0 : character.charCodeAt(0) - 96] ?? 0),
  )
  return metricOverrides(metrics, metrics.meanWidth / (fallbackWidth / 1000))
}

/** `@font-face` descriptors that give a fallback font these line metrics, and multiply its width by `adjust`. */
export function metricOverrides(metrics: FontMetrics, adjust: number): string {
  const percent = (metric: number) => `${+((metric / adjust) * 100).toFixed(1)}%`
  return `size-adjust:${+(adjust * 100).toFixed(1)}%;ascent-override:${percent(metrics.ascent)};descent-override:${percent(metrics.descent)};line-gap-override:${percent(metrics.lineGap)}`
}

function tableAt(font: Buffer, tag: string): number {
  for (let entry = 12, left = font.readUInt16BE(4); left > 0; left--, entry += 16) {
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8)
  }
  throw new Error(`The font has no ${tag} table`)
}

/** The byte offset of ascent, descent and line gap: in `OS/2` if bit 7 of `fsSelection` is set, as in browsers. */
function lineMetricsAt(font: Buffer): number {
  const os2 = tableAt(font, 'OS/2')
  return font.readUInt16BE(os2 + 62) & 0x80 ? os2 + 68 : tableAt(font, 'hhea') + 4
}

/** The function from a character code to its glyph, from the `cmap` table. */
function readCharacterMap(font: Buffer, cmap: number): (code: number) => number {
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const offset = cmap + font.readUInt32BE(cmap + 8 + index * 8)
    if (font.readUInt16BE(offset) === 4) return (code) => findGlyph(font, offset, code)
  }
  throw new Error('The font has no character map of format 4')
}

/** Looks up a character in a map of format 4. @returns 0 for a missing glyph */
function findGlyph(font: Buffer, offset: number, code: number): number {
  const size = font.readUInt16BE(offset + 6)
  const ends = offset + 14
  const starts = ends + size + 2
  for (let segment = 0; segment < size; segment += 2) {
    if (font.readUInt16BE(ends + segment) < code) continue
    const start = font.readUInt16BE(starts + segment)
    if (start > code) return 0
    const delta = font.readUInt16BE(starts + size + segment)
    const rangeAt = starts + 2 * size + segment
    const range = font.readUInt16BE(rangeAt)
    if (range === 0) return (code + delta) & 0xffff
    const glyph = font.readUInt16BE(rangeAt + range + 2 * (code - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
