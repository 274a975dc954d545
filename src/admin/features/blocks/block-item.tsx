import { Button } from '@mantine/core'
import { ChevronDown, Plus, TriangleAlert } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { direction, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { BlockForm } from './block-form.tsx'
import { blockName, summaryOf } from './block-names.ts'
import styles from './blocks.module.css'
import { useFill } from './fill.ts'
import { ListActions } from './list-actions.tsx'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'
import type { BlockListWork } from './use-block-list.ts'

/** One block of the outline. On its name: Alt with an arrow moves it, Delete removes it, Ctrl+D doubles it. */
export function BlockItem(props: {
  listId: string
  block: StoredBlock
  index: number
  all: number
  locale: Locale
  problems: Problems
  list: BlockListWork
  onAddBelow: (() => void) | undefined
}) {
  const { listId, block, index, all, locale, problems, list, onAddBelow } = props
  const t = useText()
  const name = blockName(block.type, useLocale())
  const wrong = hasProblem(problems, index)
  const open = list.isOpen(index)
  const summary = summaryOf(block, useFill(locale))
  const own = problems[index]

  const onKeyDown = (event: KeyboardEvent) => {
    const done = keyed(event, { index, list })
    if (!done) return
    event.preventDefault()
    done()
  }
  return (
    <li data-item-of={listId} data-index={index} data-wrong={wrong || undefined}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.opener}
          aria-expanded={open}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete Control+C Control+V Control+D"
          data-block-of={listId}
          onClick={() => list.toggle(index)}
          onKeyDown={onKeyDown}
        >
          <ChevronDown size={18} aria-hidden />
          <strong>{name}</strong>
          {summary && (
            <span className={styles.summary} dir={direction[locale]} lang={locale}>
              {summary}
            </span>
          )}
          {wrong && <TriangleAlert size={18} className={styles.mark} aria-label={t('blocks.problem')} />}
        </button>
        <ListActions
          name={`${name} ${index + 1}`}
          onUp={index > 0 ? () => list.move(index, index - 1) : undefined}
          onDown={index < all - 1 ? () => list.move(index, index + 1) : undefined}
          onCopy={() => void list.copy(index)}
          onDuplicate={() => list.duplicate(index)}
          onDelete={() => list.remove(index)}
        />
      </div>
      {open && (
        <div className={styles.body}>
          <BlockForm
            block={block}
            onChange={(changed) => list.change(index, changed)}
            problems={own ? { ...problemsUnder(problems, index), '': own } : problemsUnder(problems, index)}
            locale={locale}
          />
          {onAddBelow && (
            <Button variant="subtle" leftSection={<Plus size={18} aria-hidden />} onClick={onAddBelow}>
              {t('blocks.addBelow')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function keyed(event: KeyboardEvent, { index, list }: { index: number; list: BlockListWork }) {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey && event.key === 'ArrowUp') return () => list.move(index, index - 1)
  if (event.altKey && event.key === 'ArrowDown') return () => list.move(index, index + 1)
  if (command && event.key.toLowerCase() === 'd') return () => list.duplicate(index)
  if (event.key === 'Delete') return () => list.remove(index)
  return undefined
}
