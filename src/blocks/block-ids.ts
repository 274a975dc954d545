import { randomId } from '../contract/random-id.ts'
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
