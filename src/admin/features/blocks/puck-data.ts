import type { ComponentData, Data } from '@puckeditor/core'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { isKnown } from './block-names.tsx'

type Values = Record<string, unknown>

/** Converts blocks to Puck's format: a block's values are in `props`, and its nested blocks are Puck items too. */
export const toPuck = (blocks: readonly StoredBlock[]): Data => ({ root: { props: {} }, content: blocks.map(toItem) })

export function toItem(block: StoredBlock): ComponentData {
  const { type, id, ...values } = block
  const withItems = mapBlockLists(type, values, (list) => list.map(toItem))
  return { type, props: { ...withItems, id: id ?? generatedIdOf(block) } }
}

/** Converts Puck's format to blocks. */
export const fromPuck = (data: Pick<Data, 'content'>): StoredBlock[] =>
  data.content.map((item) => fromItem(item as ComponentData))

export function fromItem(item: ComponentData): StoredBlock {
  const cached = convertedBlocks.get(item.props)
  if (cached?.type === item.type) return cached
  const { id, ...values } = item.props as Values & { id: string }
  const withBlocks = mapBlockLists(item.type, values, (list) => list.map((nested) => fromItem(nested as never)))
  const block = { type: item.type, id: storedId(id), ...withBlocks }
  convertedBlocks.set(item.props, block)
  return block
}

/** By the props of the item. Puck changes no props in place, so an unchanged block is the same object again. */
const convertedBlocks = new WeakMap<object, StoredBlock>()

/** The blocks with their stored ids; one without an id gets the generated id that it has on the canvas. See `storedId`. */
export const withCanvasIds = (blocks: readonly StoredBlock[]): StoredBlock[] => fromPuck(toPuck(blocks))

/** Puck's ids consist of the block's type and a UUID, which is longer than a stored id may be; the UUID is enough. */
export const storedId = (id: string): string => (id.length > 40 ? id.slice(-36) : id)

const generatedIds = new WeakMap<StoredBlock, string>()

/** An id for a block that has none yet, the same one for the same object. */
function generatedIdOf(block: StoredBlock): string {
  const id = generatedIds.get(block) ?? randomId()
  generatedIds.set(block, id)
  return id
}

/** A copy of a block's values, with each list of nested blocks mapped. */
function mapBlockLists(type: string, values: Values, mapList: (list: StoredBlock[]) => unknown): Values {
  return isKnown(type) ? mapBlockListsIn(fieldsOf(type), values, mapList) : values
}

function mapBlockListsIn(fields: readonly Field[], values: Values, mapList: (list: StoredBlock[]) => unknown): Values {
  const mapped = { ...values }
  for (const field of fields) {
    const value = values[field.name]
    if (value === undefined) continue
    if (field.kind === 'blocks' && Array.isArray(value)) mapped[field.name] = mapList(value)
    if (field.kind === 'object') mapped[field.name] = mapBlockListsIn(field.fields, value as Values, mapList)
    if (field.kind === 'objects' && Array.isArray(value)) {
      mapped[field.name] = value.map((entry: Values) => mapBlockListsIn(field.fields, entry, mapList))
    }
  }
  return mapped
}

/** The path of a block, as error paths name it: `2.columns.0.blocks.1`; undefined if no block has the id. */
export function pathOf(blocks: readonly StoredBlock[], id: string): string | undefined {
  return searchId(blocks, id, '')
}

function searchId(value: unknown, id: string, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (path && 'id' in value && value.id === id) return path
  for (const [name, inner] of Object.entries(value)) {
    const found = searchId(inner, id, path ? `${path}.${name}` : name)
    if (found) return found
  }
  return undefined
}

/** A copy of the blocks with one changed, in the page or in a column; the same array if no block has the id. */
export function changeBlock(
  blocks: StoredBlock[],
  id: string,
  change: (block: StoredBlock) => StoredBlock,
): StoredBlock[] {
  const path = pathOf(blocks, id)?.split('.')
  if (!path) return blocks
  const listPath = path.slice(0, -1)
  const index = Number(path.at(-1))
  return changeListAt(blocks, listPath, (list) => list.with(index, change(list[index] as StoredBlock)))
}

/**
 * A copy of the blocks with a deleted one put back before the first of the blocks that followed it, or else at the end of
 * its list. Without effect if the block is there again or its columns are gone.
 * @param blocksBefore the blocks before the deletion
 */
export function restoreBlock(blocks: StoredBlock[], id: string, blocksBefore: readonly StoredBlock[]): StoredBlock[] {
  const path = pathOf(blocksBefore, id)?.split('.')
  if (!path || pathOf(blocks, id)) return blocks
  const listPath = path.slice(0, -1)
  const listBefore = listPath.reduce<unknown>((value, name) => (value as Values)[name], blocksBefore) as StoredBlock[]
  const [deleted, ...following] = listBefore.slice(Number(path.at(-1))) as [StoredBlock, ...StoredBlock[]]
  const insert = (list: StoredBlock[]) => {
    const index = list.findIndex((block) => following.some((next) => next.id === block.id))
    return list.toSpliced(index < 0 ? list.length : index, 0, deleted)
  }
  const [columnsIndex, ...pathInColumns] = listPath
  if (columnsIndex === undefined) return insert(blocks)
  const columns = blocksBefore[Number(columnsIndex)]
  return blocks.map((block) => (block.id === columns?.id ? changeListAt(block, pathInColumns, insert) : block))
}

/** A copy of a value with the list at a path changed; the same value where it has no such list. */
function changeListAt<Value>(
  value: Value,
  [name, ...rest]: string[],
  change: (list: StoredBlock[]) => StoredBlock[],
): Value {
  if (name === undefined) return change(value as StoredBlock[]) as Value
  const inner = (value as Values)[name]
  if (inner === undefined) return value
  const changed = changeListAt(inner, rest, change)
  return (Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }) as Value
}

/** Puck's id of the innermost block on a path such as `2.columns.0.blocks.1.title`; undefined if there is none. */
export function puckIdAt({ content }: Pick<Data, 'content'>, path: string): string | undefined {
  let value: unknown = content
  let item: ComponentData | undefined
  for (const name of path.split('.')) {
    value = (value as Values)[name]
    if (typeof value !== 'object' || value === null) break
    if (!('props' in value)) continue
    item = value as ComponentData
    value = item.props
  }
  return item?.props.id
}
