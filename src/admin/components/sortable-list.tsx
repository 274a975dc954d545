import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n.ts'
import { IconButton } from './buttons.tsx'
import styles from './sortable-list.module.css'

interface Sorted<Item> {
  items: readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** @param sideways the horizontal drag distance in pixels; positive towards the inline end */
  onMove: (from: number, to: number, sideways: number) => void
  /** Extra keys of the drag handle. @returns whether the key was handled */
  onKey?: (event: KeyboardEvent, index: number) => boolean
  /** Announced instead of the new position, when a move changes more than that. */
  announcement?: string
  depthOf?: (item: Item) => number
  label: string
  children: (item: Item, index: number) => ReactNode
}

/**
 * A list that is reordered by dragging, by arrow keys on the drag handles and by buttons. Moves are announced to screen
 * readers.
 */
export function SortableList<Item>(props: Sorted<Item>) {
  const { items, keyOf, nameOf, onMove, onKey, label, announcement: announced } = props
  const t = useText()
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [moved, setMoved] = useState<string>()
  useEffect(() => {
    if (announced) setAnnouncement(announced)
  }, [announced])
  // The focus follows the moved item.
  useEffect(() => {
    if (moved === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(moved)}"] [data-handle]`)?.focus()
    setMoved(undefined)
  }, [moved])

  const move = (from: number, to: number, sideways = 0) => {
    const item = items[from]
    if (!item || to < 0 || to >= items.length) return
    onMove(from, to, sideways)
    if (from !== to) setAnnouncement(t('config.sort.moved', { name: nameOf(item), at: to + 1, of: items.length }))
  }
  const press = (event: KeyboardEvent, index: number) => {
    const item = items[index]
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!item || (step === 0 && !onKey?.(event, index))) return
    event.preventDefault()
    if (step !== 0) move(index, index + step)
    setMoved(keyOf(item))
  }
  return (
    <DragDropProvider
      sensors={[PointerSensor]}
      // This list announces its moves itself, below. The visual editor configures the plugin for its canvas.
      plugins={(defaults) => defaults.filter((one) => ('plugin' in one ? one.plugin : one) !== Accessibility)}
      onDragEnd={({ canceled, operation: { source, transform } }) => {
        if (canceled || !isSortable(source)) return
        const turned = document.documentElement.dir === 'rtl' ? -1 : 1
        move(source.initialIndex, source.index, transform.x * turned)
      }}
    >
      <ul ref={list} className={styles.list} aria-label={label}>
        {items.map((item, index) => (
          <Row
            key={keyOf(item)}
            id={keyOf(item)}
            index={index}
            count={items.length}
            depth={props.depthOf?.(item) ?? 0}
            name={nameOf(item)}
            onKeyDown={(event) => press(event, index)}
            onStep={(step) => move(index, index + step)}
          >
            {props.children(item, index)}
          </Row>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </DragDropProvider>
  )
}

function Row(props: {
  id: string
  index: number
  count: number
  depth: number
  name: string
  onKeyDown: (event: KeyboardEvent) => void
  onStep: (step: -1 | 1) => void
  children: ReactNode
}) {
  const { id, index, count, depth, name, onKeyDown, onStep, children } = props
  const t = useText()
  const { ref, handleRef, isDragSource } = useSortable({ id, index })
  return (
    <li
      ref={ref}
      className={styles.row}
      style={{ '--depth': depth } as CSSProperties}
      data-key={id}
      data-dragged={isDragSource || undefined}
    >
      <div className={styles.moves}>
        <button
          ref={handleRef}
          type="button"
          data-handle
          className={styles.handle}
          aria-label={t('config.sort.move', { name })}
          title={t('config.sort.moveHelp')}
          aria-keyshortcuts="ArrowUp ArrowDown"
          onKeyDown={onKeyDown}
        >
          <GripVertical size={20} />
        </button>
        <IconButton
          label={t('config.sort.up', { name })}
          icon={<ChevronUp />}
          disabled={index === 0}
          onClick={() => onStep(-1)}
        />
        <IconButton
          label={t('config.sort.down', { name })}
          icon={<ChevronDown />}
          disabled={index === count - 1}
          onClick={() => onStep(1)}
        />
      </div>
      <div className={styles.content}>{children}</div>
    </li>
  )
}
