import { randomBytes } from 'node:crypto'
import { blocks } from '../../blocks/registry.ts'

/** The same blocks, each with an `id` that no other has, those that stand in a block too. */
export function withIds<T>(body: readonly T[]): T[] {
  const given = new Set<string>()
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const inside = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]))
    return isBlock(inside) ? { ...inside, id: idOf(inside, given) } : inside
  }
  return body.map((block) => walk(block) as T)
}

/** The same blocks without them: what a reader sees of a text. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'id' || !isBlock(value))
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutIds(one)]))
}

const isBlock = (value: object): value is { type: string; id?: unknown } =>
  'type' in value && typeof value.type === 'string' && Object.hasOwn(blocks, value.type)

function idOf(block: { id?: unknown }, given: Set<string>): string {
  const own = typeof block.id === 'string' && !given.has(block.id) ? block.id : randomBytes(6).toString('hex')
  given.add(own)
  return own
}
