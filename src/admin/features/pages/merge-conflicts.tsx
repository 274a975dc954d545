import { Button } from '@mantine/core'
import { useState } from 'react'
import { isRecord } from '../../../contract/deep-equal.ts'
import { type Locale, localized } from '../../../contract/locales.ts'
import type { Conflict, DraftText, StalePage } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import { useMe } from '../sign-in/me.ts'
import { type PageField, pageFields, WordDiff } from './difference.tsx'
import styles from './merge-conflicts.module.css'
import { nameWithin } from './page-badges.tsx'
import { BlockTextView, readableFields } from './page-text-view.tsx'

/**
 * The dialog after a save that conflicts with a concurrent one: the user chooses a side per conflict; all other changes
 * are merged already. Nothing is saved until the user confirms.
 */
export function MergeConflicts(
  props: StalePage & {
    contentLocale: Locale
    close: () => void
    /** Receives the merged text with the chosen sides, which is then saved. */
    choose: (resolved: DraftText) => void
  },
) {
  const { page, conflicts, merged, contentLocale, close, choose } = props
  const t = useText()
  const me = useMe()
  const [choices, setChoices] = useState<Side[]>(() => conflicts.map(() => 'mine'))
  const isOwn = page.savedBy?.id === me.id
  const name = page.savedBy ? nameWithin(page.savedBy, t) : undefined
  return (
    <Dialog title={t('pages.conflict.title')} wide onClose={close}>
      <p>
        <Translated text={isOwn ? 'pages.conflict.ownText' : 'pages.conflict.text'} name={<bdi>{name ?? ''}</bdi>} />
      </p>
      <ol className={styles.list}>
        {conflicts.map((conflict, index) => (
          <li key={`${conflict.block}.${conflict.field}`}>
            <ConflictChoice
              conflict={conflict}
              merged={merged}
              collection={page.collection}
              contentLocale={contentLocale}
              savedBy={isOwn ? undefined : name}
              chosen={choices[index] ?? 'mine'}
              choose={(side) => setChoices(choices.with(index, side))}
            />
          </li>
        ))}
      </ol>
      <DialogActions onClose={close} close={t('pages.conflict.postpone')}>
        <Button variant="filled" onClick={() => choose(resolveConflicts(merged, conflicts, choices))}>
          {t('pages.conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function ConflictChoice(props: {
  conflict: Conflict
  merged: DraftText
  /** The id of the collection of an entry. */
  collection: string | null
  contentLocale: Locale
  /** The name of the user who saved; undefined: the same user in another tab. */
  savedBy: string | undefined
  chosen: Side
  choose: (side: Side) => void
}) {
  const { conflict, merged, collection, contentLocale, savedBy, chosen, choose } = props
  const t = useText()
  const label = useConflictLabel(conflict, merged, collection)
  const theirLabel = savedBy ? (
    <Translated text="pages.conflict.theirs" name={<bdi>{savedBy}</bdi>} />
  ) : (
    t('pages.conflict.other')
  )
  const renderOption = (side: Side) => (
    <label className={styles.option} data-chosen={chosen === side || undefined}>
      <span className={styles.whose}>
        <input type="radio" checked={chosen === side} onChange={() => choose(side)} />
        <span>{side === 'mine' ? t('pages.conflict.mine') : theirLabel}</span>
      </span>
      <ConflictValue conflict={conflict} value={conflict[side]} merged={merged} contentLocale={contentLocale} />
    </label>
  )
  return (
    <fieldset className={styles.collision}>
      <legend>{label}</legend>
      <div className={styles.both}>
        {renderOption('mine')}
        {renderOption('theirs')}
      </div>
    </fieldset>
  )
}

/** The subject of a conflict: a field of the page, a field of a block, a block or the order. */
function useConflictLabel(conflict: Conflict, merged: DraftText, collection: string | null): string {
  const t = useText()
  const uiLocale = useLocale()
  const { field, block } = conflict
  const entryFields = useCollection(collection)?.fields ?? []
  if (isOrder(conflict)) return t('pages.conflict.order')
  if (isWholeBlock(conflict)) {
    return t('pages.conflict.block', {
      name: blockName(((conflict.mine ?? conflict.theirs) as StoredBlock).type, uiLocale),
    })
  }
  const entryField = block === null && entryFields.find(({ id }) => field === `fields.${id}`)
  if (entryField) return localized(entryField.name, uiLocale).value
  if (block === null) return isPageField(field) ? t(`pages.fields.${field}`) : t('pages.fields.body')
  const mergedBlock = findBlock(merged, block)
  if (!mergedBlock) return t('pages.fields.body')
  const [topField] = field.split('.')
  const readable = readableFields(mergedBlock, uiLocale).find(({ name }) => name === topField)
  return [blockName(mergedBlock.type, uiLocale), readable?.label].filter(Boolean).join(': ')
}

/** One side's value of a conflict: a block, an order, or a text with its difference from the common base. */
function ConflictValue(props: { conflict: Conflict; value: unknown; merged: DraftText; contentLocale: Locale }) {
  const { conflict, value, merged, contentLocale } = props
  const t = useText()
  const uiLocale = useLocale()
  if (value === null || value === '')
    return <p className="quiet flush">{t(isWholeBlock(conflict) ? 'pages.conflict.deleted' : 'form.nothing')}</p>
  if (isOrder(conflict) || (conflict.block === null && Array.isArray(value))) {
    // An order is a list of block ids. When the merged page would be too long, the conflict has the blocks themselves.
    const items = (value as (string | StoredBlock)[]).map((item, index) =>
      typeof item === 'string' ? { key: item, block: findBlock(merged, item) } : { key: item.id ?? index, block: item },
    )
    return (
      <ol className={styles.order}>
        {items.map(({ key, block }) => block && <li key={key}>{blockName(block.type, uiLocale)}</li>)}
      </ol>
    )
  }
  if (isWholeBlock(conflict)) return <BlockTextView block={value as StoredBlock} contentLocale={contentLocale} />
  if (typeof value === 'boolean') return <p className="flush">{t(value ? 'form.yes' : 'form.no')}</p>
  const block = conflict.block === null ? undefined : findBlock(merged, conflict.block)
  const format = (fieldValue: unknown) => formatValue(block, conflict.field, fieldValue, uiLocale)
  return <WordDiff before={format(conflict.base)} after={format(value)} contentLocale={contentLocale} />
}

/** The value of a field of a block, or of the page without a block, as text. A nested value is a string or JSON. */
function formatValue(block: StoredBlock | undefined, field: string, value: unknown, uiLocale: Locale): string {
  if (value === null || value === undefined) return ''
  const rawText = typeof value === 'string' ? value : JSON.stringify(value)
  if (!block || field.includes('.')) return rawText
  const readable = readableFields({ ...block, [field]: value }, uiLocale).find(({ name }) => name === field)
  return readable?.text ?? rawText
}

const isPageField = (field: string): field is PageField => (pageFields as readonly string[]).includes(field)

type Values = Record<string, unknown>

/** A side of a conflict. */
export type Side = 'mine' | 'theirs'

/** Whether the conflict is about a whole block, which one side changed and the other deleted or replaced. */
export function isWholeBlock({ block, mine, theirs }: Conflict): boolean {
  if (block === null) return false
  // The side that deleted the block is null.
  const remaining = mine ?? theirs
  return isRecord(remaining) && typeof remaining.type === 'string'
}

/** Whether the conflict is about the order of blocks. */
export const isOrder = ({ field, mine, theirs }: Conflict): boolean =>
  /(^|\.)(body|blocks)$/.test(field) && [mine, theirs].every(isListOfStrings)

/** @returns a copy of the merged text with each conflict resolved. @param sides in the order of `conflicts` */
export function resolveConflicts(merged: DraftText, conflicts: readonly Conflict[], sides: readonly Side[]): DraftText {
  const text = structuredClone(merged)
  for (const [index, conflict] of conflicts.entries()) {
    const value = structuredClone(conflict[sides[index] ?? 'mine'])
    if (isWholeBlock(conflict)) putBlock(text, conflict.block as string, value)
    else putValue(text, conflict, value)
  }
  return text
}

/** Finds a block at any depth. */
const findBlock = (text: DraftText, id: string): StoredBlock | undefined =>
  findObject(text.body, id) as StoredBlock | undefined

/** Replaces a block at any depth; null deletes it. A block that the text lacks is appended to the body. */
function putBlock(text: DraftText, id: string, value: unknown): void {
  const list = findListOf(text.body, id)
  const index = list?.findIndex((item) => isRecord(item) && item.id === id) ?? -1
  if (!list || index < 0) {
    if (value) text.body.push(value as DraftText['body'][number])
  } else if (value === null) list.splice(index, 1)
  else list[index] = value
}

/** Sets the value at the path of a conflict; null deletes a property. */
function putValue(text: DraftText, conflict: Conflict, value: unknown): void {
  const root = conflict.block === null ? text : findObject(text.body, conflict.block)
  const path = conflict.field.split('.')
  const name = path.pop() as string
  const parent = path.reduce<unknown>((object, step) => (object as Values | undefined)?.[step], root) as Values
  if (!parent) return
  if (isOrder(conflict) && Array.isArray(parent[name]))
    parent[name] = sortByIds(parent[name] as unknown[], value as string[])
  else if (value === null && !Array.isArray(parent)) delete parent[name]
  else parent[name] = value
}

/** Sorts the items with these ids among themselves; all other items stay at their index. */
function sortByIds(list: unknown[], ids: string[]): unknown[] {
  const isSorted = (item: unknown) => ids.includes(idOf(item))
  const sorted = list.filter(isSorted).sort((a, b) => ids.indexOf(idOf(a)) - ids.indexOf(idOf(b)))
  return list.map((item) => (isSorted(item) ? sorted.shift() : item))
}

/** The list, at any depth, that contains the object with this id. */
function findListOf(list: unknown[], id: string): unknown[] | undefined {
  if (list.some((item) => isRecord(item) && item.id === id)) return list
  for (const value of list.filter(isRecord).flatMap((item) => Object.values(item))) {
    const nestedList = Array.isArray(value) ? findListOf(value, id) : undefined
    if (nestedList) return nestedList
  }
  return undefined
}

function findObject(list: unknown[], id: string): Values | undefined {
  return findListOf(list, id)?.find((item): item is Values => isRecord(item) && item.id === id)
}

const idOf = (item: unknown) => (isRecord(item) ? String(item.id) : '')
const isListOfStrings = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')
