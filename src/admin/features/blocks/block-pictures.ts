import { emptyEntry, type Field, fieldsOf } from '../../../blocks/fields.ts'
import { publicFileIdsIn } from '../../../contract/images.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.tsx'

/** One picture of a block. */
export interface BlockPicture {
  /** Path in the block: `items.0.src`. */
  path: string
  url: string
  /** The path of its description; undefined where the block has none. */
  altPath: string | undefined
  alt: string
}

type Values = Record<string, unknown>

/** The pictures of a block in the order of its fields; pictures of nested blocks are theirs. */
export function picturesOf(fields: readonly Field[], values: Values, at = ''): BlockPicture[] {
  return fields.flatMap((field): BlockPicture[] => {
    const value = values[field.name]
    const path = at + field.name
    if ((field.kind === 'image' || field.kind === 'imageOrLogo') && typeof value === 'string' && value) {
      const described = fields.find(({ kind, name }) => kind === 'text' && name === 'alt')
      const altPath = described && `${at}${described.name}`
      return [{ path, url: value, altPath, alt: described ? String(values[described.name] ?? '') : '' }]
    }
    if (field.kind === 'object' && value) return picturesOf(field.fields, value as Values, `${path}.`)
    if (field.kind === 'objects' && Array.isArray(value)) {
      return value.flatMap((entry: Values, index) => picturesOf(field.fields, entry, `${path}.${index}.`))
    }
    return []
  })
}

/**
 * The picture of a block that an element shows. A picture that is there several times is found by its order.
 * @param shown the block's images on the page, in order
 */
export function pictureShownBy(
  image: HTMLImageElement,
  shown: readonly HTMLImageElement[],
  pictures: readonly BlockPicture[],
): BlockPicture | undefined {
  const isShownBy = (one: HTMLImageElement, { url }: BlockPicture) => {
    const [id] = publicFileIdsIn(url)
    const around = one.closest('picture') ?? one
    return id
      ? around.outerHTML.includes(id)
      : new URL(url, location.href).pathname === new URL(one.src, location.href).pathname
  }
  const own = pictures.filter((picture) => isShownBy(image, picture))
  const alike = shown.filter((one) => own.some((picture) => isShownBy(one, picture)))
  return own[alike.indexOf(image)] ?? own[0]
}

/** The image of a block under a point of the page, also below what takes the click. */
export function imageAt(block: Element, { x, y }: { x: number; y: number }): HTMLImageElement | undefined {
  return imagesIn(block)
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return left <= x && x <= right && top <= y && y <= bottom
    })
    .at(-1)
}

/** The images of a block without those of its nested blocks. */
export const imagesIn = (block: Element): HTMLImageElement[] =>
  [...block.querySelectorAll('img')].filter((one) => one.closest('[data-puck-component]') === block)

/** The block with this image, replacing its own or appended to its list; undefined if it can have none. */
export function withImage(block: StoredBlock, url: string): StoredBlock | undefined {
  if (!isKnown(block.type)) return undefined
  const values = block as unknown as Record<string, unknown>
  for (const field of fieldsOf(block.type)) {
    if (field.kind === 'image' || field.kind === 'imageOrLogo') return { ...block, [field.name]: url } as StoredBlock
    const inner = field.kind === 'objects' && field.fields.find(({ kind }) => kind === 'image')
    if (!inner) continue
    const list = Array.isArray(values[field.name]) ? (values[field.name] as unknown[]) : []
    if (list.length >= field.most) continue
    return { ...block, [field.name]: [...list, { ...emptyEntry(field.fields), [inner.name]: url }] } as StoredBlock
  }
  return undefined
}
