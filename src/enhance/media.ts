/** Enlarges the images of a gallery in a dialog: arrow keys and buttons show the next one, Escape closes and restores focus. */
export function enlargeImages(gallery: HTMLElement): void {
  const links = [...gallery.querySelectorAll<HTMLAnchorElement>('a')]
  for (const [index, link] of links.entries()) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      openDialog(gallery, links, index)
    })
  }
}

function openDialog(gallery: HTMLElement, links: HTMLAnchorElement[], index: number): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'enlarged'
  const image = document.createElement('img')
  const button = (label: string | undefined, className: string, onClick: () => void) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.className = className
    made.ariaLabel = label ?? ''
    made.addEventListener('click', onClick)
    return made
  }
  const show = (to: number) => {
    index = (to + links.length) % links.length
    const link = links[index] as HTMLAnchorElement
    image.src = link.href
    image.alt = link.querySelector<HTMLImageElement>('img:not(.blurred)')?.alt ?? ''
    dialog.ariaLabel = link.ariaLabel
  }
  const { close, previous, next } = gallery.dataset
  dialog.append(
    image,
    button(close, 'close', () => dialog.close()),
  )
  if (links.length > 1) {
    dialog.append(
      button(previous, 'previous', () => show(index - 1)),
      button(next, 'next', () => show(index + 1)),
    )
  }
  dialog.addEventListener('keydown', ({ key }) => {
    const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (links.length > 1 && /^Arrow(Left|Right)$/.test(key)) show(index + (key === forward ? 1 : -1))
  })
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  show(index)
  dialog.showModal()
}

/** Replaces the still of a video by the platform's player, of which nothing is requested before the click. */
export function playOnClick(still: HTMLAnchorElement): void {
  still.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const frame = document.createElement('iframe')
    frame.src = still.dataset.player ?? ''
    frame.title = still.querySelector('strong')?.textContent ?? ''
    frame.allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'
    still.replaceWith(frame)
    frame.focus()
  })
}
