import { deepEqual } from '../contract/deep-equal.ts'
import { randomId } from '../contract/random-id.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { blocks } from './registry.ts'

/** Copies a body. Blocks, nested ones too, get a new `id` where that is missing or repeated. */
export function withIds<T>(body: readonly T[]): T[] {
  const usedIds = new Set<string>()
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    const object = Object.fromEntries(Object.entries(value).map(([name, nested]) => [name, copy(nested)]))
    return isBlock(object) ? { ...object, id: uniqueIdOf(object, usedIds) } : object
  }
  return body.map((block) => copy(block) as T)
}

/** Gives blocks without an `id` that of an equal stored block, or of the next one of their type; nested ones none. */
export function withStoredIds<Block extends StoredBlock>(
  body: readonly Block[],
  stored: readonly StoredBlock[],
): Block[] {
  const usedIds = new Set(body.map(({ id }) => id))
  const unmatched = stored.filter(({ id }) => id !== undefined && !usedIds.has(id))
  const takeId = (matches: (storedBlock: StoredBlock) => boolean): string | undefined => {
    const index = unmatched.findIndex(matches)
    return index < 0 ? undefined : unmatched.splice(index, 1)[0]?.id
  }
  // First all equal blocks, so that none loses its match to another block of its type.
  const idsOfEqual = body.map(
    (block) => block.id ?? takeId((storedBlock) => deepEqual(withoutIds(storedBlock), withoutIds(block))),
  )
  return body.map((block, index) => {
    const id = idsOfEqual[index] ?? takeId(({ type }) => type === block.type)
    return id === undefined ? block : { ...block, id }
  })
}

/** Copies a value without the ids of blocks in it; other `id` fields stay. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== 'id' || !isBlock(value))
  return Object.fromEntries(entries.map(([name, nested]) => [name, withoutIds(nested)]))
}

const isBlock = (value: object): value is { type: string; id?: unknown } =>
  'type' in value && typeof value.type === 'string' && Object.hasOwn(blocks, value.type)

/** Adds the id to `usedIds`. */
function uniqueIdOf(block: { id?: unknown }, usedIds: Set<string>): string {
  const id = typeof block.id === 'string' && !usedIds.has(block.id) ? block.id : randomId().slice(0, 12)
  usedIds.add(id)
  return id
}
