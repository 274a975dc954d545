import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { useLatest } from '../../components/latest.ts'
import { removeArrivingImages, showDroppedImage, uniquelyNamed } from '../files/local-images.ts'
import { useRight } from '../sign-in/me.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/**
 * Limits Puck's keyboard shortcuts to the editor: Puck listens on the whole page, so undo in the title field would also
 * undo a block. Handles copy, paste and clicks in the canvas's document, and forwards Ctrl+S from it to the page around it.
 * @param onClick called with each click, and the block that was clicked
 * @returns the ref for the editor's root element
 */
export function useCanvasEvents(
  work: CanvasActions,
  onClick: (event: MouseEvent, block: HTMLElement | null) => void,
): RefObject<HTMLElement | null> {
  const root = useRef<HTMLElement>(null)
  const latest = useLatest(work)
  const latestOnClick = useLatest(onClick)

  useEffect(() => {
    // On the body: after React's own handlers, which are below it, and before Puck's on the document.
    const suppressPuckShortcuts = (event: KeyboardEvent) => {
      if (!/^(?:z|y|delete|backspace)$/i.test(event.key)) return
      const target = event.target as HTMLElement
      const removes = /^(?:delete|backspace)$/i.test(event.key)
      const typing = target.closest('input, textarea, select, [contenteditable="true"]') !== null
      const ours =
        target === document.body || root.current?.contains(target) || target.closest('[role="toolbar"]') !== null
      if (removes || typing || !ours) event.stopPropagation()
    }
    document.body.addEventListener('keydown', suppressPuckShortcuts)
    return () => document.body.removeEventListener('keydown', suppressPuckShortcuts)
  }, [])

  useCanvasDocument(root, (page, signal) => {
    page.addEventListener('copy', (event) => latest.current.onCopy(event as never), { signal })
    page.addEventListener('paste', (event) => latest.current.onPaste(event as never), { signal })
    const onBlockClick = (event: MouseEvent) =>
      latestOnClick.current(event, (event.target as Element).closest<HTMLElement>('[data-puck-component]'))
    // In the capture phase: Puck stops the propagation of a click at its block.
    page.addEventListener('click', onBlockClick, { signal, capture: true })
    const forwardSave = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey } = event
      if (!(ctrlKey || metaKey) || key.toLowerCase() !== 's') return
      event.preventDefault()
      document.documentElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, bubbles: true }),
      )
    }
    page.addEventListener('keydown', forwardSave, { signal })
    const onBlockKey = (event: KeyboardEvent) => {
      // The focus is on the block itself, and not on a text in it.
      const id = (event.target as HTMLElement).dataset.puckComponent
      if (id === undefined || !handleShortcut(event, id, latest.current)) return
      // A duplicate is selected, which scrolls to it.
      if (event.altKey) scrollToBlock(() => page, id)
    }
    page.addEventListener('keydown', onBlockKey, { signal })
  })
  return root
}

/** Moves or duplicates a block by the keys that its menu shows. @returns whether it did */
export function handleShortcut(
  event: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'key' | 'preventDefault'>,
  id: string,
  work: CanvasActions,
): boolean {
  if (event.altKey && event.key === 'ArrowUp') work.move(id, -1)
  else if (event.altKey && event.key === 'ArrowDown') work.move(id, 1)
  else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') work.duplicate(id)
  else return false
  event.preventDefault()
  return true
}

export interface DroppedImages {
  images: readonly File[]
  /** The id of the block on which they were dropped. */
  block: string | undefined
}

/**
 * The images that were dropped on the canvas, in order; empty without the right to upload. The block on which one was
 * dropped shows it at once.
 * @param uploads the component that uploads them, loaded lazily
 */
export function useDroppedImages(
  root: RefObject<HTMLElement | null>,
  uploads: { load(): Promise<unknown> },
  choose: (block: string | undefined) => void,
): readonly DroppedImages[] {
  const latestChoose = useLatest(choose)
  const mayUpload = useRight('files.write')
  const [dropped, setDropped] = useState<readonly DroppedImages[]>([])
  useEffect(() => removeArrivingImages, [])
  useCanvasDocument(root, (page, signal) => {
    if (!mayUpload) return
    const onDragOver = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes('Files')) dataTransfer.dropEffect = 'copy'
    }
    const onDrop = ({ target, dataTransfer }: DragEvent) => {
      const block = (target as Element).closest<HTMLElement>('[data-puck-component]')?.dataset.puckComponent
      const files = [...(dataTransfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      const images = files.map(uniquelyNamed)
      const last = images.at(-1)
      if (!last) return
      // Now and not when the upload ends: the user may work on another block by then.
      latestChoose.current(block)
      if (block !== undefined) showDroppedImage(block, last)
      // The image is seen before the rest of the editor is rendered. The upload begins once its code is loaded.
      const upload = () => startTransition(() => setDropped((before) => [...before, { images, block }]))
      uploads.load().then(upload, upload)
    }
    page.addEventListener('dragover', onDragOver, { signal })
    page.addEventListener('drop', onDrop, { signal })
  })
  return dropped
}

/** Adds listeners to the canvas's document, which is a new one after each load of its frame. */
function useCanvasDocument(
  root: RefObject<HTMLElement | null>,
  listen: (page: Document, signal: AbortSignal) => void,
): void {
  const latest = useLatest(listen)
  useEffect(() => {
    const frame = root.current?.querySelector('iframe')
    let controller = new AbortController()
    const attach = () => {
      controller.abort()
      controller = new AbortController()
      if (frame?.contentDocument) latest.current(frame.contentDocument, controller.signal)
    }
    attach()
    frame?.addEventListener('load', attach)
    return () => {
      controller.abort()
      frame?.removeEventListener('load', attach)
    }
  }, [root, latest])
}

/** The document of the canvas that is shown. */
export const canvasDocument = (): Document | undefined =>
  document.querySelector<HTMLIFrameElement>('[data-page-field="body"] iframe')?.contentDocument ?? undefined

/** A pasted block is rendered some frames after it is selected. */
const maxFrames = 30

/**
 * Scrolls to a block of the canvas, or to the text that has the caret in it, unless it already fills most of the view. The
 * block gets the focus if the canvas has it and no element inside a block does.
 * @returns a function that cancels it
 */
export function scrollToBlock(canvas: () => Document | null | undefined, id: string): () => void {
  let frame = 0
  const tryScroll = (left: number) => {
    frame = requestAnimationFrame(() => {
      const page = canvas()
      const block = page?.querySelector(`[data-puck-component="${CSS.escape(id)}"]`)
      if (block && page?.defaultView) {
        scrollBlockIntoView(block.querySelector('[data-typed="now"]') ?? block, page.defaultView)
        if (page.hasFocus() && page.activeElement?.matches('body, [data-puck-component]')) focusBlockAt(block)
      } else if (left > 0) tryScroll(left - 1)
    })
  }
  tryScroll(maxFrames)
  return () => cancelAnimationFrame(frame)
}

/** Moves the focus to the block that an element of the canvas is in, or is. */
export const focusBlockAt = (element: Element): void =>
  element.closest<HTMLElement>('[data-puck-component]')?.focus({ preventScroll: true })

function scrollBlockIntoView(block: Element, view: Window): void {
  const { top, bottom, height } = block.getBoundingClientRect()
  const viewHeight = view.innerHeight
  if ((top >= 0 && bottom <= viewHeight) || (top < viewHeight / 2 && bottom > viewHeight / 2)) return
  // Not `scrollIntoView`, which also scrolls the page around the canvas. The site's styles decide on smooth scrolling.
  view.scrollBy({ top: top - Math.max(viewHeight / 8, (viewHeight - height) / 2) })
}
