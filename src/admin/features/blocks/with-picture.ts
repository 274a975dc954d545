import { emptyEntry, fieldsOf } from '../../../blocks/fields.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.ts'

/** A block with this picture in it, in place of its own or behind those of its list; undefined: it takes none. */
export function withPicture(block: StoredBlock, url: string): StoredBlock | undefined {
  if (!isKnown(block.type)) return undefined
  const values = block as unknown as Record<string, unknown>
  for (const field of fieldsOf(block.type)) {
    if (field.kind === 'picture' || field.kind === 'pictureOrLogo')
      return { ...block, [field.name]: url } as StoredBlock
    const inner = field.kind === 'objects' && field.fields.find(({ kind }) => kind === 'picture')
    if (!inner) continue
    const list = Array.isArray(values[field.name]) ? (values[field.name] as unknown[]) : []
    if (list.length >= field.most) continue
    return { ...block, [field.name]: [...list, { ...emptyEntry(field.fields), [inner.name]: url }] } as StoredBlock
  }
  return undefined
}
