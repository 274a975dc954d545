import { type RefObject, useEffect, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import { useOnCanvas } from './use-on-canvas.ts'

/**
 * Keeps Puck's keys where they belong: it listens on the whole page, so that undoing in the field of a title would undo
 * a block as well. And brings copying and pasting to the canvas, which is a window of its own.
 * @returns where the editor is
 */
export function useCanvasKeys(work: CanvasWork): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  const latest = useLatest(work)

  useEffect(() => {
    // Between React, which listens below it, and Puck, which listens above.
    const hold = (event: KeyboardEvent) => {
      if (!/^(?:z|y|delete|backspace)$/i.test(event.key)) return
      const target = event.target as HTMLElement
      const removes = /^(?:delete|backspace)$/i.test(event.key)
      const typing = target.closest('input, textarea, select, [contenteditable="true"]') !== null
      const ours = target === document.body || place.current?.contains(target)
      if (removes || typing || !ours) event.stopPropagation()
    }
    document.body.addEventListener('keydown', hold)
    return () => document.body.removeEventListener('keydown', hold)
  }, [])

  useOnCanvas(place, (page, signal) => {
    page.addEventListener('copy', (event) => latest.current.onCopy(event as never), { signal })
    page.addEventListener('paste', (event) => latest.current.onPaste(event as never), { signal })
  })
  return place
}
