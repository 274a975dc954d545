import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './blocks.module.css'

/** Rows that are reordered by dragging their handles. For the same by keyboard, the caller adds shortcuts. */
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
      plugins={(defaults) => defaults.filter((one) => ('plugin' in one ? one.plugin : one) !== Accessibility)}
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
 * @param isFixed the row cannot be dragged
 * @returns the ref of the row, and its handle
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

/** Moves one item of a list to another index. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
