/** Enlarges the images of a gallery in a dialog, with buttons and arrow keys for the next one; Escape closes it. */
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
  const createButton = (label: string | undefined, className: string, onClick: () => void) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = className
    button.ariaLabel = label ?? ''
    button.addEventListener('click', onClick)
    return button
  }
  const show = (newIndex: number) => {
    // Wraps around in both directions.
    index = (newIndex + links.length) % links.length
    const link = links[index] as HTMLAnchorElement
    image.src = link.href
    image.alt = link.querySelector<HTMLImageElement>('img:not(.blurred)')?.alt ?? ''
    dialog.ariaLabel = link.ariaLabel
  }
  const { close, previous, next } = gallery.dataset
  dialog.append(
    image,
    createButton(close, 'close', () => dialog.close()),
  )
  if (links.length > 1) {
    dialog.append(
      createButton(previous, 'previous', () => show(index - 1)),
      createButton(next, 'next', () => show(index + 1)),
    )
  }
  dialog.addEventListener('keydown', ({ key }) => {
    const nextKey = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (links.length > 1 && /^Arrow(Left|Right)$/.test(key)) show(index + (key === nextKey ? 1 : -1))
  })
  // A click outside the image and the buttons.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  show(index)
  dialog.showModal()
}

/** Replaces the poster of a video by the platform's player on a click; for privacy nothing is requested before. */
export function playOnClick(link: HTMLAnchorElement): void {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const frame = document.createElement('iframe')
    frame.src = link.dataset.player ?? ''
    frame.title = link.querySelector('strong')?.textContent ?? ''
    frame.allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'
    link.replaceWith(frame)
    frame.focus()
  })
}
