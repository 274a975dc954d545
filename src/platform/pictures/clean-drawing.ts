import { readFile, writeFile } from 'node:fs/promises'
import createDOMPurify, { type Config } from 'dompurify'
import { JSDOM } from 'jsdom'
import sharp from 'sharp'
import { Faulty } from './faulty.ts'
import type { DrawingLimits, Inspected } from './job.ts'
import { measureDrawing } from './measure-drawing.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
/** Pictures inside a drawing; another drawing is none, for it could hold the next. */
const innerPicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i
/** Styles may name what stands in the drawing itself and nothing else. */
const outsideStyle = /@import|@font-face|expression\s*\(|url\(\s*(?!["']?\s*#)/i

const config: Config & { IN_PLACE: true } = {
  IN_PLACE: true,
  USE_PROFILES: { svg: true, svgFilters: true },
  // Most programs that draw repeat a shape by it; the hook lets it name this drawing alone.
  ADD_TAGS: ['use'],
  FORBID_TAGS: ['foreignObject', 'animate', 'animateMotion', 'animateTransform', 'set'],
}

/** Takes out of a drawing all that runs or leads outside, and writes what is left. */
export async function cleanDrawing(job: {
  file: string
  to: string
  maxPixels: number
  drawing: DrawingLimits
}): Promise<Inspected> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(job.file))
  const { parts, attributes, levels } = measureDrawing(text)
  if (parts > job.drawing.parts) throw new Faulty('parts')
  if (attributes > job.drawing.attributes) throw new Faulty('attributes')
  if (levels > job.drawing.levels) throw new Faulty('levels')
  const { window } = new JSDOM('')
  // As XML, as browsers read the file; entities that it declares are no part of it then.
  const { documentElement: root } = new window.DOMParser().parseFromString(text, 'image/svg+xml')
  if (root.namespaceURI !== svgNamespace || root.localName !== 'svg') throw new Faulty('broken')

  const purify = createDOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (_node, attribute) => {
    const { attrName, attrValue } = attribute
    if (attrName === 'href' || attrName === 'xlink:href') {
      attribute.keepAttr = attrValue.startsWith('#') || innerPicture.test(attrValue)
    } else if (outsideStyle.test(attrValue)) attribute.keepAttr = false
  })
  purify.addHook('uponSanitizeElement', (node, { tagName }) => {
    if (tagName === 'style' && outsideStyle.test(node.textContent ?? '')) node.parentNode?.removeChild(node)
  })
  purify.sanitize(root, config)
  const clean = new window.XMLSerializer().serializeToString(root)

  const picture = Buffer.from(clean)
  const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata()
  if (width * height > job.maxPixels) throw new Faulty('pixels')
  // Drawn once, small: what unfolds without end does so here, and is stopped.
  await sharp(picture).resize(64, 64, { fit: 'inside' }).png().toBuffer()
  await writeFile(job.to, picture, { flush: true })
  return { width, height, frames: 1, placeholder: null }
}
