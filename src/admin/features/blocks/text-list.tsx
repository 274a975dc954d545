import { ActionIcon, Button, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { direction, type Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import styles from './blocks.module.css'
import { replacedAt, withAt, without } from './move-in-list.ts'
import type { Problems } from './problems.ts'

/** A list of lines. Enter begins the next one. */
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
  const place = useRef<HTMLFieldSetElement>(null)
  const focus = (index: number) =>
    requestAnimationFrame(() => place.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())
  const add = (at: number) => {
    if (value.length >= most) return
    onChange(withAt(value, at, ''))
    focus(at)
  }
  return (
    <fieldset className={styles.group} ref={place}>
      <legend>{label}</legend>
      {problem && <p className={styles.wrong}>{problem}</p>}
      {value.map((text, index) => (
        <div
          className={styles.line}
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          key={index}
        >
          <TextInput
            aria-label={t('blocks.entry.numbered', { list: label, number: index + 1 })}
            error={problems[index]}
            lang={locale}
            dir={direction[locale]}
            autoComplete="off"
            value={text}
            onChange={(event) => onChange(replacedAt(value, index, event.currentTarget.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              add(index + 1)
            }}
          />
          <ActionIcon
            aria-label={t('blocks.entry.delete', { name: text || label })}
            onClick={() => {
              onChange(without(value, index))
              focus(Math.max(0, index - 1))
            }}
          >
            <X size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {value.length < most && (
        <Button
          variant="default"
          leftSection={<Plus size={18} aria-hidden />}
          aria-label={t('blocks.entry.addTo', { list: label })}
          onClick={() => add(value.length)}
        >
          {t('blocks.entry.add')}
        </Button>
      )}
    </fieldset>
  )
}
