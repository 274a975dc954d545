/**
 * A submenu of the desktop menu: sets aria-expanded, closes on Escape until the pointer or focus has left, and opens
 * nested submenus on the side where there is room.
 */
export function enhanceSubmenu(drop: HTMLElement): void {
  const opener = drop.firstElementChild as HTMLElement
  const list = opener.nextElementSibling as HTMLElement
  const update = () => {
    opener.ariaExpanded = String(drop.matches(':is(:hover, :focus-within):not(.closed)'))
  }
  const open = () => {
    drop.classList.add('end')
    const { left, right } = list.getBoundingClientRect()
    drop.classList.toggle('end', left >= 0 && right <= document.documentElement.clientWidth)
    update()
  }
  const leave = () => {
    if (!drop.matches(':hover, :focus-within')) drop.classList.remove('closed')
    update()
  }
  update()
  drop.addEventListener('pointerenter', open)
  drop.addEventListener('focusin', open)
  drop.addEventListener('pointerleave', leave)
  // The focus moves after this event.
  drop.addEventListener('focusout', () => setTimeout(leave))
  document.addEventListener('keydown', (event) => {
    const isInnermost = !drop.querySelector(':scope .drop > [aria-expanded=true]')
    if (event.key !== 'Escape' || event.defaultPrevented || opener.ariaExpanded !== 'true' || !isInnermost) return
    event.preventDefault()
    if (drop.contains(document.activeElement)) opener.focus()
    drop.classList.add('closed')
    update()
  })
}
