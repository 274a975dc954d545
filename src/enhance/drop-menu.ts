/** A submenu of the wide menu: tells whether it is open, and closes on Escape until the pointer or the focus has left. */
export function dropMenu(drop: HTMLElement): void {
  const link = drop.firstElementChild as HTMLElement
  const tell = () => {
    link.ariaExpanded = String(drop.matches(':is(:hover, :focus-within):not(.closed)'))
  }
  const leave = () => {
    if (!drop.matches(':hover, :focus-within')) drop.classList.remove('closed')
    tell()
  }
  tell()
  drop.addEventListener('pointerenter', tell)
  drop.addEventListener('focusin', tell)
  drop.addEventListener('pointerleave', leave)
  // The focus has moved only after this event.
  drop.addEventListener('focusout', () => setTimeout(leave))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || link.ariaExpanded !== 'true') return
    if (drop.contains(document.activeElement)) link.focus()
    drop.classList.add('closed')
    tell()
  })
}
