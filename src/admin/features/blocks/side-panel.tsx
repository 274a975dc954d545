import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ComponentData, createUsePuck } from '@puckeditor/core'
import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { useLatest } from '../../components/latest.ts'
import { useRemembered } from '../../components/remembered.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { useSectionNames } from '../sections/sections.ts'
import { BlockLockIcon } from './block-lock-icon.tsx'
import { blockName, summaryOf } from './block-names.tsx'
import { handleShortcut } from './canvas-events.ts'
import { BlockActions } from './list-actions.tsx'
import { useFillPlaceholders } from './preview-data.ts'
import { hasProblem, type Problems } from './problems.ts'
import { fromItem } from './puck-data.ts'
import { SortableRows, useSortableRow } from './sortable-rows.tsx'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

const panels = ['outline', 'fields'] as const
type PanelName = (typeof panels)[number]

const icons = {
  outline: { open: PanelLeftOpen, close: PanelLeftClose },
  fields: { open: PanelRightOpen, close: PanelRightClose },
}

/**
 * Which of the two panels are open: remembered for this person where both fit beside the page, and at most one at a
 * time below it on a narrow screen.
 */
export function usePanels() {
  const beside = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const roomy = () => (matchMedia('(min-width: 75em)').matches ? 'open' : 'folded')
  const [outline, setOutline] = useRemembered('etalage.editor.outline', ['open', 'folded'], roomy)
  const [fields, setFields] = useRemembered('etalage.editor.fields', ['open', 'folded'], () => 'open')
  const [below, setBelow] = useState<PanelName>()
  const isOpen = beside
    ? { outline: outline === 'open', fields: fields === 'open' }
    : { outline: below === 'outline', fields: below === 'fields' }
  const set = (name: PanelName, open: boolean) => {
    if (!beside) setBelow(open ? name : undefined)
    else if (name === 'outline') setOutline(open ? 'open' : 'folded')
    else setFields(open ? 'open' : 'folded')
  }
  return { isOpen, set }
}

/** A panel beside the page that folds away to a button. */
export function SidePanel(props: {
  name: PanelName
  panels: ReturnType<typeof usePanels>
  panelRef?: RefObject<HTMLElement | null>
  /** Beside the button that folds it away. */
  head: ReactNode
  children: ReactNode
}) {
  const { name, panels, panelRef, head, children } = props
  const t = useText()
  const open = panels.isOpen[name]
  const Icon = icons[name][open ? 'close' : 'open']
  const label = t(`blocks.visual.panels.${open ? 'close' : 'open'}`, { name: t(`blocks.visual.panels.${name}`) })
  return (
    <section
      ref={panelRef}
      className={styles.panel}
      aria-label={t(`blocks.visual.panels.${name}`)}
      tabIndex={-1}
      data-panel={name}
      data-open={open || undefined}
    >
      <div className={styles.panelHead}>
        {open && head}
        <ActionIcon
          className={styles.fold ?? ''}
          aria-label={label}
          title={label}
          aria-expanded={open}
          onClick={() => panels.set(name, !open)}
        >
          <Icon size={20} className="flip-in-rtl" />
          {!open && (
            <span aria-hidden className={styles.foldName}>
              {t(`blocks.visual.panels.${name}`)}
            </span>
          )}
        </ActionIcon>
      </div>
      {open && <div className={styles.panelBody}>{children}</div>}
    </section>
  )
}

const usePuck = createUsePuck()

/**
 * All blocks by name, as an overview and for keyboard users.
 * @param props.form where the form of a block is, which a click leads to
 * @param props.onEmptied called when the last one was removed
 */
export function BlockOverview(props: {
  work: CanvasActions
  chosen: ComponentData | null
  locale: Locale
  problems: Problems
  form: RefObject<{ expect: () => void; open: () => void }>
  onEmptied: () => void
}) {
  const { work, chosen, locale, problems, form, onEmptied } = props
  const t = useText()
  const root = useRef<HTMLOListElement>(null)
  const content = usePuck((puck) => puck.appState.data.content)
  const emptied = useLatest(onEmptied)
  const inOverview = useMemo(() => {
    const names = () => [...(root.current?.querySelectorAll<HTMLElement>('[data-name-of]') ?? [])]
    return {
      ...work,
      /** The focus moves to the next block, for keyboard users. */
      remove(id: string) {
        const index = names().findIndex((one) => one.dataset.nameOf === id)
        work.remove(id)
        requestAnimationFrame(() => {
          const left = names()
          const next = left[Math.min(index, left.length - 1)]
          if (next) next.focus()
          else emptied.current()
        })
      },
    }
  }, [work, emptied])
  if (content.length === 0) return <p className="quiet flush">{t('blocks.visual.none')}</p>
  return (
    <ol className={styles.all} ref={root}>
      <Items
        items={content as ComponentData[]}
        at=""
        work={inOverview}
        chosen={chosen?.props.id as string | undefined}
        {...{ locale, problems, form }}
      />
    </ol>
  )
}

function Items(props: {
  items: ComponentData[]
  at: string
  work: CanvasActions
  /** The id of the selected block. */
  chosen: string | undefined
  locale: Locale
  problems: Problems
  form: RefObject<{ expect: () => void; open: () => void }>
}) {
  const { items, ...rest } = props
  const { at, work } = rest
  return (
    <SortableRows
      onMove={(from, to) => {
        const item = items[from]
        if (item) work.move(item.props.id as string, to - from)
      }}
    >
      {items.map((item, index) => (
        <OneItem key={item.props.id as string} {...rest} item={item} index={index} at={at} />
      ))}
    </SortableRows>
  )
}

/** Rendered again when its own block changes: the others are as they were while somebody types. */
const OneItem = memo((props: Omit<ComponentProps<typeof Items>, 'items'> & { item: ComponentData; index: number }) => {
  const { item, index, at, work, locale, problems, form } = props
  const t = useText()
  const uiLocale = useLocale()
  const fill = useFillPlaceholders(locale)
  const block = fromItem(item)
  useSectionNames([block])
  const id = item.props.id as string
  const name = blockName(item.type, uiLocale)
  const chosen = props.chosen === id
  const columns = (item.type === 'columns' ? item.props.columns : []) as { blocks: ComponentData[] }[]
  const locked = work.isLocked(id)
  const { ref, handle, isDragSource } = useSortableRow(id, index, locked)
  return (
    <li ref={ref} data-wrong={hasProblem(problems, at + index) || undefined} data-dragged={isDragSource || undefined}>
      <div className={styles.item} data-chosen={chosen || undefined}>
        {handle}
        <button
          type="button"
          data-name-of={id}
          aria-current={chosen || undefined}
          aria-keyshortcuts={locked ? 'Enter' : 'Alt+ArrowUp Alt+ArrowDown Delete Enter'}
          onFocus={() => work.choose(id)}
          onClick={() => {
            form.current.expect()
            // Safari does not focus a button that is clicked.
            work.choose(id)
            form.current.open()
          }}
          onKeyDown={(event) => !locked && handleKey(event, id, work)}
        >
          <strong>{name}</strong>
          <span dir={useContentDirection(locale)} lang={locale}>
            {summaryOf(block, fill)}
          </span>
          {hasProblem(problems, at + index) && <em>{t('blocks.problem')}</em>}
        </button>
        <BlockLockIcon block={block.id} />
        <BlockActions id={id} name={name} work={work} locked={locked} />
      </div>
      {columns.map((column, columnIndex) => (
        <ol
          // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other key
          key={columnIndex}
        >
          <Items {...props} items={column.blocks} at={`${at}${index}.columns.${columnIndex}.blocks.`} />
        </ol>
      ))}
    </li>
  )
})

function handleKey(event: KeyboardEvent, id: string, work: CanvasActions): void {
  if (event.key === 'Delete') {
    work.remove(id)
    event.preventDefault()
  } else handleShortcut(event, id, work)
}
