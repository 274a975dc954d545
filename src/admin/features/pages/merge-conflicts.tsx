import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Locale, localized } from '../../../contract/locales.ts'
import type { Conflict, DraftText, StalePage } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import { useMe } from '../sign-in/me.ts'
import { type PageField, pageFields, Words } from './difference.tsx'
import styles from './merge-conflicts.module.css'
import { nameWithin } from './page-badges.tsx'
import { BlockTextView, readBlock } from './page-text-view.tsx'

/**
 * Resolves conflicts with a concurrent save: the user chooses a side per conflict; all other changes are already
 * merged. Nothing is saved until then.
 */
export function MergeConflicts(
  props: StalePage & {
    locale: Locale
    close: () => void
    choose: (chosen: DraftText) => void
  },
) {
  const { page, conflicts, merged, locale, close, choose } = props
  const t = useText()
  const me = useMe()
  const [choices, setChoices] = useState<Choice[]>(() => conflicts.map(() => 'mine'))
  const own = page.savedBy?.id === me.id
  const name = page.savedBy ? nameWithin(page.savedBy, t) : undefined
  return (
    <Dialog title={t('pages.conflict.title')} wide onClose={close}>
      <p>
        <Translated text={own ? 'pages.conflict.ownText' : 'pages.conflict.text'} name={<bdi>{name ?? ''}</bdi>} />
      </p>
      <ol className={styles.list}>
        {conflicts.map((conflict, index) => (
          <li key={`${conflict.block}.${conflict.field}`}>
            <Collision
              conflict={conflict}
              text={merged}
              collection={page.collection}
              locale={locale}
              name={own ? undefined : name}
              chosen={choices[index] ?? 'mine'}
              choose={(choice) => setChoices(choices.with(index, choice))}
            />
          </li>
        ))}
      </ol>
      <DialogActions onClose={close} close={t('pages.conflict.postpone')}>
        <Button variant="filled" onClick={() => choose(withChoices(merged, conflicts, choices))}>
          {t('pages.conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Collision(props: {
  conflict: Conflict
  text: DraftText
  /** Of an entry. */
  collection: string | null
  locale: Locale
  /** The user who saved; undefined: the same user in another tab. */
  name: string | undefined
  chosen: Choice
  choose: (choice: Choice) => void
}) {
  const { conflict, text, collection, locale, name, chosen, choose } = props
  const t = useText()
  const label = useConflictLabel(conflict, text, collection)
  const option = (choice: Choice) => (
    <label className={styles.option} data-chosen={chosen === choice || undefined}>
      <span className={styles.whose}>
        <input type="radio" checked={chosen === choice} onChange={() => choose(choice)} />
        <span>
          {choice === 'mine' && t('pages.conflict.mine')}
          {choice === 'theirs' &&
            (name ? <Translated text="pages.conflict.theirs" name={<bdi>{name}</bdi>} /> : t('pages.conflict.other'))}
        </span>
      </span>
      <Value conflict={conflict} value={conflict[choice]} text={text} locale={locale} />
    </label>
  )
  return (
    <fieldset className={styles.collision}>
      <legend>{label}</legend>
      <div className={styles.both}>
        {option('mine')}
        {option('theirs')}
      </div>
    </fieldset>
  )
}

/** The subject of a conflict: a field of the page, a field of a block, a block or the order. */
function useConflictLabel(conflict: Conflict, text: DraftText, collection: string | null): string {
  const t = useText()
  const locale = useLocale()
  const { field, block } = conflict
  const entryFields = useCollection(collection)?.fields ?? []
  if (isOrder(conflict)) return t('pages.conflict.order')
  if (isWholeBlock(conflict)) {
    return t('pages.conflict.block', {
      name: blockName(((conflict.mine ?? conflict.theirs) as StoredBlock).type, locale),
    })
  }
  const ofEntry = block === null && entryFields.find(({ id }) => field === `fields.${id}`)
  if (ofEntry) return localized(ofEntry.name, locale).value
  if (block === null) return isPageField(field) ? t(`pages.fields.${field}`) : t('pages.fields.body')
  const found = blockIn(text, block)
  if (!found) return t('pages.fields.body')
  const [first] = field.split('.')
  const read = readBlock(found, locale).find(({ name }) => name === first)
  return [blockName(found.type, locale), read?.label].filter(Boolean).join(': ')
}

function Value(props: { conflict: Conflict; value: unknown; text: DraftText; locale: Locale }) {
  const { conflict, value, text, locale } = props
  const t = useText()
  const uiLocale = useLocale()
  if (value === null || value === '')
    return <p className="quiet flush">{t(isWholeBlock(conflict) ? 'pages.conflict.deleted' : 'form.nothing')}</p>
  if (isOrder(conflict) || (conflict.block === null && Array.isArray(value))) {
    // When two whole pages are too long together, the conflict is about the blocks themselves.
    const names = (value as (string | StoredBlock)[]).map((one, index) =>
      typeof one === 'string' ? { key: one, block: blockIn(text, one) } : { key: one.id ?? index, block: one },
    )
    return (
      <ol className={styles.order}>
        {names.map(({ key, block }) => block && <li key={key}>{blockName(block.type, uiLocale)}</li>)}
      </ol>
    )
  }
  if (isWholeBlock(conflict)) return <BlockTextView block={value as StoredBlock} contentLocale={locale} />
  if (typeof value === 'boolean') return <p className="flush">{t(value ? 'form.yes' : 'form.no')}</p>
  const holder = conflict.block === null ? undefined : blockIn(text, conflict.block)
  const words = (one: unknown) => formatValue(holder, conflict.field, one, uiLocale)
  return <Words before={words(conflict.base)} after={words(value)} locale={locale} />
}

/** A readable value of a block's field. */
function formatValue(holder: StoredBlock | undefined, field: string, value: unknown, locale: Locale): string {
  if (value === null || value === undefined) return ''
  if (!holder) return typeof value === 'string' ? value : JSON.stringify(value)
  const [first = field] = field.split('.')
  const whole = field.includes('.') ? undefined : { ...holder, [field]: value }
  const read = whole && readBlock(whole, locale).find(({ name }) => name === first)
  return read?.text ?? (typeof value === 'string' ? value : JSON.stringify(value))
}

const isPageField = (field: string): field is PageField => (pageFields as readonly string[]).includes(field)

type Values = Record<string, unknown>
type Holder = Values | unknown[]

/** Which side of a conflict to keep. */
export type Choice = 'mine' | 'theirs'

/** Whether the conflict is about a whole block, which one side changed and the other deleted or replaced. */
export function isWholeBlock({ block, mine, theirs }: Conflict): boolean {
  if (block === null) return false
  const there = mine ?? theirs
  return isObject(there) && typeof there.type === 'string'
}

/** Whether the conflict is about the order of blocks. */
export const isOrder = ({ field, mine, theirs }: Conflict): boolean =>
  /(^|\.)(body|blocks)$/.test(field) && [mine, theirs].every(isListOfTexts)

/** The merged text with each conflict resolved as chosen. */
export function withChoices(merged: DraftText, conflicts: readonly Conflict[], choices: readonly Choice[]): DraftText {
  const text = structuredClone(merged)
  for (const [index, conflict] of conflicts.entries()) {
    const value = structuredClone(conflict[choices[index] ?? 'mine'])
    if (isWholeBlock(conflict)) putBlock(text, conflict.block as string, value)
    else putValue(text, conflict, value)
  }
  return text
}

/** Finds a block at any depth. */
const blockIn = (text: DraftText, key: string): StoredBlock | undefined =>
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

/** Sorts a list by keys; an item without a key stays after its predecessor. */
function inOrder(list: unknown[], keys: string[]): unknown[] {
  const found = list.filter((one) => keys.includes(idOf(one)))
  const sorted = [...found].sort((one, other) => keys.indexOf(idOf(one)) - keys.indexOf(idOf(other)))
  return list.map((one) => (keys.includes(idOf(one)) ? sorted.shift() : one))
}

/** The list, at any depth, that contains a block. */
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
