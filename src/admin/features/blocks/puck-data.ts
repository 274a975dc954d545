import type { ComponentData, Data } from '@puckeditor/core'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.tsx'

type Values = Record<string, unknown>

/** Converts blocks to Puck's format: a block's values, nested blocks included, are in `props`. */
export const toPuck = (blocks: readonly StoredBlock[]): Data => ({ root: { props: {} }, content: blocks.map(toItem) })

export function toItem(block: StoredBlock): ComponentData {
  const { type, id, ...values } = block
  return { type, props: { ...inside(type, values, (list) => list.map(toItem)), id: id ?? idOf(block) } }
}

/** Converts Puck's format to blocks. */
export const fromPuck = (data: Pick<Data, 'content'>): StoredBlock[] =>
  data.content.map((item) => fromItem(item as ComponentData))

export function fromItem(item: ComponentData): StoredBlock {
  const known = converted.get(item.props)
  if (known?.type === item.type) return known
  const { id, ...values } = item.props as Values & { id: string }
  const nested = (list: StoredBlock[]) => list.map((one) => fromItem(one as never))
  const block = { type: item.type, id: storedId(id), ...inside(item.type, values, nested) }
  converted.set(item.props, block)
  return block
}

/** Puck changes no values in place, so a block that was not changed is the same object again. */
const converted = new WeakMap<object, StoredBlock>()

/** Puck's ids consist of the block's type and a UUID, which is longer than a stored id may be; the UUID is enough. */
export const storedId = (id: string): string => (id.length > 40 ? id.slice(-36) : id)

const ids = new WeakMap<StoredBlock, string>()

/** A stable id for a block that has none yet. */
function idOf(block: StoredBlock): string {
  const id = ids.get(block) ?? randomId()
  ids.set(block, id)
  return id
}

/** Maps each list of blocks in a block's values. */
function inside(type: string, values: Values, change: (list: StoredBlock[]) => unknown): Values {
  return isKnown(type) ? changeIn(fieldsOf(type), values, change) : values
}

function changeIn(fields: readonly Field[], values: Values, change: (list: StoredBlock[]) => unknown): Values {
  const changed = { ...values }
  for (const field of fields) {
    const value = values[field.name]
    if (value === undefined) continue
    if (field.kind === 'blocks' && Array.isArray(value)) changed[field.name] = change(value)
    if (field.kind === 'object') changed[field.name] = changeIn(field.fields, value as Values, change)
    if (field.kind === 'objects' && Array.isArray(value)) {
      changed[field.name] = value.map((entry: Values) => changeIn(field.fields, entry, change))
    }
  }
  return changed
}

/** The path of a block, as error paths name it: `2.columns.0.blocks.1`. */
export function pathOf(blocks: readonly StoredBlock[], id: string): string | undefined {
  return search(blocks, id, '')
}

function search(value: unknown, id: string, at: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (at && 'id' in value && value.id === id) return at
  for (const [name, one] of Object.entries(value)) {
    const found = search(one, id, at ? `${at}.${name}` : name)
    if (found) return found
  }
  return undefined
}

/** A copy with one block changed, in the page or in a column; the same blocks when it is gone. */
export function changeBlock(
  blocks: StoredBlock[],
  id: string,
  change: (block: StoredBlock) => StoredBlock,
): StoredBlock[] {
  const path = pathOf(blocks, id)?.split('.')
  if (!path) return blocks
  const index = Number(path.at(-1))
  return changedAt(blocks, path.slice(0, -1), (list) => list.with(index, change(list[index] as StoredBlock)))
}

/**
 * Copies blocks with a deleted one before those that followed it, in the page or in a column. They stay as they are when the block
 * is there again or its column is gone.
 * @param before the blocks before it was deleted
 */
export function putBack(blocks: StoredBlock[], id: string, before: readonly StoredBlock[]): StoredBlock[] {
  const path = pathOf(before, id)?.split('.')
  if (!path || pathOf(blocks, id)) return blocks
  const [top, ...inner] = path.slice(0, -1)
  const list = path.slice(0, -1).reduce<unknown>((value, name) => (value as Values)[name], before) as StoredBlock[]
  const [block, ...following] = list.slice(Number(path.at(-1))) as [StoredBlock, ...StoredBlock[]]
  const insert = (into: StoredBlock[]) => {
    const at = into.findIndex((one) => following.some((other) => other.id === one.id))
    return into.toSpliced(at < 0 ? into.length : at, 0, block)
  }
  if (top === undefined) return insert(blocks)
  const outer = before[Number(top)]
  return blocks.map((one) => (one.id === outer?.id ? changedAt(one, inner, insert) : one))
}

/** A copy with the list at a path changed; the same value where it has no such list. */
function changedAt<Value>(
  value: Value,
  [name, ...rest]: string[],
  change: (list: StoredBlock[]) => StoredBlock[],
): Value {
  if (name === undefined) return change(value as StoredBlock[]) as Value
  const inner = (value as Values)[name]
  if (inner === undefined) return value
  const changed = changedAt(inner, rest, change)
  return (Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }) as Value
}

/** The id of the innermost block on a path. */
export function idAt(blocks: readonly StoredBlock[], path: string): string | undefined {
  let found: unknown = blocks
  let id: string | undefined
  for (const name of path.split('.')) {
    found = (found as Values | undefined)?.[name]
    if (typeof found !== 'object' || found === null) break
    if ('type' in found && 'id' in found) id = String(found.id)
  }
  return id
}
