import { diffArrays } from 'diff'
import type { Locale } from '../../../contract/locales.ts'
import { same } from '../../../contract/merge-page.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { addressesIn } from '../../../contract/pictures.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { blockName } from '../blocks/block-names.ts'
import { readBlock } from './read-block.ts'

export const pageFields = ['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'] as const
export type PageField = (typeof pageFields)[number]

/** What a field said and says. Both alike: only how it looks was changed, or which file of that name it is. */
export interface FieldChange {
  name: string
  label: string
  before: string
  after: string
  otherFile?: true
}

export interface BlockChange {
  key: string
  kind: 'added' | 'removed' | 'moved' | 'changed'
  /** What kind of block it is, in words. */
  name: string
  fields: FieldChange[]
}

export interface Differences {
  fields: PageField[]
  blocks: BlockChange[]
}

/** What lies between two texts of a page, told field by field and block by block; a block is told by its `id`. */
export function differencesOf(before: DraftText, after: DraftText, locale: Locale): Differences {
  return {
    fields: pageFields.filter((field) => before[field] !== after[field]),
    blocks: blockChanges(before.body as StoredBlock[], after.body as StoredBlock[], locale),
  }
}

function blockChanges(before: StoredBlock[], after: StoredBlock[], locale: Locale): BlockChange[] {
  const [was, is] = [keyed(before), keyed(after)]
  const changes: BlockChange[] = []
  const moved = movedKeys([...was.keys()], [...is.keys()])
  for (const [key, block] of is) {
    const old = was.get(key)
    const name = blockName(block.type, locale)
    if (!old) changes.push({ key, kind: 'added', name, fields: fieldChanges(undefined, block, locale) })
    else if (!same(old, block)) changes.push({ key, kind: 'changed', name, fields: fieldChanges(old, block, locale) })
    else if (moved.has(key)) changes.push({ key, kind: 'moved', name, fields: [] })
  }
  for (const [key, block] of was) {
    if (is.has(key)) continue
    const fields = fieldChanges(block, undefined, locale)
    changes.push({ key, kind: 'removed', name: blockName(block.type, locale), fields })
  }
  return changes
}

export function fieldChanges(
  before: StoredBlock | undefined,
  after: StoredBlock | undefined,
  locale: Locale,
): FieldChange[] {
  const old = new Map(before && readBlock(before, locale).map((field) => [field.name, field]))
  const now = new Map(after && readBlock(after, locale).map((field) => [field.name, field]))
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((name) => ({
      name,
      label: (now.get(name) ?? old.get(name))?.label ?? name,
      before: old.get(name)?.text ?? '',
      after: now.get(name)?.text ?? '',
      was: before && fieldOf(before, name),
      is: after && fieldOf(after, name),
    }))
    .filter(({ was, is }) => !before || !after || !same(was, is))
    .map(({ was, is, ...change }) => ({ ...change, ...(!same(filesIn(was), filesIn(is)) && { otherFile: true }) }))
}

const filesIn = (value: unknown) => addressesIn(JSON.stringify(value ?? ''))

const fieldOf = (block: StoredBlock, name: string) => (block as unknown as Record<string, unknown>)[name]

/** The fewest blocks whose going explains the new order. */
function movedKeys(before: string[], after: string[]): Set<string> {
  const common = (list: string[], other: string[]) => list.filter((key) => other.includes(key))
  const parts = diffArrays(common(before, after), common(after, before))
  return new Set(parts.filter(({ added }) => added).flatMap(({ value }) => value))
}

/** Blocks without a name of their own, of an older text, are told by their place. */
function keyed(list: StoredBlock[]): Map<string, StoredBlock> {
  return new Map(list.map((block, index) => [block.id ?? `#${index}`, block]))
}
