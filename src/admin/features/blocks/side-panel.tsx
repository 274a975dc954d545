import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ComponentData, createUsePuck } from '@puckeditor/core'
import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
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
 * Which of the two panels are open: remembered in this browser where both fit beside the page, and at most one at a time
 * below the page on a narrow screen.
 */
export function usePanels() {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const defaultOutline = () => (matchMedia('(min-width: 75em)').matches ? 'open' : 'folded')
  const [outline, setOutline] = useRemembered('etalage.editor.outline', ['open', 'folded'], defaultOutline)
  const [fields, setFields] = useRemembered('etalage.editor.fields', ['open', 'folded'], () => 'open')
  const [openBelow, setOpenBelow] = useState<PanelName>()
  const isOpen = isWide
    ? { outline: outline === 'open', fields: fields === 'open' }
    : { outline: openBelow === 'outline', fields: openBelow === 'fields' }
  const set = (name: PanelName, open: boolean) => {
    if (!isWide) setOpenBelow(open ? name : undefined)
    else if (name === 'outline') setOutline(open ? 'open' : 'folded')
    else setFields(open ? 'open' : 'folded')
  }
  return { isOpen, set }
}

/** A panel beside the page that collapses to a button. */
export function SidePanel(props: {
  name: PanelName
  panels: ReturnType<typeof usePanels>
  panelRef?: RefObject<HTMLElement | null>
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  /** Rendered before the button that collapses the panel. */
  head: ReactNode
  children: ReactNode
}) {
  const { name, panels, panelRef, onKeyDown, head, children } = props
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
      onKeyDown={onKeyDown}
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
 * @param props.formFocus moves the focus to the form of a block that is clicked
 * @param props.onEmptied called after the last block was removed
 */
export function BlockOverview(props: {
  actions: CanvasActions
  selectedItem: ComponentData | null
  locale: Locale
  problems: Problems
  formFocus: FormFocusRef
  onEmptied: () => void
}) {
  const { actions, selectedItem, locale, problems, formFocus, onEmptied } = props
  const t = useText()
  const root = useRef<HTMLOListElement>(null)
  const content = usePuck((puck) => puck.appState.data.content)
  const latestOnEmptied = useLatest(onEmptied)
  const overviewActions = useMemo(() => {
    const nameButtons = () => [...(root.current?.querySelectorAll<HTMLElement>('[data-name-of]') ?? [])]
    return {
      ...actions,
      /** Also moves the focus to the next block, for keyboard users. */
      remove(id: string) {
        const index = nameButtons().findIndex((button) => button.dataset.nameOf === id)
        actions.remove(id)
        requestAnimationFrame(() => {
          const remaining = nameButtons()
          const next = remaining[Math.min(index, remaining.length - 1)]
          if (next) next.focus()
          else latestOnEmptied.current()
        })
      },
    }
  }, [actions, latestOnEmptied])
  if (content.length === 0) return <p className="quiet flush">{t('blocks.visual.none')}</p>
  return (
    <ol className={styles.all} ref={root}>
      <Items
        items={content as ComponentData[]}
        pathPrefix=""
        actions={overviewActions}
        selectedId={selectedItem?.props.id as string | undefined}
        {...{ locale, problems, formFocus }}
      />
    </ol>
  )
}

type FormFocusRef = RefObject<{ expect: () => void; open: () => void }>

interface ItemsProps {
  items: ComponentData[]
  /** The start of the items' error paths: empty for the page, `2.columns.0.blocks.` in a column. */
  pathPrefix: string
  actions: CanvasActions
  selectedId: string | undefined
  locale: Locale
  problems: Problems
  formFocus: FormFocusRef
}

/** The blocks of one list, in the page or in a column. */
function Items({ items, ...itemProps }: ItemsProps) {
  const { actions } = itemProps
  return (
    <SortableRows
      onMove={(from, to) => {
        const item = items[from]
        if (item) actions.move(item.props.id as string, to - from)
      }}
    >
      {items.map((item, index) => (
        <Item key={item.props.id as string} {...itemProps} item={item} index={index} />
      ))}
    </SortableRows>
  )
}

/** Memoised, so that a keystroke renders only the item of its own block again. */
const Item = memo((props: Omit<ItemsProps, 'items'> & { item: ComponentData; index: number }) => {
  const { item, index, pathPrefix, actions, selectedId, locale, problems, formFocus } = props
  const t = useText()
  const uiLocale = useLocale()
  const fill = useFillPlaceholders(locale)
  const block = fromItem(item)
  useSectionNames([block])
  const id = item.props.id as string
  const name = blockName(item.type, uiLocale)
  const isSelected = selectedId === id
  const isInvalid = hasProblem(problems, pathPrefix + index)
  const columns = (item.type === 'columns' ? item.props.columns : []) as { blocks: ComponentData[] }[]
  const locked = actions.isLocked(id)
  const { ref, handle, isDragSource } = useSortableRow(id, index, locked)
  return (
    <li ref={ref} data-wrong={isInvalid || undefined} data-dragged={isDragSource || undefined}>
      <div className={styles.item} data-chosen={isSelected || undefined}>
        {handle}
        <button
          type="button"
          data-name-of={id}
          aria-current={isSelected || undefined}
          aria-keyshortcuts={locked ? 'Enter' : 'Alt+ArrowUp Alt+ArrowDown Delete Enter'}
          onFocus={() => actions.select(id)}
          onClick={() => {
            formFocus.current.expect()
            // Not only on focus: Safari does not focus a button that is clicked.
            actions.select(id)
            formFocus.current.open()
          }}
          onKeyDown={(event) => !locked && handleBlockKey(event, id, actions)}
        >
          <strong>{name}</strong>
          <span dir={useContentDirection(locale)} lang={locale}>
            {summaryOf(block, fill)}
          </span>
          {isInvalid && <em>{t('blocks.problem')}</em>}
        </button>
        <BlockLockIcon block={block.id} />
        <BlockActions id={id} name={name} actions={actions} locked={locked} />
      </div>
      {columns.map((column, columnIndex) => (
        <ol
          // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other key
          key={columnIndex}
        >
          <Items {...props} items={column.blocks} pathPrefix={`${pathPrefix}${index}.columns.${columnIndex}.blocks.`} />
        </ol>
      ))}
    </li>
  )
})

/** Deletes, moves or duplicates a block by the keys that its menu shows. */
export function handleBlockKey(event: KeyboardEvent, id: string, actions: CanvasActions): void {
  if (event.key === 'Delete') {
    actions.remove(id)
    event.preventDefault()
  } else handleShortcut(event, id, actions)
}
