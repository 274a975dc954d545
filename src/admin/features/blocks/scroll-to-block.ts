/** What is pasted is drawn a few frames after it was chosen. */
const framesMost = 30

/**
 * Brings a block of the canvas into sight, unless most of what one looks at is of that block already.
 * @returns what stops it
 */
export function scrollToBlock(canvas: () => Document | null | undefined, id: string): () => void {
  let frame = 0
  const look = (left: number) => {
    frame = requestAnimationFrame(() => {
      const page = canvas()
      const block = page?.querySelector(`[data-puck-component="${CSS.escape(id)}"]`)
      if (block && page?.defaultView) intoSight(block, page.defaultView)
      else if (left > 0) look(left - 1)
    })
  }
  look(framesMost)
  return () => cancelAnimationFrame(frame)
}

function intoSight(block: Element, view: Window): void {
  const { top, bottom, height } = block.getBoundingClientRect()
  const room = view.innerHeight
  if ((top >= 0 && bottom <= room) || (top < room / 2 && bottom > room / 2)) return
  // Not `scrollIntoView`, which moves the screen around the canvas too. Whether it glides, the site's own styles say.
  view.scrollBy({ top: top - Math.max(room / 8, (room - height) / 2) })
}
