import { deepEqual } from '../contract/deep-equal.ts'
import { randomId } from '../contract/random-id.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { blocks } from './registry.ts'

/** Gives each block, nested ones too, a unique `id` where it lacks one. */
export function withIds<T>(body: readonly T[]): T[] {
  const used = new Set<string>()
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const inside = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]))
    return isBlock(inside) ? { ...inside, id: idOf(inside, used) } : inside
  }
  return body.map((block) => walk(block) as T)
}

/**
 * Gives blocks without an `id` that of a stored block: of an equal one, or of the next one of the same type. Nested ones
 * keep none.
 */
export function withStoredIds<Block extends StoredBlock>(
  body: readonly Block[],
  stored: readonly StoredBlock[],
): Block[] {
  const used = new Set(body.map(({ id }) => id))
  const free = stored.filter(({ id }) => id !== undefined && !used.has(id))
  const take = (fits: (one: StoredBlock) => boolean): string | undefined => {
    const index = free.findIndex(fits)
    return index < 0 ? undefined : free.splice(index, 1)[0]?.id
  }
  const equal = body.map((block) => block.id ?? take((one) => deepEqual(withoutIds(one), withoutIds(block))))
  return body.map((block, index) => {
    const id = equal[index] ?? take(({ type }) => type === block.type)
    return id === undefined ? block : { ...block, id }
  })
}

/** Removes the block ids. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== 'id' || !isBlock(value))
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutIds(one)]))
}

const isBlock = (value: object): value is { type: string; id?: unknown } =>
  'type' in value && typeof value.type === 'string' && Object.hasOwn(blocks, value.type)

function idOf(block: { id?: unknown }, used: Set<string>): string {
  const own = typeof block.id === 'string' && !used.has(block.id) ? block.id : randomId().slice(0, 12)
  used.add(own)
  return own
}
