import type { Conflict, DraftText } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'

type Values = Record<string, unknown>
type Holder = Values | unknown[]

/** Which of two values is to stand where they collided. */
export type Choice = 'mine' | 'theirs'

/** Whether it is about a whole block, which one changed and the other deleted or replaced, and not about a field in one. */
export function isWholeBlock({ block, mine, theirs }: Conflict): boolean {
  if (block === null) return false
  const there = mine ?? theirs
  return isObject(there) && typeof there.type === 'string'
}

/** Whether it is about the order of blocks. */
export const isOrder = ({ field, mine, theirs }: Conflict): boolean =>
  /(^|\.)(body|blocks)$/.test(field) && [mine, theirs].every(isListOfTexts)

/** The merged text with what was chosen, conflict by conflict. */
export function withChoices(merged: DraftText, conflicts: readonly Conflict[], choices: readonly Choice[]): DraftText {
  const text = structuredClone(merged)
  for (const [index, conflict] of conflicts.entries()) {
    const value = structuredClone(conflict[choices[index] ?? 'mine'])
    if (isWholeBlock(conflict)) putBlock(text, conflict.block as string, value)
    else putValue(text, conflict, value)
  }
  return text
}

/** A block, however deep it stands. */
export const blockIn = (text: DraftText, key: string): StoredBlock | undefined =>
  blockWith(text.body, key) as StoredBlock | undefined

function putBlock(text: DraftText, key: string, value: unknown): void {
  const list = listWith(text.body, key)
  const index = list?.findIndex((one) => isObject(one) && one.id === key) ?? -1
  if (!list || index < 0) {
    if (value) text.body.push(value as DraftText['body'][number])
  } else if (value === null) list.splice(index, 1)
  else list[index] = value
}

function putValue(text: DraftText, conflict: Conflict, value: unknown): void {
  const from = conflict.block === null ? (text as unknown as Holder) : blockWith(text.body, conflict.block)
  const steps = conflict.field.split('.')
  const name = steps.pop() as string
  const holder = steps.reduce<unknown>((inside, step) => (inside as Values | undefined)?.[step], from) as Values
  if (!holder) return
  if (isOrder(conflict) && Array.isArray(holder[name]))
    holder[name] = inOrder(holder[name] as unknown[], value as string[])
  else if (value === null && !Array.isArray(holder)) delete holder[name]
  else holder[name] = value
}

/** In the order of the keys; what is in none of them stays behind what it stood behind. */
function inOrder(list: unknown[], keys: string[]): unknown[] {
  const known = list.filter((one) => keys.includes(idOf(one)))
  const sorted = [...known].sort((one, other) => keys.indexOf(idOf(one)) - keys.indexOf(idOf(other)))
  return list.map((one) => (keys.includes(idOf(one)) ? sorted.shift() : one))
}

/** The list, however deep, in which a block stands. */
function listWith(list: unknown[], key: string): unknown[] | undefined {
  if (list.some((one) => isObject(one) && one.id === key)) return list
  for (const value of list.filter(isObject).flatMap((one) => Object.values(one))) {
    const found = Array.isArray(value) ? listWith(value, key) : undefined
    if (found) return found
  }
  return undefined
}

function blockWith(list: unknown[], key: string): Values | undefined {
  return listWith(list, key)?.find((one): one is Values => isObject(one) && one.id === key)
}

const idOf = (one: unknown) => (isObject(one) ? String(one.id) : '')
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string')
