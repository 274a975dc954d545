import { Button } from '@mantine/core'
import { ChevronDown, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { emptyEntry, type Field } from '../../../blocks/fields.ts'
import type { Locale } from '../../../contract/locales.ts'
import { useLatest } from '../../components/latest.ts'
import { tell } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { entryWords } from './block-names.ts'
import styles from './blocks.module.css'
import { useFill } from './fill.ts'
import { ListActions } from './list-actions.tsx'
import { moved, replacedAt, withAt, without } from './move-in-list.ts'
import { PictureDrop } from './picture-drop.tsx'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'

type Entry = Record<string, unknown>

/** A list of entries that are alike, each with its own fields; one is open at a time. */
export function EntryList(props: {
  field: Extract<Field, { kind: 'objects' }>
  label: string
  value: readonly Entry[]
  onChange: (value: Entry[]) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
  children: (entry: Entry, change: (entry: Entry) => void, problems: Problems) => ReactNode
}) {
  const { field, label, value, onChange, problem, problems, locale, children } = props
  const t = useText()
  const id = useId()
  const fill = useFill(locale)
  const place = useRef<HTMLFieldSetElement>(null)
  const [open, setOpen] = useState<number>()
  const latest = useLatest({ value, onChange })
  const picture = field.fields.find(({ kind }) => kind === 'picture')

  const focus = (index: number) =>
    requestAnimationFrame(() => place.current?.querySelectorAll<HTMLElement>(`[data-entry="${id}"]`)[index]?.focus())
  const add = (entry: Entry) => {
    onChange([...value, entry])
    setOpen(value.length)
    focus(value.length)
  }
  const move = (from: number, to: number) => {
    onChange(moved(value, from, to))
    setOpen((before) => (before === from ? to : before === to ? from : before))
    focus(to)
  }
  const remove = (index: number) => {
    const gone = value[index] as Entry
    onChange(without(value, index))
    setOpen(undefined)
    focus(Math.max(0, index - 1))
    tell(t('blocks.entry.deleted', { name: nameOf(gone, index) }), () =>
      latest.current.onChange(withAt(latest.current.value, Math.min(index, latest.current.value.length), gone)),
    )
  }
  const nameOf = (entry: Entry, index: number) =>
    fill(entryWords(field.fields, entry)) || t('blocks.entry.numbered', { list: label, number: index + 1 })

  return (
    <fieldset className={styles.group} ref={place}>
      <legend>{label}</legend>
      {problem && <p className={styles.wrong}>{problem}</p>}
      <ul className={styles.entries}>
        {value.map((entry, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place
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
                <ChevronDown size={18} aria-hidden />
                <span dir="auto">{nameOf(entry, index)}</span>
                {hasProblem(problems, index) && <TriangleAlert size={18} aria-label={t('blocks.problem')} />}
              </button>
              <ListActions
                name={nameOf(entry, index)}
                onUp={index > 0 ? () => move(index, index - 1) : undefined}
                onDown={index < value.length - 1 ? () => move(index, index + 1) : undefined}
                onDelete={value.length > field.least ? () => remove(index) : undefined}
              />
            </div>
            {open === index && (
              <div className={styles.body}>
                {children(
                  entry,
                  (changed) => onChange(replacedAt(value, index, changed)),
                  problemsUnder(problems, index),
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {value.length < field.most && (
        <Button
          variant="default"
          leftSection={<Plus size={18} aria-hidden />}
          aria-label={t('blocks.entry.addTo', { list: label })}
          onClick={() => add(emptyEntry(field.fields))}
        >
          {t('blocks.entry.add')}
        </Button>
      )}
      {picture && value.length < field.most && (
        <PictureDrop
          several
          onStored={({ url }) =>
            latest.current.onChange([...latest.current.value, { ...emptyEntry(field.fields), [picture.name]: url }])
          }
        />
      )}
    </fieldset>
  )
}
