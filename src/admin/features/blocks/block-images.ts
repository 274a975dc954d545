import { type Field, fieldsOf, newEntry } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.tsx'
import { withText } from './typed-fields.ts'

export interface BlockImage {
  /** Path in the block: `items.0.src`. */
  path: string
  /** Empty for a slot without an image. */
  url: string
  /** The path of its description; undefined where the block has none. */
  altPath: string | undefined
  alt: string
}

type Values = Record<string, unknown>

/**
 * The images of a block in the order of its fields, and the empty slots for more; those of nested blocks are theirs. A list
 * without entries has a slot for its first image.
 */
export function blockImagesOf(fields: readonly Field[], values: Values, at = ''): BlockImage[] {
  return fields.flatMap((field): BlockImage[] => {
    const value = values[field.name]
    const path = at + field.name
    if (field.kind === 'image' || field.kind === 'imageOrLogo') {
      const described = fields.find(({ kind, name }) => kind === 'text' && name === 'alt')
      const altPath = described && `${at}${described.name}`
      const alt = described ? String(values[described.name] ?? '') : ''
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

/** The block with another image, and its description, in a slot. */
export function setImage(
  block: StoredBlock,
  { path, altPath }: Pick<BlockImage, 'path' | 'altPath'>,
  { url, alt, locale }: { url: string; alt: string | undefined; locale: Locale },
): StoredBlock {
  const type = block.type as BlockType
  const [list] = path.split('.')
  const field = fieldsOf(type).find(({ name }) => name === list)
  const values = withoutMediaChoice(block as unknown as Values)
  const isFirst = field?.kind === 'objects' && (values[field.name] as unknown[]).length === 0
  const ready = isFirst ? { ...values, [field.name]: [newEntry(type, field, locale)] } : values
  const filled = withText(ready, path, url)
  return (alt && altPath ? withText(filled, altPath, alt) : filled) as unknown as StoredBlock
}

/** A list with one more image: in the first entry that has none, or else in a new one. */
export function addImageToList<Entry extends Values>(
  list: readonly Entry[],
  name: string,
  url: string,
  fresh: () => Values,
): Entry[] {
  const at = list.findIndex((entry) => !entry[name])
  return (
    at < 0 ? [...list, { ...fresh(), [name]: url }] : list.with(at, { ...list[at], [name]: url } as Entry)
  ) as Entry[]
}

/** The values of a block that gets an image: it is shown from now on, also instead of an illustration or nothing. */
export function withoutMediaChoice(values: Values): Values {
  if (!hidesImage(values)) return values
  const { media: _, ...others } = values
  return others
}

/** Whether a block is set to show its illustration, or nothing, and not its image. */
export const hidesImage = ({ media }: Values): boolean => media === 'illustration' || media === 'none'

/**
 * The image of a block that an element shows. An image that is there several times is found by its order.
 * @param shown the block's images on the page, in order
 * @param srcOf the `src` with which the page shows an image of a block: that of a cropped file is not its address
 */
export function blockImageShownBy(
  image: HTMLImageElement,
  shown: readonly HTMLImageElement[],
  blockImages: readonly BlockImage[],
  srcOf: (url: string) => string,
): BlockImage | undefined {
  const isShownBy = (one: HTMLImageElement, { url }: BlockImage) =>
    new URL(srcOf(url), location.href).pathname === new URL(one.src, location.href).pathname
  const own = blockImages.filter((blockImage) => blockImage.url && isShownBy(image, blockImage))
  const alike = shown.filter((one) => own.some((blockImage) => isShownBy(one, blockImage)))
  return own[alike.indexOf(image)] ?? own[0]
}

/**
 * The slot for an image that an element shows, where the block shows each of its slots.
 * @param shown the block's slots on the page, in order
 */
export function slotShownBy(
  slot: Element,
  shown: readonly Element[],
  blockImages: readonly BlockImage[],
): BlockImage | undefined {
  const empty = blockImages.filter(({ path, url }) => url === '' && !path.startsWith('style.'))
  return empty.length === shown.length ? empty[shown.indexOf(slot)] : undefined
}

/** The element under a point of the page, also below what takes the click. */
export function elementAt<One extends Element>(elements: readonly One[], { x, y }: { x: number; y: number }) {
  return elements
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return left <= x && x <= right && top <= y && y <= bottom
    })
    .at(-1)
}

/** The slots for images of a block; the illustration of a hero is one too. */
export const imageSlotsIn = (block: Element): Element[] =>
  [...block.querySelectorAll('.image.missing, .hero > .view')].filter(
    (one) => one.closest('[data-puck-component]') === block,
  )

/** The images of a block without those of its nested blocks. */
export const imagesIn = (block: Element): HTMLImageElement[] =>
  [...block.querySelectorAll('img')].filter((one) => one.closest('[data-puck-component]') === block)

/** The block with this image, replacing its own or appended to its list; undefined if it can have none. */
export function insertImage(block: StoredBlock, url: string, locale: Locale): StoredBlock | undefined {
  const { type } = block
  if (!isKnown(type)) return undefined
  const values = withoutMediaChoice(block as unknown as Values)
  for (const field of fieldsOf(type)) {
    if (field.kind === 'image' || field.kind === 'imageOrLogo')
      return { ...values, [field.name]: url } as unknown as StoredBlock
    const inner = field.kind === 'objects' && field.fields.find(({ kind }) => kind === 'image')
    if (!inner) continue
    const list = Array.isArray(values[field.name]) ? (values[field.name] as Values[]) : []
    const filled = addImageToList(list, inner.name, url, () => newEntry(type, field, locale))
    if (filled.length <= field.most) return { ...values, [field.name]: filled } as unknown as StoredBlock
  }
  return undefined
}
