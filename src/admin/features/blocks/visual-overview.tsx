import { type ComponentData, createUsePuck } from '@puckeditor/core'
import { type KeyboardEvent, useRef } from 'react'
import { direction, type Locale } from '../../../contract/locales.ts'
import { useLocale, useText } from '../../i18n.ts'
import { blockName, summaryOf } from './block-names.ts'
import forms from './blocks.module.css'
import { useFill } from './fill.ts'
import { hasProblem, type Problems } from './problems.ts'
import { fromItem } from './puck-data.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import { BlockActions } from './visual-actions.tsx'
import styles from './visual-editor.module.css'

const usePuck = createUsePuck()

/**
 * Every block by its name, for who wants an overview or has no mouse.
 * @param props.onEmptied the last one was removed
 */
export function AllBlocks(props: {
  work: CanvasWork
  locale: Locale
  problems: Problems
  onChange: () => void
  onEmptied: () => void
}) {
  const { work, locale, problems, onChange, onEmptied } = props
  const t = useText()
  const place = useRef<HTMLOListElement>(null)
  const content = usePuck((puck) => puck.appState.data.content)
  if (content.length === 0) return <p className={forms.quiet}>{t('blocks.visual.none')}</p>

  const names = () => [...(place.current?.querySelectorAll<HTMLElement>('[data-name-of]') ?? [])]
  /** The next one has the focus then, so that one goes on by keys. */
  const remove = (id: string) => {
    const index = names().findIndex((one) => one.dataset.nameOf === id)
    work.remove(id)
    requestAnimationFrame(() => {
      const left = names()
      const next = left[Math.min(index, left.length - 1)]
      if (next) next.focus()
      else onEmptied()
    })
  }
  return (
    <ol className={styles.all} ref={place}>
      <Items items={content as ComponentData[]} at="" work={{ ...work, remove }} {...{ locale, problems, onChange }} />
    </ol>
  )
}

function Items(props: {
  items: ComponentData[]
  at: string
  work: CanvasWork
  locale: Locale
  problems: Problems
  onChange: () => void
}) {
  const { items, at, work, locale, problems, onChange } = props
  const t = useText()
  const spoken = useLocale()
  const fill = useFill(locale)
  return items.map((item, index) => {
    const id = item.props.id as string
    const name = blockName(item.type, spoken)
    const chosen = work.chosen?.props.id === id
    const columns = (item.type === 'columns' ? item.props.columns : []) as { blocks: ComponentData[] }[]
    return (
      <li key={id} data-wrong={hasProblem(problems, at + index) || undefined}>
        <div className={styles.item} data-chosen={chosen || undefined}>
          <button
            type="button"
            data-name-of={id}
            aria-current={chosen || undefined}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete Enter"
            onFocus={() => work.choose(id)}
            onClick={onChange}
            onKeyDown={(event) => keyed(event, id, work)}
          >
            <strong>{name}</strong>
            <span dir={direction[locale]} lang={locale}>
              {summaryOf(fromItem(item), fill)}
            </span>
            {hasProblem(problems, at + index) && <em>{t('blocks.problem')}</em>}
          </button>
          {chosen && <BlockActions id={id} name={name} work={work} />}
        </div>
        {columns.map((column, place) => (
          <ol
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={place}
          >
            <Items {...props} items={column.blocks} at={`${at}${index}.columns.${place}.blocks.`} />
          </ol>
        ))}
      </li>
    )
  })
}

function keyed(event: KeyboardEvent, id: string, work: CanvasWork): void {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey && event.key === 'ArrowUp') work.move(id, -1)
  else if (event.altKey && event.key === 'ArrowDown') work.move(id, 1)
  else if (event.key === 'Delete') work.remove(id)
  else if (command && event.key.toLowerCase() === 'd') work.duplicate(id)
  else return
  event.preventDefault()
}
