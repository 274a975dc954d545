import type { SiteParts } from './config-parts.ts'

/** One value that differs between two configurations. What is not there on one side is undefined. */
export interface ConfigChange {
  /** From a part to the value, like `offer.prices.onepager.amount`: what has an `id` stands under it, the rest by its number. */
  path: string[]
  before: unknown
  after: unknown
}

/** What differs, in the order of the parts; lists of plain values are one value. */
export function configChanges(before: Partial<SiteParts>, after: Partial<SiteParts>): ConfigChange[] {
  return changesAt([], before, after)
}

function changesAt(path: string[], before: unknown, after: unknown): ConfigChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [old, now] = [childrenOf(before), childrenOf(after)]
  if (!old || !now || !areAlike(old.kind, now.kind)) return [{ path, before, after }]
  const names = [...new Set([...old.children.keys(), ...now.children.keys()])]
  const inside = names.flatMap((name) =>
    changesAt([...path, name], old.children.get(name) ?? undefined, now.children.get(name) ?? undefined),
  )
  // The same things in another order, or with other ids of blocks.
  if (inside.length === 0 && old.kind !== 'ids') return []
  return inside.length > 0 ? inside : [{ path, before: [...old.children.keys()], after: [...now.children.keys()] }]
}

/** A list that was empty, or is, has had or gets things of the other's kind. */
const areAlike = (one: Children['kind'], other: Children['kind']) =>
  one === other || (one !== 'object' && other !== 'object' && (one === 'empty' || other === 'empty'))

type Children = { kind: 'object' | 'ids' | 'list' | 'empty'; children: Map<string, unknown> }

/** What a value is made of; undefined for what is shown as a whole. */
function childrenOf(value: unknown): Children | undefined {
  if (Array.isArray(value)) {
    if (!value.every((one) => typeof one === 'object' && one !== null)) return undefined
    const ids = value.map((one) => (one as { id?: unknown }).id)
    const blocks = value.some((one) => 'type' in one)
    const known =
      !blocks && value.length > 0 && ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length
    return {
      kind: known ? 'ids' : value.length === 0 ? 'empty' : 'list',
      children: new Map(value.map((one, index) => [known ? String(ids[index]) : String(index + 1), one])),
    }
  }
  if (typeof value !== 'object' || value === null) return undefined
  // The id of a block tells one from another while it is edited, and nothing to a reader.
  const { id: _, ...rest } = value as Record<string, unknown>
  return { kind: 'object', children: new Map(Object.entries('type' in value ? rest : value)) }
}
