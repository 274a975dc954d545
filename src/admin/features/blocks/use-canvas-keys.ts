import { type RefObject, useEffect, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import type { CanvasWork } from './use-canvas-work.ts'

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

  useEffect(() => {
    const frame = place.current?.querySelector('iframe')
    const onCopy = (event: ClipboardEvent) => latest.current.onCopy(event as never)
    const onPaste = (event: ClipboardEvent) => latest.current.onPaste(event as never)
    let page: Document | undefined
    const listen = () => {
      page?.removeEventListener('copy', onCopy)
      page?.removeEventListener('paste', onPaste)
      page = frame?.contentDocument ?? undefined
      page?.addEventListener('copy', onCopy)
      page?.addEventListener('paste', onPaste)
    }
    listen()
    frame?.addEventListener('load', listen)
    return () => {
      frame?.removeEventListener('load', listen)
      page?.removeEventListener('copy', onCopy)
      page?.removeEventListener('paste', onPaste)
    }
  }, [latest])
  return place
}
