import type { Conflict, DraftText } from './pages.ts'
import type { StoredBlock } from './site-config.ts'

/** Both changes in one text, and where they collide. There mine stands in it, or, of a block that one deleted and the other changed, the block. */
export interface MergedPage {
  text: DraftText
  conflicts: Conflict[]
}

/**
 * Joins what two people made of one text, block by block and field by field; a block is told by its `id`, wherever it
 * moved. What only one of them changed is taken; what both made the same is no conflict.
 */
export function mergePage(base: DraftText, mine: DraftText, theirs: DraftText): MergedPage {
  const conflicts: Conflict[] = []
  const text = mergeFields(base, mine, theirs, { block: null, path: '', conflicts })
  return { text: text as unknown as DraftText, conflicts }
}

/** Where in the text something stands, and what was found to collide. */
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
  if (same(mine, theirs) || same(theirs, base)) return mine
  if (same(mine, base)) return theirs
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
  const [was, own, other] = [keyed(base), keyed(mine), keyed(theirs)]
  const kept: Keyed = new Map()
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const block = mergeBlock(key, [was.get(key), own.get(key), other.get(key)], at)
    if (block) kept.set(key, block)
  }
  return inOrder(kept, [was, own, other], at)
}

/** Undefined when it goes. */
function mergeBlock(key: string, [base, mine, theirs]: (StoredBlock | undefined)[], at: At): StoredBlock | undefined {
  const inside: At = { block: key, path: '', conflicts: at.conflicts }
  if (mine && theirs) {
    if (same(mine, theirs)) return mine
    // Another kind of block under the same name has other fields: one of the two is taken whole.
    const alike = base !== undefined && base.type === mine.type && base.type === theirs.type
    if (alike) return mergeFields(base, mine, theirs, inside) as unknown as StoredBlock
    if (base && same(base, theirs)) return mine
    if (base && same(base, mine)) return theirs
    at.conflicts.push({ field: at.path, block: key, base: base ?? null, mine, theirs })
    return mine
  }
  const there = mine ?? theirs
  if (!base || !there) return there
  if (same(base, there)) return undefined
  at.conflicts.push({ field: at.path, block: key, base, mine: mine ?? null, theirs: theirs ?? null })
  return there
}

/** The order of who moved something; what the other has beside it stands after what it stands after there. */
function inOrder(kept: Keyed, [was, own, other]: [Keyed, Keyed, Keyed], at: At): StoredBlock[] {
  const common = (list: Keyed) => [...list.keys()].filter((key) => was.has(key) && own.has(key) && other.has(key))
  const orders = [was, own, other].map((list) => common(list).join('\n'))
  const [before, mineNow, theirsNow] = orders
  if (mineNow !== before && theirsNow !== before && mineNow !== theirsNow) {
    const keys = (list: Keyed) => [...list.keys()]
    at.conflicts.push({ field: at.path, block: at.block, base: keys(was), mine: keys(own), theirs: keys(other) })
  }
  // When both have the same order, either may lead; which one must not hang on whose turn it is.
  const led = mineNow === theirsNow ? [...own.keys()].join() < [...other.keys()].join() : mineNow !== before
  const [first, second] = led ? [own, other] : [other, own]
  return interleaved(first, second, kept)
}

/** What is kept in the order of the first; each of the second alone behind what it stands behind there. */
function interleaved(first: Keyed, second: Keyed, kept: Keyed): StoredBlock[] {
  // Each key to the one that follows it, and nothing to the first of all: a long list is joined as fast as it is read.
  const after = new Map<string | undefined, string | undefined>()
  const put = (key: string, previous: string | undefined) => {
    const next = after.get(previous)
    after.set(previous, key).set(key, next)
  }
  for (const list of [first, second]) {
    let previous: string | undefined
    for (const key of list.keys()) {
      if (!kept.has(key)) continue
      if (!after.has(key)) put(key, previous)
      previous = key
    }
  }
  const blocks: StoredBlock[] = []
  for (let key = after.get(undefined); key !== undefined; key = after.get(key))
    blocks.push(kept.get(key) as StoredBlock)
  return blocks
}

/** Blocks by what tells them apart; one without a name of its own is told by its place. */
function keyed(list: StoredBlock[]): Keyed {
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

/** A list of blocks, empty or not: what holds something else has no `type` in each. */
const isBlockList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && typeof (one as { type?: unknown }).type === 'string')

/** Whether two values say the same, in whatever order their fields stand. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => same(value, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => same((a as Values)[name], (b as Values)[name]))
}
