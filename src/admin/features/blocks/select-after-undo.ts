import { useGetPuck } from '@puckeditor/core'
import { type RefObject, useEffect } from 'react'
import { scrollToBlock } from './canvas-events.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/**
 * After undo or redo, selects the first block of the page that came back, or else the one that was selected before.
 * If that is gone, Puck's choice stays: the block that was selected at that step, which may be far away.
 * @param onUndo set to the function to call just before undo or redo changes the blocks
 */
export function useSelectionAfterUndo(
  onUndo: RefObject<() => void>,
  actions: CanvasActions,
  root: RefObject<HTMLElement | null>,
): void {
  const getPuck = useGetPuck()
  useEffect(() => {
    const selectedId = () => getPuck().selectedItem?.props.id as string | undefined
    const pageIds = () => getPuck().appState.data.content.map(({ props }) => props.id as string)
    onUndo.current = () => {
      const idsBefore = pageIds()
      const selectedBefore = selectedId()
      queueMicrotask(() => {
        const restoredId = pageIds().find((id) => !idsBefore.includes(id))
        const stillExists = selectedBefore !== undefined && actions.blockOf(selectedBefore)
        const id = restoredId ?? (stillExists ? selectedBefore : selectedId())
        if (id === undefined) return
        actions.select(id)
        scrollToBlock(() => root.current?.querySelector('iframe')?.contentDocument, id)
      })
    }
  }, [onUndo, actions, root, getPuck])
}
