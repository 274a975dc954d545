import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './blocks.module.css'

/** Rows that are reordered by dragging their handles. For keyboard users the caller adds shortcuts. */
export function SortableRows({
  onMove,
  children,
}: {
  onMove: (from: number, to: number) => void
  children: ReactNode
}) {
  return (
    <DragDropProvider
      sensors={[PointerSensor]}
      // The accessibility plugin would make the handles focusable and describe them in English.
      plugins={(defaults) => defaults.filter((entry) => ('plugin' in entry ? entry.plugin : entry) !== Accessibility)}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (!canceled && isSortable(source) && source.initialIndex !== source.index) {
          onMove(source.initialIndex, source.index)
        }
      }}
    >
      {children}
    </DragDropProvider>
  )
}

/**
 * Makes a row of `SortableRows` draggable.
 * @param isFixed whether the row cannot be dragged
 * @returns the ref for the row, the handle to render in it, and whether the row is being dragged
 */
export function useSortableRow(id: string, index: number, isFixed: boolean) {
  const { ref, handleRef, isDragSource } = useSortable({ id, index, disabled: isFixed })
  // An empty handle keeps the names aligned with those of rows that can be dragged.
  const handle = isFixed ? (
    <span className={styles.handle} data-fixed aria-hidden />
  ) : (
    <span ref={handleRef} className={styles.handle} data-handle aria-hidden>
      <GripVertical />
    </span>
  )
  return { ref, handle, isDragSource }
}

/** A copy of a list with one item at another index. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
