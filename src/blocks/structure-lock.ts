import type { EntryField, EntryValues } from '../contract/collections.ts'
import { deepEqual } from '../contract/deep-equal.ts'
import type { FieldProblem } from '../contract/errors.ts'
import type { Lock } from '../contract/locks.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { type Field, fieldsOf } from './fields.ts'
import { type BlockType, blocks } from './registry.ts'

/** Whether a field of a block holds text or an image. Everything else of a locked block stays as it is. */
export const isTextOrImage = ({ kind, path }: Pick<Field, 'kind' | 'path'>): boolean =>
  freeKinds.has(kind) && !path.startsWith('style.')

const freeKinds: ReadonlySet<Field['kind']> = new Set(['text', 'textarea', 'richText', 'texts', 'image', 'imageOrLogo'])

interface LockedText {
  slug: string
  noindex: boolean
  body: readonly StoredBlock[]
  fields?: EntryValues | undefined
}

const freeTypes: ReadonlySet<EntryField['type']> = new Set(['text', 'richText', 'picture', 'author'])

/**
 * Compares a text with the one that it replaces.
 * @returns the problems, with paths in the text such as `body.3.url`, and the text with all of them put back; other
 * changes of texts and images stay, except in a list or an entry that was put back. The text that was sent, when there are
 * no problems.
 * @param other the blocks in another language: a locked block that `was` lacks is compared with the one there
 * @param entryFields the fields of the collection that the page is an entry of
 */
export function revertLockedChanges<Text extends LockedText>(
  was: LockedText,
  now: Text,
  lock: Lock,
  { other = [], entryFields = [] }: { other?: readonly StoredBlock[]; entryFields?: readonly EntryField[] } = {},
): { text: Text; problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const reverted = { ...now, body: revertInBody([was.body, now.body, other], lock, problems) }
  for (const name of lock.page ? (['slug', 'noindex'] as const) : []) {
    if (was[name] === now[name]) continue
    problems.push({ path: name, key: 'locked' })
    Object.assign(reverted, { [name]: was[name] })
  }
  if (lock.page) Object.assign(reverted, revertInValues([was.fields, now.fields], entryFields, problems))
  return { text: problems.length > 0 ? reverted : now, problems }
}

/** The values of an entry, of which only texts and images may differ. */
function revertInValues(
  [was = {}, now = {}]: [EntryValues | undefined, EntryValues | undefined],
  entryFields: readonly EntryField[],
  problems: FieldProblem[],
): { fields?: EntryValues } {
  const reverted = { ...now }
  for (const id of new Set([...Object.keys(was), ...Object.keys(now)])) {
    const [before, after] = [was[id], now[id]]
    if (deepEqual(before, after)) continue
    const type = entryFields.find((field) => field.id === id)?.type
    const isFree = type !== undefined && freeTypes.has(type)
    if (isFree && !(type === 'richText' && hasNewLink(before, after))) continue
    problems.push({ path: `fields.${id}`, key: isFree ? 'lockedLink' : 'locked' })
    if (before === undefined) delete reverted[id]
    else reverted[id] = before
  }
  return deepEqual(reverted, now) ? {} : { fields: reverted }
}

/** Whether a block is locked: by its own lock, or by that of the page. */
export const isLocked = ({ page, blocks }: Lock, id: string | undefined): boolean =>
  page || (id !== undefined && blocks.has(id))

function revertInBody(
  [was, now, other]: [was: readonly StoredBlock[], now: readonly StoredBlock[], other: readonly StoredBlock[]],
  lock: Lock,
  problems: FieldProblem[],
): StoredBlock[] {
  const [before, after, elsewhere] = [byKey(was), byKey(now), byKey(other)]
  const [keysBefore, keysAfter] = [[...before.keys()], [...after.keys()]]
  const report = (index: number, key: FieldProblem['key']) => {
    const path = `body.${Math.max(0, Math.min(index, now.length - 1))}`
    if (!problems.some((one) => one.path === path && one.key === key)) problems.push({ path, key })
  }

  const removed = keysBefore.filter((key) => isLocked(lock, key) && !after.has(key))
  const added = keysAfter.filter((key) => lock.page && !before.has(key))
  const moved = findMoved(keysBefore, keysAfter, lock)
  for (const key of removed) report(keysBefore.indexOf(key), 'lockedRemoved')
  for (const key of added) report(keysAfter.indexOf(key), 'lockedAdded')
  for (const key of moved) report(keysAfter.indexOf(key), 'lockedMoved')

  const reverted = new Map(before)
  for (const [index, [key, block]] of [...after].entries()) {
    const stored = before.get(key) ?? (lock.page ? undefined : elsewhere.get(key))
    reverted.set(key, stored && isLocked(lock, key) ? revertInBlock(stored, block, `body.${index}`, problems) : block)
  }
  const remaining = keysAfter.filter((key) => !added.includes(key))
  const asSent = putInOrder(keysBefore, remaining, { removed, isMoved: false })
  // A removed block may fit nowhere between blocks that were moved: then those are moved back too.
  const isOrderValid = moved.length === 0 && findMoved(keysBefore, asSent, lock).length === 0
  const inOrder = isOrderValid ? asSent : putInOrder(keysBefore, remaining, { removed, isMoved: true })
  return inOrder.map((key) => reverted.get(key) as StoredBlock)
}

/** The locked blocks that have other blocks before them than they had. Those that were added or removed do not count. */
function findMoved(before: readonly string[], after: readonly string[], lock: Lock): string[] {
  const [known, left] = [new Set(before), new Set(after)]
  const was = before.filter((key) => left.has(key))
  const now = after.filter((key) => known.has(key))
  if (lock.page) return now.filter((key, index) => was[index] !== key).slice(0, 1)
  return now.filter((key, index) => {
    if (!lock.blocks.has(key)) return false
    const above = new Set(was.slice(0, was.indexOf(key)))
    return above.size !== index || now.slice(0, index).some((other) => !above.has(other))
  })
}

/** The order as it is now, or as it was after a move, with the removed ones after their predecessors. */
function putInOrder(
  was: readonly string[],
  now: readonly string[],
  { removed, isMoved }: { removed: readonly string[]; isMoved: boolean },
): string[] {
  const [known, left] = [new Set(was), new Set(now)]
  const common = was.filter((key) => left.has(key))
  const keys = isMoved ? now.map((key) => (known.has(key) ? (common.shift() as string) : key)) : [...now]
  for (const key of removed) {
    const previous = was.slice(0, was.indexOf(key)).findLast((one) => keys.includes(one))
    keys.splice(previous === undefined ? 0 : keys.indexOf(previous) + 1, 0, key)
  }
  return keys
}

type Values = Record<string, unknown>

function revertInBlock(was: StoredBlock, now: StoredBlock, path: string, problems: FieldProblem[]): StoredBlock {
  if (deepEqual(was, now)) return now
  if (was.type !== now.type || !Object.hasOwn(blocks, was.type)) {
    problems.push({ path, key: 'locked' })
    return was
  }
  const reverted = revertInFields(
    fieldsOf(was.type as BlockType),
    was as unknown as Values,
    now as unknown as Values,
    path,
    problems,
  )
  return reverted as unknown as StoredBlock
}

/** Sets the fields of `was` that may be changed as they are now; those that were omitted are removed. */
function revertInFields(
  fields: readonly Field[],
  was: Values,
  now: Values,
  path: string,
  problems: FieldProblem[],
): Values {
  return Object.fromEntries(
    [
      ...Object.entries(was).filter(([name]) => fields.every((field) => field.name !== name)),
      ...fields.map((field) => [
        field.name,
        revertInField(field, fields, [was[field.name], now[field.name]], { path: `${path}.${field.name}`, problems }),
      ]),
    ].filter(([, value]) => value !== undefined),
  )
}

/** @param siblingFields the fields beside this one, which the entries of a submenu have too */
function revertInField(
  field: Field,
  siblingFields: readonly Field[],
  [was, now]: [unknown, unknown],
  { path, problems }: { path: string; problems: FieldProblem[] },
): unknown {
  if (deepEqual(was, now)) return now
  const refuse = (key: FieldProblem['key']) => {
    problems.push({ path, key })
    return was
  }
  if (field.name === 'style' && field.path === 'style') return refuse('locked')
  if (field.kind === 'richText') return hasNewLink(was, now) ? refuse('lockedLink') : now
  if (field.kind === 'object' && isObject(was) && isObject(now)) {
    return revertInFields(field.fields, was, now, path, problems)
  }
  if (field.kind === 'objects' || field.kind === 'children' || field.kind === 'texts' || field.kind === 'blocks') {
    // Entries have no ids, so after adding or removing one it is not known which is which.
    if (!Array.isArray(was) || !Array.isArray(now) || was.length !== now.length) return refuse('lockedEntries')
    return was.map((entry, index) => {
      if (field.kind === 'texts') return now[index]
      if (!isObject(entry) || !isObject(now[index])) return entry
      const entryPath = `${path}.${index}`
      const found: FieldProblem[] = []
      const reverted =
        field.kind === 'blocks'
          ? revertInBlock(entry as unknown as StoredBlock, now[index] as unknown as StoredBlock, entryPath, found)
          : revertInFields(field.kind === 'objects' ? field.fields : siblingFields, entry, now[index], entryPath, found)
      problems.push(...found)
      // With another link it may be another entry that was moved here, so its text does not belong to this link.
      return found.length > 0 && !hasBlocks(field) ? entry : reverted
    })
  }
  return isTextOrImage(field) ? now : refuse('locked')
}

/** Whether the entries of a list have blocks, as columns do: each of these is put back by itself. */
const hasBlocks = (field: Field) => field.kind === 'objects' && field.fields.some(({ kind }) => kind === 'blocks')

/** Whether a rich text has a link to an address to which it had none. */
function hasNewLink(was: unknown, now: unknown): boolean {
  const known = new Set(linksIn(was))
  return linksIn(now).some((address) => !known.has(address))
}

const linksIn = (html: unknown): string[] =>
  typeof html === 'string' ? [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/gi)].map(([, address = '']) => address) : []

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Blocks by id; by position where one lacks an id, or has that of an earlier one. */
function byKey(list: readonly StoredBlock[]): Map<string, StoredBlock> {
  const found = new Map<string, StoredBlock>()
  for (const [index, block] of list.entries()) {
    const { id } = block
    found.set(typeof id === 'string' && id !== '' && !found.has(id) ? id : `#${index}`, block)
  }
  return found
}
