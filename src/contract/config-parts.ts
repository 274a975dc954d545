import { deepEqual } from './deep-equal.ts'
import type { SiteConfig } from './site-config.ts'

/** The parts that staff change in the admin; `pages` are changed as pages. */
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

/** One value that differs between two configurations; undefined on the side where it does not exist. */
export interface ConfigChange {
  /**
   * Path to the value, such as `offer.prices.onepager.amount`. List items with an `id` are named by it, others by
   * index.
   */
  path: string[]
  before: unknown
  after: unknown
}

/** The differences, in the order of the parts. Lists of plain values count as one value. */
export function configChanges(before: Partial<SiteParts>, after: Partial<SiteParts>): ConfigChange[] {
  return changesAt([], before, after)
}

function changesAt(path: string[], before: unknown, after: unknown): ConfigChange[] {
  if (deepEqual(before, after)) return []
  // A menu is compared as a whole: in a tree that moved by one, no item has the index that it had.
  if (isMenuTree(path)) return [{ path, before, after }]
  const none = path[0] === 'menus' ? {} : undefined
  const [old, now] = [childrenOf(before ?? none), childrenOf(after ?? none)]
  if (!old || !now || !areAlike(old.kind, now.kind)) return [{ path, before, after }]
  const names = [...new Set([...old.children.keys(), ...now.children.keys()])]
  const inside = names.flatMap((name) =>
    changesAt([...path, name], old.children.get(name) ?? undefined, now.children.get(name) ?? undefined),
  )
  if (inside.length > 0) return inside
  const [order, newOrder] = [[...old.children.keys()], [...now.children.keys()]]
  // Otherwise only block ids or the order of keys differ.
  return old.kind === 'ids' && !deepEqual(order, newOrder) ? [{ path, before: order, after: newOrder }] : []
}

/** `menus.main.nl` */
export const isMenuTree = (path: readonly string[]) => path[0] === 'menus' && path.length === 3

/** An empty list can have children of either kind. */
const areAlike = (one: Children['kind'], other: Children['kind']) =>
  one === other || (one !== 'object' && other !== 'object' && (one === 'empty' || other === 'empty'))

type Children = { kind: 'object' | 'ids' | 'list' | 'empty'; children: Map<string, unknown> }

/** The children of a value; undefined for a value that is compared as a whole. */
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
  // Block ids serve only the editor and are not shown as changes.
  const { id: _, ...rest } = value as Record<string, unknown>
  return { kind: 'object', children: new Map(Object.entries('type' in value ? rest : value)) }
}
