import { deepEqual } from './deep-equal.ts'
import type { Conflict, DraftText } from './pages.ts'
import type { StoredBlock } from './site-config.ts'

/**
 * The merged text and its conflicts. At a conflict the text has my version, or the edited block when the other deleted
 * it.
 */
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

/** The position in the text, and the conflicts found so far. */
interface At {
  block: string | null
  path: string
  conflicts: Conflict[]
}
type Values = Record<string, unknown>

const deeper = (at: At, name: string): At => ({ ...at, path: at.path ? `${at.path}.${name}` : name })

function mergeFields(base: object, mine: object, theirs: object, at: At): Values {
  const [was, own, other] = [base as Values, mine as Values, theirs as Values]
  const names = [...new Set([...Object.keys(own), ...Object.keys(other), ...Object.keys(was)])]
  return Object.fromEntries(
    names
      .map((name) => [name, mergeValue(was[name], own[name], other[name], deeper(at, name))] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown, at: At): unknown {
  if (deepEqual(mine, theirs) || deepEqual(theirs, base)) return mine
  if (deepEqual(mine, base)) return theirs
  if ([base, mine, theirs].every(isBlockList)) {
    return mergeBlocks(base as StoredBlock[], mine as StoredBlock[], theirs as StoredBlock[], at)
  }
  if ([base, mine, theirs].every(Array.isArray)) {
    const [was, own, other] = [base as unknown[], mine as unknown[], theirs as unknown[]]
    const alike = was.length === own.length && was.length === other.length
    if (alike && [...was, ...own, ...other].every(isObject)) {
      return own.map((value, index) => mergeValue(was[index], value, other[index], deeper(at, String(index))))
    }
  } else if ([base, mine, theirs].every(isObject)) {
    return mergeFields(base as object, mine as object, theirs as object, at)
  }
  at.conflicts.push({ field: at.path, block: at.block, base: base ?? null, mine: mine ?? null, theirs: theirs ?? null })
  return mine
}

type Keyed = Map<string, StoredBlock>

function mergeBlocks(base: StoredBlock[], mine: StoredBlock[], theirs: StoredBlock[], at: At): StoredBlock[] {
  const [was, own, other] = [blocksByKey(base), blocksByKey(mine), blocksByKey(theirs)]
  const merged: Keyed = new Map()
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const block = mergeBlock(key, [was.get(key), own.get(key), other.get(key)], at)
    if (block) merged.set(key, block)
  }
  return mergeOrder(merged, [was, own, other], at)
}

/** Undefined for a deleted block. */
function mergeBlock(key: string, [base, mine, theirs]: (StoredBlock | undefined)[], at: At): StoredBlock | undefined {
  const inside: At = { block: key, path: '', conflicts: at.conflicts }
  if (mine && theirs) {
    if (deepEqual(mine, theirs)) return mine
    // A block with another type has other fields, so one of the two is taken whole.
    const alike = base !== undefined && base.type === mine.type && base.type === theirs.type
    if (alike) return mergeFields(base, mine, theirs, inside) as unknown as StoredBlock
    if (base && deepEqual(base, theirs)) return mine
    if (base && deepEqual(base, mine)) return theirs
    at.conflicts.push({ field: at.path, block: key, base: base ?? null, mine, theirs })
    return mine
  }
  const there = mine ?? theirs
  if (!base || !there) return there
  if (deepEqual(base, there)) return undefined
  at.conflicts.push({ field: at.path, block: key, base, mine: mine ?? null, theirs: theirs ?? null })
  return there
}

/** Follows the order of the side that moved blocks; blocks only on the other side keep their predecessor there. */
function mergeOrder(merged: Keyed, [was, own, other]: [Keyed, Keyed, Keyed], at: At): StoredBlock[] {
  const common = (list: Keyed) => [...list.keys()].filter((key) => was.has(key) && own.has(key) && other.has(key))
  const orders = [was, own, other].map((list) => common(list).join('\n'))
  const [before, mineNow, theirsNow] = orders
  if (mineNow !== before && theirsNow !== before && mineNow !== theirsNow) {
    const keys = (list: Keyed) => [...list.keys()]
    at.conflicts.push({ field: at.path, block: at.block, base: keys(was), mine: keys(own), theirs: keys(other) })
  }
  // When both sides have the same order, compare keys, so that swapping the sides gives the same result.
  const ownFirst = mineNow === theirsNow ? [...own.keys()].join() < [...other.keys()].join() : mineNow !== before
  const [first, second] = ownFirst ? [own, other] : [other, own]
  return interleave(first, second, merged)
}

/** The merged blocks in the order of `first`; those only in `second` keep their predecessor there. */
function interleave(first: Keyed, second: Keyed, merged: Keyed): StoredBlock[] {
  // A linked list, from each key to its successor, so that long lists merge in linear time.
  const after = new Map<string | undefined, string | undefined>()
  const put = (key: string, previous: string | undefined) => {
    const next = after.get(previous)
    after.set(previous, key).set(key, next)
  }
  for (const list of [first, second]) {
    let previous: string | undefined
    for (const key of list.keys()) {
      if (!merged.has(key)) continue
      if (!after.has(key)) put(key, previous)
      previous = key
    }
  }
  const blocks: StoredBlock[] = []
  for (let key = after.get(undefined); key !== undefined; key = after.get(key))
    blocks.push(merged.get(key) as StoredBlock)
  return blocks
}

/** Blocks by `id`; without one, by position. */
function blocksByKey(list: StoredBlock[]): Keyed {
  const found: Keyed = new Map()
  for (const [index, block] of list.entries()) {
    const { id } = block as { id?: unknown }
    const key = typeof id === 'string' && id !== '' ? id : `#${index}`
    found.set(found.has(key) ? `${key}#${index}` : key, block)
  }
  return found
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of blocks, possibly empty: items of other lists do not all have a `type`. */
const isBlockList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && typeof (one as { type?: unknown }).type === 'string')
