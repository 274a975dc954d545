import { useGetPuck } from '@puckeditor/core'
import { type RefObject, useEffect } from 'react'
import { scrollToBlock } from './canvas-events.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/**
 * After undo or redo, selects the block that came back, or else the one that was selected. Puck selects the block that
 * was selected at that step, which may be far away.
 * @param onUndo gets the function to call just before the blocks change
 */
export function useSelectionAfterUndo(
  onUndo: RefObject<() => void>,
  work: CanvasActions,
  root: RefObject<HTMLElement | null>,
): void {
  const get = useGetPuck()
  useEffect(() => {
    const selected = () => get().selectedItem?.props.id as string | undefined
    const ids = () => get().appState.data.content.map(({ props }) => props.id as string)
    onUndo.current = () => {
      const before = { ids: ids(), selected: selected() }
      queueMicrotask(() => {
        const back = ids().find((id) => !before.ids.includes(id))
        const stays = before.selected !== undefined && work.blockOf(before.selected) ? before.selected : selected()
        const id = back ?? stays
        if (id === undefined) return
        work.choose(id)
        scrollToBlock(() => root.current?.querySelector('iframe')?.contentDocument, id)
      })
    }
  }, [onUndo, work, root, get])
}
