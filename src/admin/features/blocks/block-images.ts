import { type Field, fieldsOf, newEntry } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.tsx'
import { withText } from './typed-fields.ts'

/** An image of a block, or a slot for one. */
export interface BlockImage {
  /** Path in the block: `items.0.src`. */
  path: string
  /** Empty for a slot without an image. */
  url: string
  /** The path of the image's description; undefined where the block has no field for it. */
  altPath: string | undefined
  alt: string
}

type Values = Record<string, unknown>

/**
 * The images of a block and its empty slots, in the order of its fields, without those of nested blocks. A list without
 * entries has a slot for its first image.
 * @param pathPrefix the start of the paths, such as `items.0.`; empty for the whole block
 */
export function blockImagesOf(fields: readonly Field[], values: Values, pathPrefix = ''): BlockImage[] {
  return fields.flatMap((field): BlockImage[] => {
    const value = values[field.name]
    const path = pathPrefix + field.name
    if (field.kind === 'image' || field.kind === 'imageOrLogo') {
      const altField = fields.find(({ kind, name }) => kind === 'text' && name === 'alt')
      const altPath = altField && `${pathPrefix}${altField.name}`
      const alt = altField ? String(values[altField.name] ?? '') : ''
      return [{ path, url: String(value ?? ''), altPath, alt }]
    }
    if (field.kind === 'object' && value) return blockImagesOf(field.fields, value as Values, `${path}.`)
    if (field.kind === 'objects' && Array.isArray(value)) {
      const entries: Values[] = value.length > 0 ? value : [{}]
      return entries.flatMap((entry, index) => blockImagesOf(field.fields, entry, `${path}.${index}.`))
    }
    return []
  })
}

/** A copy of the block with an image in a slot, and with its description where the block has a field for it. */
export function setImage(
  block: StoredBlock,
  { path, altPath }: Pick<BlockImage, 'path' | 'altPath'>,
  { url, alt, locale }: { url: string; alt: string | undefined; locale: Locale },
): StoredBlock {
  const type = block.type as BlockType
  const [fieldName] = path.split('.')
  const field = fieldsOf(type).find(({ name }) => name === fieldName)
  const values = withoutMediaChoice(block as unknown as Values)
  const isEmptyList = field?.kind === 'objects' && (values[field.name] as unknown[]).length === 0
  const withEntry = isEmptyList ? { ...values, [field.name]: [newEntry(type, field, locale)] } : values
  const withImage = withText(withEntry, path, url)
  return (alt && altPath ? withText(withImage, altPath, alt) : withImage) as unknown as StoredBlock
}

/** A copy of a list with one more image in the field `name`: of the first entry without one, or of a new entry. */
export function addImageToList<Entry extends Values>(
  list: readonly Entry[],
  name: string,
  url: string,
  createEntry: () => Values,
): Entry[] {
  const index = list.findIndex((entry) => !entry[name])
  if (index < 0) return [...list, { ...createEntry(), [name]: url } as Entry]
  return list.with(index, { ...list[index], [name]: url } as Entry)
}

/** The values without a choice to show an illustration or nothing, so that the image of the block is shown. */
export function withoutMediaChoice(values: Values): Values {
  if (!hidesImage(values)) return values
  const { media: _, ...others } = values
  return others
}

/** Whether a block is set to show its illustration, or nothing, and not its image. */
export const hidesImage = ({ media }: Values): boolean => media === 'illustration' || media === 'none'

/**
 * The image of a block that an element shows. If the block has the same file several times, the order tells which it is.
 * @param elements the block's images on the page, in order
 * @param srcOf returns the `src` with which the page shows an image: for a cropped file it differs from the image's URL
 */
export function blockImageShownBy(
  image: HTMLImageElement,
  elements: readonly HTMLImageElement[],
  blockImages: readonly BlockImage[],
  srcOf: (url: string) => string,
): BlockImage | undefined {
  const shows = (element: HTMLImageElement, { url }: BlockImage) =>
    new URL(srcOf(url), location.href).pathname === new URL(element.src, location.href).pathname
  const sameFile = blockImages.filter((blockImage) => blockImage.url && shows(image, blockImage))
  const elementsOfFile = elements.filter((element) => sameFile.some((blockImage) => shows(element, blockImage)))
  return sameFile[elementsOfFile.indexOf(image)] ?? sameFile[0]
}

/**
 * The empty slot that an element shows; undefined where the block does not show each of its empty slots.
 * @param elements the block's slots on the page, in order
 */
export function slotShownBy(
  slot: Element,
  elements: readonly Element[],
  blockImages: readonly BlockImage[],
): BlockImage | undefined {
  const emptySlots = blockImages.filter(({ path, url }) => url === '' && !path.startsWith('style.'))
  return emptySlots.length === elements.length ? emptySlots[elements.indexOf(slot)] : undefined
}

/** The last element that contains a point of the viewport, also where another element takes the click. */
export function elementAt<E extends Element>(elements: readonly E[], { x, y }: { x: number; y: number }) {
  return elements.findLast((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return left <= x && x <= right && top <= y && y <= bottom
  })
}

/** The elements of a block's empty slots for images, without nested blocks; the illustration of a hero is one too. */
export const imageSlotsIn = (block: Element): Element[] =>
  [...block.querySelectorAll('.image.missing, .hero > .view')].filter((element) => isDirectlyIn(element, block))

/** The image elements of a block, without those of its nested blocks. */
export const imagesIn = (block: Element): HTMLImageElement[] =>
  [...block.querySelectorAll('img')].filter((element) => isDirectlyIn(element, block))

const isDirectlyIn = (element: Element, block: Element) => element.closest('[data-puck-component]') === block

/** A copy of the block with this image, in its image field or in its list; undefined if it cannot have one. */
export function insertImage(block: StoredBlock, url: string, locale: Locale): StoredBlock | undefined {
  const { type } = block
  if (!isKnown(type)) return undefined
  const values = withoutMediaChoice(block as unknown as Values)
  for (const field of fieldsOf(type)) {
    if (field.kind === 'image' || field.kind === 'imageOrLogo')
      return { ...values, [field.name]: url } as unknown as StoredBlock
    const imageField = field.kind === 'objects' && field.fields.find(({ kind }) => kind === 'image')
    if (!imageField) continue
    const list = Array.isArray(values[field.name]) ? (values[field.name] as Values[]) : []
    const withImage = addImageToList(list, imageField.name, url, () => newEntry(type, field, locale))
    if (withImage.length <= field.maxItems) return { ...values, [field.name]: withImage } as unknown as StoredBlock
  }
  return undefined
}
