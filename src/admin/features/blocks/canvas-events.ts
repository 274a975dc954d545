import { type RefObject, startTransition, useEffect, useState } from 'react'
import { useLatest } from '../../components/latest.ts'
import { removeUploadPreviews, renamePastedImage, showDroppedImage } from '../files/local-images.ts'
import { useRight } from '../sign-in/me.ts'
import type { CanvasActions } from './use-canvas-actions.ts'

/**
 * Limits Puck's keyboard shortcuts to the editor: Puck listens on the whole page, so undo in the title field would also
 * undo a block. Handles copy, paste and clicks in the canvas's document, and forwards Ctrl+S from it to the page around it.
 * @param root the editor's root element
 * @param onClick called with each click on the canvas, and the block that was clicked; null outside all blocks
 */
export function useCanvasEvents(
  root: RefObject<HTMLElement | null>,
  actions: CanvasActions,
  onClick: (event: MouseEvent, block: HTMLElement | null) => void,
): void {
  const latest = useLatest(actions)
  const latestOnClick = useLatest(onClick)

  useEffect(() => {
    // On the body: after React's own handlers, which are below it, and before Puck's on the document.
    const suppressPuckShortcuts = (event: KeyboardEvent) => {
      if (!/^(?:z|y|delete|backspace)$/i.test(event.key)) return
      const target = event.target as HTMLElement
      const isRemoval = /^(?:delete|backspace)$/i.test(event.key)
      const isTyping = target.closest('input, textarea, select, [contenteditable="true"]') !== null
      const isInEditor =
        target === document.body || root.current?.contains(target) || target.closest('[role="toolbar"]') !== null
      if (isRemoval || isTyping || !isInEditor) event.stopPropagation()
    }
    document.body.addEventListener('keydown', suppressPuckShortcuts)
    return () => document.body.removeEventListener('keydown', suppressPuckShortcuts)
  }, [root])

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
      // Undefined when the focus is on a text in the block, and not on the block itself.
      const id = (event.target as HTMLElement).dataset.puckComponent
      if (id === undefined || !handleShortcut(event, id, latest.current)) return
      // Alt moves the block. A duplicate is selected instead, which scrolls to it.
      if (event.altKey) scrollToBlock(() => page, id)
    }
    page.addEventListener('keydown', onBlockKey, { signal })
  })
}

/** Moves or duplicates a block by the keys that its menu shows. @returns whether the keys were a shortcut */
export function handleShortcut(
  event: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'key' | 'preventDefault'>,
  id: string,
  actions: CanvasActions,
): boolean {
  if (event.altKey && event.key === 'ArrowUp') actions.move(id, -1)
  else if (event.altKey && event.key === 'ArrowDown') actions.move(id, 1)
  else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') actions.duplicate(id)
  else return false
  event.preventDefault()
  return true
}

export interface DroppedImages {
  images: readonly File[]
  /** The id of the block on which they were dropped; undefined outside all blocks. */
  blockId: string | undefined
}

/**
 * The images that were dropped on the canvas, one item per drop; empty without the right to upload. The block on which
 * they were dropped is selected, and shows the last of them at once.
 * @param uploads the lazy component that uploads the images
 */
export function useDroppedImages(
  root: RefObject<HTMLElement | null>,
  uploads: { load(): Promise<unknown> },
  select: (blockId: string | undefined) => void,
): readonly DroppedImages[] {
  const latestSelect = useLatest(select)
  const mayUpload = useRight('files.write')
  const [dropped, setDropped] = useState<readonly DroppedImages[]>([])
  useEffect(() => removeUploadPreviews, [])
  useCanvasDocument(root, (page, signal) => {
    if (!mayUpload) return
    const onDragOver = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes('Files')) dataTransfer.dropEffect = 'copy'
    }
    const onDrop = ({ target, dataTransfer }: DragEvent) => {
      const blockId = (target as Element).closest<HTMLElement>('[data-puck-component]')?.dataset.puckComponent
      const files = [...(dataTransfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      const images = files.map(renamePastedImage)
      const lastImage = images.at(-1)
      if (!lastImage) return
      // Now and not when the upload ends: the user may work on another block by then.
      latestSelect.current(blockId)
      if (blockId !== undefined) showDroppedImage(blockId, lastImage)
      // In a transition, so that the image is seen before the rest of the editor is rendered again.
      const upload = () => startTransition(() => setDropped((drops) => [...drops, { images, blockId }]))
      uploads.load().then(upload, upload)
    }
    page.addEventListener('dragover', onDragOver, { signal })
    page.addEventListener('drop', onDrop, { signal })
  })
  return dropped
}

/** Calls `listen` with the canvas's document, and with the new one after each load of its frame. */
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

/** The document of the mounted canvas. */
export const canvasDocument = (): Document | undefined =>
  document.querySelector<HTMLIFrameElement>('[data-page-field="body"] iframe')?.contentDocument ?? undefined

/** A pasted block is rendered some frames after it is selected. */
const maxFrames = 30

/**
 * Scrolls to a block of the canvas, or to the text in it that has the caret, unless it is fully visible or crosses the
 * middle of the view. The block gets the focus if the canvas has the focus and no element inside a block does.
 * @returns a function that cancels the scrolling
 */
export function scrollToBlock(canvas: () => Document | null | undefined, id: string): () => void {
  let frameId = 0
  const tryScroll = (framesLeft: number) => {
    frameId = requestAnimationFrame(() => {
      const page = canvas()
      const block = page?.querySelector(`[data-puck-component="${CSS.escape(id)}"]`)
      if (block && page?.defaultView) {
        scrollElementIntoView(block.querySelector('[data-typed="now"]') ?? block, page.defaultView)
        if (page.hasFocus() && page.activeElement?.matches('body, [data-puck-component]')) focusBlockAt(block)
      } else if (framesLeft > 0) tryScroll(framesLeft - 1)
    })
  }
  tryScroll(maxFrames)
  return () => cancelAnimationFrame(frameId)
}

/** Moves the focus to the innermost block that contains, or is, an element of the canvas. */
export const focusBlockAt = (element: Element): void =>
  element.closest<HTMLElement>('[data-puck-component]')?.focus({ preventScroll: true })

function scrollElementIntoView(element: Element, view: Window): void {
  const { top, bottom, height } = element.getBoundingClientRect()
  const viewHeight = view.innerHeight
  const isFullyVisible = top >= 0 && bottom <= viewHeight
  const isAcrossMiddle = top < viewHeight / 2 && bottom > viewHeight / 2
  if (isFullyVisible || isAcrossMiddle) return
  // Not `scrollIntoView`, which also scrolls the page around the canvas. The site's styles decide on smooth scrolling.
  view.scrollBy({ top: top - Math.max(viewHeight / 8, (viewHeight - height) / 2) })
}
