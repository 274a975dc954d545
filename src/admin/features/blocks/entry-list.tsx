import { TextInput } from '@mantine/core'
import { ChevronDown, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useContext, useId, useRef, useState } from 'react'
import { type Field, newEntry } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import type { Locale } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import { AddButton, IconButton } from '../../components/buttons.tsx'
import { notify } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { addImageToList } from './block-images.ts'
import { InLockedBlockContext } from './block-locks.ts'
import { firstWordsOfEntry } from './block-names.tsx'
import styles from './blocks.module.css'
import { ImageDrop } from './file-fields.tsx'
import { ListActions } from './list-actions.tsx'
import { useFillPlaceholders } from './preview-data.ts'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'
import { moved } from './sortable-rows.tsx'

export type Entry = Record<string, unknown>

/** Props of an editor of a list of entries with the same fields. */
export interface EntriesProps {
  field: Extract<Field, { kind: 'objects' }>
  label: string
  value: readonly Entry[]
  /** Calls `update` synchronously with the current entries. */
  onChange: (update: (entries: Entry[]) => Entry[]) => void
  problem: string | undefined
  /** By path in `value`: `0.title`. */
  problems: Problems
  locale: Locale
}

/** A list of entries with the same fields; one is expanded at a time. */
export function EntryList(
  props: EntriesProps & {
    type: BlockType
    children: (entry: Entry, change: (update: (entry: Entry) => Entry) => void, problems: Problems) => ReactNode
  },
) {
  const { type, field, label, value, onChange, problem, problems, locale, children } = props
  const t = useText()
  const id = useId()
  const fill = useFillPlaceholders(locale)
  const root = useRef<HTMLFieldSetElement>(null)
  const [openIndex, setOpenIndex] = useState<number>()
  // Generated ids by index, to find an entry after it was moved: it has no id, and each change of it makes a new object.
  // Not fit for React keys, because a change from outside the list does not move them.
  const entryIds = useRef<string[]>([])
  while (entryIds.current.length < value.length) entryIds.current.push(randomId())
  const imageField = field.fields.find(({ kind }) => kind === 'image')
  // In a locked block entries are neither added nor removed.
  const locked = useContext(InLockedBlockContext)

  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.querySelectorAll<HTMLElement>(`[data-entry="${id}"]`)[index]?.focus())
  const add = (entry: Entry) => {
    onChange((entries) => [...entries, entry])
    setOpenIndex(value.length)
    focus(value.length)
  }
  /** The indexes must be adjacent. */
  const swap = (from: number, to: number) => {
    onChange((entries) => moved(entries, from, to))
    entryIds.current = moved(entryIds.current, from, to)
    setOpenIndex((index) => {
      if (index === from) return to
      return index === to ? from : index
    })
    focus(to)
  }
  const remove = (index: number) => {
    const removed = value[index] as Entry
    onChange((entries) => entries.toSpliced(index, 1))
    const [removedId = ''] = entryIds.current.splice(index, 1)
    setOpenIndex(undefined)
    focus(Math.max(0, index - 1))
    notify(
      t('blocks.entry.deleted', { name: nameOf(removed, index) }),
      () => {
        onChange((entries) => entries.toSpliced(index, 0, removed))
        entryIds.current.splice(index, 0, removedId)
      },
      'form',
    )
  }
  /** Changes an entry, which may have been moved, changed or deleted since it was rendered, such as during an upload. */
  const changeEntry = (entry: Entry, entryId: string, update: (entry: Entry) => Entry) =>
    onChange((entries) => {
      const unchangedIndex = entries.indexOf(entry)
      const index = unchangedIndex < 0 ? entryIds.current.indexOf(entryId) : unchangedIndex
      const current = entries[index]
      return current ? entries.with(index, update(current)) : entries
    })
  const nameOf = (entry: Entry, index: number) =>
    fill(firstWordsOfEntry(field.fields, entry)) ||
    (imageField && fileNameFromUrl(String(entry[imageField.name] ?? ''))) ||
    t('blocks.entry.numbered', { list: label, number: index + 1 })

  return (
    <fieldset className={styles.group} ref={root}>
      <legend>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      <ul className={styles.entries}>
        {value.map((entry, index) => {
          const entryId = entryIds.current[index] ?? ''
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other key
              key={index}
              data-wrong={hasProblem(problems, index) || undefined}
            >
              <div className={styles.head}>
                <button
                  type="button"
                  className={styles.opener}
                  aria-expanded={openIndex === index}
                  data-entry={id}
                  onClick={() => setOpenIndex(openIndex === index ? undefined : index)}
                >
                  <ChevronDown />
                  <span dir="auto">{nameOf(entry, index)}</span>
                  {hasProblem(problems, index) && <TriangleAlert aria-label={t('blocks.problem')} />}
                </button>
                {!locked && (
                  <ListActions
                    name={nameOf(entry, index)}
                    onUp={index > 0 ? () => swap(index, index - 1) : undefined}
                    onDown={index < value.length - 1 ? () => swap(index, index + 1) : undefined}
                    onDelete={value.length > field.minItems ? () => remove(index) : undefined}
                  />
                )}
              </div>
              {openIndex === index && (
                <div className={styles.body}>
                  {children(entry, (update) => changeEntry(entry, entryId, update), problemsUnder(problems, index))}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {!locked && value.length < field.maxItems && (
        <AddButton
          aria-label={t('blocks.entry.addTo', { list: label })}
          onClick={() => add(newEntry(type, field, locale))}
        >
          {t('blocks.entry.add')}
        </AddButton>
      )}
      {!locked && imageField && value.length < field.maxItems && (
        <ImageDrop
          multiple
          onUploaded={({ url }) =>
            onChange((entries) => addImageToList(entries, imageField.name, url, () => newEntry(type, field, locale)))
          }
        />
      )}
    </fieldset>
  )
}

/** A list of single-line texts. Enter adds a text below. */
export function TextList(props: {
  label: string
  value: readonly string[]
  maxItems: number
  onChange: (value: string[]) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
}) {
  const { label, value, maxItems, onChange, problem, problems, locale } = props
  const t = useText()
  const dir = useContentDirection(locale)
  const root = useRef<HTMLFieldSetElement>(null)
  const locked = useContext(InLockedBlockContext)
  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())
  const add = (index: number) => {
    if (locked || value.length >= maxItems) return
    onChange(value.toSpliced(index, 0, ''))
    focus(index)
  }
  return (
    <fieldset className={styles.group} ref={root}>
      <legend>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      {value.map((text, index) => (
        <div
          className={styles.line}
          // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other key
          key={index}
        >
          <TextInput
            aria-label={t('blocks.entry.numbered', { list: label, number: index + 1 })}
            error={problems[index]}
            lang={locale}
            dir={dir}
            value={text}
            onChange={(event) => onChange(value.with(index, event.currentTarget.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              add(index + 1)
            }}
          />
          {!locked && (
            <IconButton
              label={t('blocks.entry.delete', { name: text || label })}
              icon={<X />}
              onClick={() => {
                onChange(value.toSpliced(index, 1))
                focus(Math.max(0, index - 1))
              }}
            />
          )}
        </div>
      ))}
      {!locked && value.length < maxItems && (
        <AddButton aria-label={t('blocks.entry.addTo', { list: label })} onClick={() => add(value.length)}>
          {t('blocks.entry.add')}
        </AddButton>
      )}
    </fieldset>
  )
}
