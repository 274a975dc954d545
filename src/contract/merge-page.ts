import { deepEqual, isRecord } from './deep-equal.ts'
import type { Conflict, DraftText } from './pages.ts'
import type { StoredBlock } from './site-config.ts'

/** The merged text. At a conflict it has `mine`, or the edited block when the other side deleted that block. */
export interface MergedPage {
  text: DraftText
  conflicts: Conflict[]
}

/**
 * Three-way merge of a text, block by block and field by field. Blocks are matched by `id`, so moves are recognised. A
 * change by only one side is taken, and identical changes are no conflict.
 */
export function mergePage(base: DraftText, mine: DraftText, theirs: DraftText): MergedPage {
  const conflicts: Conflict[] = []
  const text = mergeFields(base, mine, theirs, { block: null, path: '', conflicts })
  return { text: text as unknown as DraftText, conflicts }
}

/** The position in the text (the key of the block and the path in it), and the list that conflicts are added to. */
interface Position {
  block: string | null
  path: string
  conflicts: Conflict[]
}
type Values = Record<string, unknown>

const childAt = (at: Position, name: string): Position => ({ ...at, path: at.path ? `${at.path}.${name}` : name })

function mergeFields(base: object, mine: object, theirs: object, at: Position): Values {
  const [baseValues, myValues, theirValues] = [base as Values, mine as Values, theirs as Values]
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs), ...Object.keys(base)])
  return Object.fromEntries(
    [...names]
      .map((key) => [key, mergeValue(baseValues[key], myValues[key], theirValues[key], childAt(at, key))] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown, at: Position): unknown {
  if (deepEqual(mine, theirs) || deepEqual(theirs, base)) return mine
  if (deepEqual(mine, base)) return theirs
  if ([base, mine, theirs].every(isBlockList)) {
    return mergeBlocks(base as StoredBlock[], mine as StoredBlock[], theirs as StoredBlock[], at)
  }
  if ([base, mine, theirs].every(Array.isArray)) {
    const [baseList, myList, theirList] = [base as unknown[], mine as unknown[], theirs as unknown[]]
    // Items of other lists are matched by index, so only while no side added or removed one.
    const isSameLength = baseList.length === myList.length && baseList.length === theirList.length
    if (isSameLength && [...baseList, ...myList, ...theirList].every(isRecord)) {
      return myList.map((item, index) =>
        mergeValue(baseList[index], item, theirList[index], childAt(at, String(index))),
      )
    }
  } else if ([base, mine, theirs].every(isRecord)) {
    return mergeFields(base as object, mine as object, theirs as object, at)
  }
  at.conflicts.push({ field: at.path, block: at.block, base: base ?? null, mine: mine ?? null, theirs: theirs ?? null })
  return mine
}

/** Blocks in their order, by a key that is the same on all sides: see `blocksByKey`. */
type KeyedBlocks = Map<string, StoredBlock>
type MaybeBlock = StoredBlock | undefined
type Sides = [base: KeyedBlocks, mine: KeyedBlocks, theirs: KeyedBlocks]

function mergeBlocks(base: StoredBlock[], mine: StoredBlock[], theirs: StoredBlock[], at: Position): StoredBlock[] {
  const [baseBlocks, myBlocks, theirBlocks] = [blocksByKey(base), blocksByKey(mine), blocksByKey(theirs)]
  const merged: KeyedBlocks = new Map()
  for (const key of new Set([...myBlocks.keys(), ...theirBlocks.keys()])) {
    const block = mergeBlock(key, [baseBlocks.get(key), myBlocks.get(key), theirBlocks.get(key)], at)
    if (block) merged.set(key, block)
  }
  return orderBlocks(merged, [baseBlocks, myBlocks, theirBlocks], at)
}

/** Merges one block, which is undefined where a side lacks it. @returns undefined for a deleted block */
function mergeBlock(key: string, [base, mine, theirs]: MaybeBlock[], at: Position): MaybeBlock {
  const blockPosition: Position = { block: key, path: '', conflicts: at.conflicts }
  if (mine && theirs) {
    if (deepEqual(mine, theirs)) return mine
    // A block with another type has other fields, so one of the two is taken whole.
    const isSameType = base !== undefined && base.type === mine.type && base.type === theirs.type
    if (isSameType) return mergeFields(base, mine, theirs, blockPosition) as unknown as StoredBlock
    if (base && deepEqual(base, theirs)) return mine
    if (base && deepEqual(base, mine)) return theirs
    at.conflicts.push({ field: at.path, block: key, base: base ?? null, mine, theirs })
    return mine
  }
  const remaining = mine ?? theirs
  if (!base || !remaining) return remaining
  if (deepEqual(base, remaining)) return undefined
  at.conflicts.push({ field: at.path, block: key, base, mine: mine ?? null, theirs: theirs ?? null })
  return remaining
}

/** Puts the blocks in the order of the side that moved blocks. Two different new orders are a conflict. */
function orderBlocks(merged: KeyedBlocks, [base, mine, theirs]: Sides, at: Position): StoredBlock[] {
  const keysOf = (blocks: KeyedBlocks) => [...blocks.keys()]
  const isCommon = (key: string) => base.has(key) && mine.has(key) && theirs.has(key)
  const commonOrder = (blocks: KeyedBlocks) => keysOf(blocks).filter(isCommon).join('\n')
  const [baseOrder, myOrder, theirOrder] = [commonOrder(base), commonOrder(mine), commonOrder(theirs)]
  if (myOrder !== baseOrder && theirOrder !== baseOrder && myOrder !== theirOrder) {
    const orders = { base: keysOf(base), mine: keysOf(mine), theirs: keysOf(theirs) }
    at.conflicts.push({ field: at.path, block: at.block, ...orders })
  }
  // When both sides have the same order, compare keys, so that swapping the sides gives the same result.
  const isMineFirst = myOrder === theirOrder ? keysOf(mine).join() < keysOf(theirs).join() : myOrder !== baseOrder
  const [first, second] = isMineFirst ? [mine, theirs] : [theirs, mine]
  return interleave(first, second, merged)
}

/** The merged blocks in the order of `first`; those only in `second` keep their predecessor there. */
function interleave(first: KeyedBlocks, second: KeyedBlocks, merged: KeyedBlocks): StoredBlock[] {
  // A linked list from each key to the next one, so that long lists merge in linear time. It begins at `undefined`.
  const nextKeys = new Map<string | undefined, string | undefined>()
  const insertAfter = (previous: string | undefined, key: string) => {
    const next = nextKeys.get(previous)
    nextKeys.set(previous, key).set(key, next)
  }
  for (const side of [first, second]) {
    let previous: string | undefined
    for (const key of side.keys()) {
      if (!merged.has(key)) continue
      if (!nextKeys.has(key)) insertAfter(previous, key)
      previous = key
    }
  }
  const blocks: StoredBlock[] = []
  for (let key = nextKeys.get(undefined); key !== undefined; key = nextKeys.get(key))
    blocks.push(merged.get(key) as StoredBlock)
  return blocks
}

/** Blocks by `id`; without one, by position. A repeated key gets the position appended. */
function blocksByKey(list: StoredBlock[]): KeyedBlocks {
  const keyed: KeyedBlocks = new Map()
  for (const [index, block] of list.entries()) {
    const { id } = block as { id?: unknown }
    const key = typeof id === 'string' && id !== '' ? id : `#${index}`
    keyed.set(keyed.has(key) ? `${key}#${index}` : key, block)
  }
  return keyed
}

/** Whether a value is a list of blocks, possibly empty: each item has a `type`, which items of other lists lack. */
const isBlockList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => isRecord(item) && typeof item.type === 'string')
