import { deepEqual } from './deep-equal.ts'
import type { SiteConfig } from './site-config.ts'

/** The parts of the configuration that users change in the admin's settings; `pages` have their own screens. */
export const configParts = [
  'brand',
  'tagline',
  'url',
  'seo',
  'business',
  'legal',
  'sender',
  'logo',
  'palette',
  'look',
  'locales',
  'rootLocale',
  'formerRootLocales',
  'fallbackLocales',
  'languages',
  'texts',
  'contact',
  'forms',
  'spam',
  'retention',
  'offer',
  'branding',
  'menus',
  'collections',
] as const satisfies (keyof SiteConfig)[]
type ConfigPart = (typeof configParts)[number]
export type SiteParts = Pick<SiteConfig, ConfigPart>

export const partsOf = (site: SiteConfig): SiteParts =>
  Object.fromEntries(configParts.map((part) => [part, site[part]])) as SiteParts

/** A value that differs between two configurations; `before` or `after` is undefined where the value does not exist. */
export interface ConfigChange {
  /** Its path: `offer`, `prices`, `onepager`, `amount`. List items go by their `id`, or else by index from 1. */
  path: string[]
  before: unknown
  after: unknown
}

/** The differences between two configurations. A list of texts or numbers is compared as one value. */
export function configChanges(before: Partial<SiteParts>, after: Partial<SiteParts>): ConfigChange[] {
  return changesAt([], before, after)
}

function changesAt(path: string[], before: unknown, after: unknown): ConfigChange[] {
  if (deepEqual(before, after)) return []
  // A menu is compared as a whole: inserting an item changes the index of all later ones.
  if (isMenuTree(path)) return [{ path, before, after }]
  // Without any menu the trees of the other side are still compared one by one.
  const missing = path[0] === 'menus' ? {} : undefined
  const [old, current] = [childrenOf(before ?? missing), childrenOf(after ?? missing)]
  if (!old || !current || !areComparable(old.kind, current.kind)) return [{ path, before, after }]
  const names = [...new Set([...old.children.keys(), ...current.children.keys()])]
  const changes = names.flatMap((name) =>
    changesAt([...path, name], old.children.get(name) ?? undefined, current.children.get(name) ?? undefined),
  )
  if (changes.length > 0) return changes
  const [oldOrder, newOrder] = [[...old.children.keys()], [...current.children.keys()]]
  // Otherwise only block ids or the order of keys differ.
  return old.kind === 'ids' && !deepEqual(oldOrder, newOrder) ? [{ path, before: oldOrder, after: newOrder }] : []
}

/** Whether a path is that of the menu in one language, such as `menus.main.nl`. */
export const isMenuTree = (path: readonly string[]) => path[0] === 'menus' && path.length === 3

/** Whether the children of two values can be compared by name: an empty list is comparable with any list. */
const areComparable = (a: Children['kind'], b: Children['kind']) =>
  a === b || (a !== 'object' && b !== 'object' && (a === 'empty' || b === 'empty'))

/** The children of an object, by key, or of a list, by id (`ids`) or by index from 1 (`list`). */
type Children = { kind: 'object' | 'ids' | 'list' | 'empty'; children: Map<string, unknown> }

/** The children of a value; undefined for a value that is compared as a whole. */
function childrenOf(value: unknown): Children | undefined {
  if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'object' && item !== null)) return undefined
    if (value.length === 0) return { kind: 'empty', children: new Map() }
    const ids = value.map((item) => (item as { id?: unknown }).id)
    const hasBlocks = value.some((item) => 'type' in item)
    const hasIds = !hasBlocks && ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length
    return {
      kind: hasIds ? 'ids' : 'list',
      children: new Map(value.map((item, index) => [hasIds ? String(ids[index]) : String(index + 1), item])),
    }
  }
  if (typeof value !== 'object' || value === null) return undefined
  // Block ids serve only the editor and are not shown as changes.
  const { id: _, ...rest } = value as Record<string, unknown>
  return { kind: 'object', children: new Map(Object.entries('type' in value ? rest : value)) }
}
