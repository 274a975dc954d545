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
import { InLockedBlock } from './block-locks.ts'
import { entryWords } from './block-names.tsx'
import styles from './blocks.module.css'
import { ImageDrop } from './file-fields.tsx'
import { ListActions } from './list-actions.tsx'
import { useFillPlaceholders } from './preview-data.ts'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'
import { moved } from './sortable-rows.tsx'

export type Entry = Record<string, unknown>

/** Props of an editor of a list of items with the same fields. */
export interface EntriesProps {
  field: Extract<Field, { kind: 'objects' }>
  label: string
  value: readonly Entry[]
  onChange: (update: (entries: Entry[]) => Entry[]) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
}

/** A list of items with the same fields; one is expanded at a time. */
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
  const [open, setOpen] = useState<number>()
  /** Keys of the entries, in their order. An entry has no id, and a change on the canvas makes another object of it. */
  const keys = useRef<string[]>([])
  while (keys.current.length < value.length) keys.current.push(randomId())
  const imageField = field.fields.find(({ kind }) => kind === 'image')
  // In a locked block entries are neither added nor removed.
  const locked = useContext(InLockedBlock)

  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.querySelectorAll<HTMLElement>(`[data-entry="${id}"]`)[index]?.focus())
  const add = (entry: Entry) => {
    onChange((entries) => [...entries, entry])
    setOpen(value.length)
    focus(value.length)
  }
  const move = (from: number, to: number) => {
    onChange((entries) => moved(entries, from, to))
    keys.current = moved(keys.current, from, to)
    setOpen((before) => (before === from ? to : before === to ? from : before))
    focus(to)
  }
  const remove = (index: number) => {
    const gone = value[index] as Entry
    onChange((entries) => entries.toSpliced(index, 1))
    const [key = ''] = keys.current.splice(index, 1)
    setOpen(undefined)
    focus(Math.max(0, index - 1))
    notify(t('blocks.entry.deleted', { name: nameOf(gone, index) }), () => {
      onChange((entries) => entries.toSpliced(index, 0, gone))
      keys.current.splice(index, 0, key)
    })
  }
  /** Changes an entry that may have been moved or deleted since it was rendered, for example by an upload that ends. */
  const changeOf = (entry: Entry, key: string) => (update: (entry: Entry) => Entry) =>
    onChange((entries) => {
      const found = entries.indexOf(entry)
      const at = found < 0 ? keys.current.indexOf(key) : found
      const current = entries[at]
      return current ? entries.with(at, update(current)) : entries
    })
  const nameOf = (entry: Entry, index: number) =>
    fill(entryWords(field.fields, entry)) ||
    (imageField && fileNameFromUrl(String(entry[imageField.name] ?? ''))) ||
    t('blocks.entry.numbered', { list: label, number: index + 1 })

  return (
    <fieldset className={styles.group} ref={root}>
      <legend>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      <ul className={styles.entries}>
        {value.map((entry, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other key
            key={index}
            data-wrong={hasProblem(problems, index) || undefined}
          >
            <div className={styles.head}>
              <button
                type="button"
                className={styles.opener}
                aria-expanded={open === index}
                data-entry={id}
                onClick={() => setOpen(open === index ? undefined : index)}
              >
                <ChevronDown />
                <span dir="auto">{nameOf(entry, index)}</span>
                {hasProblem(problems, index) && <TriangleAlert aria-label={t('blocks.problem')} />}
              </button>
              {!locked && (
                <ListActions
                  name={nameOf(entry, index)}
                  onUp={index > 0 ? () => move(index, index - 1) : undefined}
                  onDown={index < value.length - 1 ? () => move(index, index + 1) : undefined}
                  onDelete={value.length > field.least ? () => remove(index) : undefined}
                />
              )}
            </div>
            {open === index && (
              <div className={styles.body}>
                {children(entry, changeOf(entry, keys.current[index] ?? ''), problemsUnder(problems, index))}
              </div>
            )}
          </li>
        ))}
      </ul>
      {!locked && value.length < field.most && (
        <AddButton
          aria-label={t('blocks.entry.addTo', { list: label })}
          onClick={() => add(newEntry(type, field, locale))}
        >
          {t('blocks.entry.add')}
        </AddButton>
      )}
      {!locked && imageField && value.length < field.most && (
        <ImageDrop
          several
          onStored={({ url }) =>
            onChange((entries) => addImageToList(entries, imageField.name, url, () => newEntry(type, field, locale)))
          }
        />
      )}
    </fieldset>
  )
}

/** A list of single lines of text. Enter starts the next one. */
export function TextList(props: {
  label: string
  value: readonly string[]
  most: number
  onChange: (value: string[]) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
}) {
  const { label, value, most, onChange, problem, problems, locale } = props
  const t = useText()
  const dir = useContentDirection(locale)
  const root = useRef<HTMLFieldSetElement>(null)
  const locked = useContext(InLockedBlock)
  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())
  const add = (at: number) => {
    if (locked || value.length >= most) return
    onChange(value.toSpliced(at, 0, ''))
    focus(at)
  }
  return (
    <fieldset className={styles.group} ref={root}>
      <legend>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      {value.map((text, index) => (
        <div
          className={styles.line}
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other key
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
      {!locked && value.length < most && (
        <AddButton aria-label={t('blocks.entry.addTo', { list: label })} onClick={() => add(value.length)}>
          {t('blocks.entry.add')}
        </AddButton>
      )}
    </fieldset>
  )
}
