import type { EntryField, EntryValues } from '../contract/collections.ts'
import { deepEqual, isRecord } from '../contract/deep-equal.ts'
import type { FieldProblem } from '../contract/errors.ts'
import type { Lock } from '../contract/locks.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { type Field, fieldsOf } from './fields.ts'
import { type BlockType, blocks } from './registry.ts'

/** Whether a field of a block holds text or an image. All other fields of a locked block must not change. */
export const isTextOrImage = ({ kind, path }: Pick<Field, 'kind' | 'path'>): boolean =>
  editableKinds.has(kind) && !path.startsWith('style.')

const editableKinds = new Set<Field['kind']>(['text', 'textarea', 'richText', 'texts', 'image', 'imageOrLogo'])

interface LockedText {
  slug: string
  noindex: boolean
  body: readonly StoredBlock[]
  fields?: EntryValues | undefined
}

const editableTypes = new Set<EntryField['type']>(['text', 'richText', 'picture', 'author'])

/**
 * Finds the changes that a lock forbids, and undoes them in a copy of the new text.
 * @returns the problems, with paths such as `body.3.url`, and the new text without these changes: `after` itself if
 * there are none. Allowed changes stay, but not in a list, or in an item of one, that was restored as a whole.
 * @param translation the blocks in another language, for a locked block that `before` lacks
 * @param entryFields the fields of the collection that the page is an entry of
 */
export function revertLockedChanges<Text extends LockedText>(
  before: LockedText,
  after: Text,
  lock: Lock,
  {
    translation = [],
    entryFields = [],
  }: { translation?: readonly StoredBlock[]; entryFields?: readonly EntryField[] } = {},
): { text: Text; problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const reverted = { ...after, body: revertInBody([before.body, after.body, translation], lock, problems) }
  for (const name of lock.page ? (['slug', 'noindex'] as const) : []) {
    if (before[name] === after[name]) continue
    problems.push({ path: name, key: 'locked' })
    Object.assign(reverted, { [name]: before[name] })
  }
  if (lock.page) Object.assign(reverted, revertInValues([before.fields, after.fields], entryFields, problems))
  return { text: problems.length > 0 ? reverted : after, problems }
}

/** Adds to `problems`. @returns `fields`: the values of the entry without the forbidden changes; {} if there are none */
function revertInValues(
  [before = {}, after = {}]: [EntryValues | undefined, EntryValues | undefined],
  entryFields: readonly EntryField[],
  problems: FieldProblem[],
): { fields?: EntryValues } {
  const reverted = { ...after }
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (deepEqual(before[id], after[id])) continue
    const type = entryFields.find((field) => field.id === id)?.type
    const isEditable = type !== undefined && editableTypes.has(type)
    if (isEditable && !(type === 'richText' && hasNewLink(before[id], after[id]))) continue
    problems.push({ path: `fields.${id}`, key: isEditable ? 'lockedLink' : 'locked' })
    if (before[id] === undefined) delete reverted[id]
    else reverted[id] = before[id]
  }
  return deepEqual(reverted, after) ? {} : { fields: reverted }
}

/** Whether a block is locked: by its own lock, or by that of the page. */
export const isLocked = ({ page, blocks }: Lock, id: string | undefined): boolean =>
  page || (id !== undefined && blocks.has(id))

/** Adds to `problems`. @returns the blocks without forbidden changes */
function revertInBody(
  [before, after, translation]: [
    before: readonly StoredBlock[],
    after: readonly StoredBlock[],
    translation: readonly StoredBlock[],
  ],
  lock: Lock,
  problems: FieldProblem[],
): StoredBlock[] {
  const [blocksBefore, blocksAfter, translatedBlocks] = [byKey(before), byKey(after), byKey(translation)]
  const [keysBefore, keysAfter] = [[...blocksBefore.keys()], [...blocksAfter.keys()]]
  const report = (index: number, key: FieldProblem['key']) => {
    const path = `body.${Math.max(0, Math.min(index, after.length - 1))}`
    if (!problems.some((problem) => problem.path === path && problem.key === key)) problems.push({ path, key })
  }

  const removed = keysBefore.filter((key) => isLocked(lock, key) && !blocksAfter.has(key))
  const added = keysAfter.filter((key) => lock.page && !blocksBefore.has(key))
  const moved = findMovedLocked(keysBefore, keysAfter, lock)
  for (const key of removed) report(keysBefore.indexOf(key), 'lockedRemoved')
  for (const key of added) report(keysAfter.indexOf(key), 'lockedAdded')
  for (const key of moved) report(keysAfter.indexOf(key), 'lockedMoved')

  const reverted = new Map(blocksBefore)
  for (const [index, [key, block]] of [...blocksAfter].entries()) {
    const stored = blocksBefore.get(key) ?? (lock.page ? undefined : translatedBlocks.get(key))
    reverted.set(key, stored && isLocked(lock, key) ? revertInBlock(stored, block, `body.${index}`, problems) : block)
  }
  const remaining = keysAfter.filter((key) => !added.includes(key))
  const newOrder = restoreRemoved(keysBefore, remaining, removed)
  // A removed block may fit nowhere between blocks that were moved: then those are moved back too.
  const isOrderKept = moved.length === 0 && findMovedLocked(keysBefore, newOrder, lock).length === 0
  const order = isOrderKept ? newOrder : restoreRemoved(keysBefore, undoMoves(keysBefore, remaining), removed)
  return order.map((key) => reverted.get(key) as StoredBlock)
}

/**
 * The keys of locked blocks that have other blocks above them than before, not counting added and removed ones. On a locked
 * page each block is locked, and only the first one out of place is returned.
 */
function findMovedLocked(before: readonly string[], after: readonly string[], lock: Lock): string[] {
  const [keysBefore, keysAfter] = [new Set(before), new Set(after)]
  const commonBefore = before.filter((key) => keysAfter.has(key))
  const commonAfter = after.filter((key) => keysBefore.has(key))
  if (lock.page) return commonAfter.filter((key, index) => commonBefore[index] !== key).slice(0, 1)
  return commonAfter.filter((key, index) => {
    if (!lock.blocks.has(key)) return false
    const above = new Set(commonBefore.slice(0, commonBefore.indexOf(key)))
    return above.size !== index || commonAfter.slice(0, index).some((other) => !above.has(other))
  })
}

/** Puts the keys that are in both lists back into their order before; added keys keep their position. */
function undoMoves(before: readonly string[], after: readonly string[]): string[] {
  const [keysBefore, keysAfter] = [new Set(before), new Set(after)]
  const common = before.filter((key) => keysAfter.has(key))
  return after.map((key) => (keysBefore.has(key) ? (common.shift() as string) : key))
}

/** Inserts each removed key behind the nearest key that preceded it, or else at the start. */
function restoreRemoved(before: readonly string[], after: readonly string[], removed: readonly string[]): string[] {
  const keys = [...after]
  for (const key of removed) {
    const previous = before.slice(0, before.indexOf(key)).findLast((candidate) => keys.includes(candidate))
    keys.splice(previous === undefined ? 0 : keys.indexOf(previous) + 1, 0, key)
  }
  return keys
}

type Values = Record<string, unknown>

function revertInBlock(before: StoredBlock, after: StoredBlock, path: string, problems: FieldProblem[]): StoredBlock {
  if (deepEqual(before, after)) return after
  if (before.type !== after.type || !Object.hasOwn(blocks, before.type)) {
    problems.push({ path, key: 'locked' })
    return before
  }
  const reverted = revertInFields(
    fieldsOf(before.type as BlockType),
    before as unknown as Values,
    after as unknown as Values,
    path,
    problems,
  )
  return reverted as unknown as StoredBlock
}

/** Takes the values of editable fields from `after`, also when omitted there, and all others from `before`. */
function revertInFields(
  fields: readonly Field[],
  before: Values,
  after: Values,
  path: string,
  problems: FieldProblem[],
): Values {
  const otherValues = Object.entries(before).filter(([name]) => fields.every((field) => field.name !== name))
  const fieldValues = fields.map((field): [string, unknown] => {
    const { name } = field
    return [name, revertInField(field, fields, [before[name], after[name]], { path: `${path}.${name}`, problems })]
  })
  return Object.fromEntries([...otherValues, ...fieldValues].filter(([, value]) => value !== undefined))
}

/** @param siblingFields the fields of the object that has this one; the items of a submenu have the same */
function revertInField(
  field: Field,
  siblingFields: readonly Field[],
  [before, after]: [unknown, unknown],
  { path, problems }: { path: string; problems: FieldProblem[] },
): unknown {
  if (deepEqual(before, after)) return after
  const refuse = (key: FieldProblem['key']) => {
    problems.push({ path, key })
    return before
  }
  if (field.name === 'style' && field.path === 'style') return refuse('locked')
  if (field.kind === 'richText') return hasNewLink(before, after) ? refuse('lockedLink') : after
  if (field.kind === 'object' && isRecord(before) && isRecord(after)) {
    return revertInFields(field.fields, before, after, path, problems)
  }
  if (field.kind === 'objects' || field.kind === 'children' || field.kind === 'texts' || field.kind === 'blocks') {
    // Items have no ids, so after adding or removing one it is not known which is which.
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) {
      return refuse('lockedEntries')
    }
    return before.map((item, index) => {
      const newItem: unknown = after[index]
      if (field.kind === 'texts') return newItem
      if (!isRecord(item) || !isRecord(newItem)) return item
      const itemPath = `${path}.${index}`
      const itemProblems: FieldProblem[] = []
      const itemFields = field.kind === 'objects' ? field.fields : siblingFields
      const reverted =
        field.kind === 'blocks'
          ? revertInBlock(item as unknown as StoredBlock, newItem as unknown as StoredBlock, itemPath, itemProblems)
          : revertInFields(itemFields, item, newItem, itemPath, itemProblems)
      problems.push(...itemProblems)
      // With another link it may be another item that was moved here, so its text does not belong to this link.
      return itemProblems.length > 0 && !hasBlocks(field) ? item : reverted
    })
  }
  return isTextOrImage(field) ? after : refuse('locked')
}

/** Whether the items of a list have blocks, as columns do: then blocks are restored, not whole items. */
const hasBlocks = (field: Field) => field.kind === 'objects' && field.fields.some(({ kind }) => kind === 'blocks')

/** Whether a rich text links to a URL that it did not link to before. */
function hasNewLink(before: unknown, after: unknown): boolean {
  const urlsBefore = new Set(linkUrlsIn(before))
  return linkUrlsIn(after).some((url) => !urlsBefore.has(url))
}

const linkUrlsIn = (html: unknown): string[] =>
  typeof html === 'string' ? [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/gi)].map(([, url = '']) => url) : []

/** Blocks by id, in order. One without an id, or with that of an earlier one, has its position as key: `#3`. */
function byKey(list: readonly StoredBlock[]): Map<string, StoredBlock> {
  const blocksByKey = new Map<string, StoredBlock>()
  for (const [index, block] of list.entries()) {
    const { id } = block
    const hasUniqueId = typeof id === 'string' && id !== '' && !blocksByKey.has(id)
    blocksByKey.set(hasUniqueId ? id : `#${index}`, block)
  }
  return blocksByKey
}
