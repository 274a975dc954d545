import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n.ts'
import { IconButton } from './buttons.tsx'
import styles from './sortable-list.module.css'

interface SortableListProps<Item> {
  items: readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  /**
   * Called with the old and the new index of the moved item, which are equal after a drag that was only horizontal.
   * @param inlineOffset the horizontal drag distance in pixels, positive towards the inline end; 0 by keyboard
   */
  onMove: (fromIndex: number, toIndex: number, inlineOffset: number) => void
  /** Handles other keys than the arrows up and down on the drag handle. @returns whether the key was handled */
  onKey?: (event: KeyboardEvent, index: number) => boolean
  /** Announced to screen readers when it changes, after a move of which the new position does not say everything. */
  announcement?: string
  /** The indentation of an item, in levels from 0. */
  depthOf?: (item: Item) => number
  label: string
  children: (item: Item, index: number) => ReactNode
}

/**
 * A list that is reordered by dragging, by arrow keys on the drag handles and by buttons. Moves are announced to screen
 * readers.
 */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { items, keyOf, nameOf, onMove, onKey, label, announcement: callerAnnouncement } = props
  const t = useText()
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [movedKey, setMovedKey] = useState<string>()
  useEffect(() => {
    if (callerAnnouncement) setAnnouncement(callerAnnouncement)
  }, [callerAnnouncement])
  // Focuses the handle of the moved item.
  useEffect(() => {
    if (movedKey === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(movedKey)}"] [data-handle]`)?.focus()
    setMovedKey(undefined)
  }, [movedKey])

  const move = (fromIndex: number, toIndex: number, inlineOffset = 0) => {
    const item = items[fromIndex]
    if (!item || toIndex < 0 || toIndex >= items.length) return
    onMove(fromIndex, toIndex, inlineOffset)
    if (fromIndex === toIndex) return
    setAnnouncement(t('config.sort.moved', { name: nameOf(item), at: toIndex + 1, of: items.length }))
  }
  const handleKey = (event: KeyboardEvent, index: number) => {
    const item = items[index]
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0
    if (!item || (step === 0 && !onKey?.(event, index))) return
    event.preventDefault()
    if (step !== 0) move(index, index + step)
    setMovedKey(keyOf(item))
  }
  return (
    <DragDropProvider
      sensors={[PointerSensor]}
      // Without the library's announcements: this list announces moves below. A plugin with options is an object.
      plugins={(defaults) => defaults.filter((p) => ('plugin' in p ? p.plugin : p) !== Accessibility)}
      onDragEnd={({ canceled, operation: { source, transform } }) => {
        if (canceled || !isSortable(source)) return
        const inlineDirection = document.documentElement.dir === 'rtl' ? -1 : 1
        move(source.initialIndex, source.index, transform.x * inlineDirection)
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
            onKeyDown={(event) => handleKey(event, index)}
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
