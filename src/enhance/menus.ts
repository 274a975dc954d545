/**
 * Opens and closes the mobile menu without changing the URL, the history or the scroll position; without JavaScript it
 * opens by its URL fragment. Escape closes it, and the rest of the page is inert while it is open.
 */
export function enhanceMobileMenu(): void {
  const menu = document.getElementById('menu')
  const bar = menu?.parentElement
  const [opener, closer] = document.querySelectorAll<HTMLAnchorElement>('.burger')
  if (!menu || !bar || !opener || !closer) return
  const outside = document.querySelectorAll<HTMLElement>('.skip, .strip, .bar > .wrap, main, .foot')
  const isOpen = () => bar.dataset.menu === 'open'

  const setOpen = (open: boolean) => {
    bar.dataset.menu = open ? 'open' : 'closed'
    opener.ariaExpanded = String(open)
    for (const element of outside) element.inert = open
  }
  const setOpenAndFocus = (open: boolean) => {
    setOpen(open)
    ;(open ? closer : opener).focus({ preventScroll: true })
  }

  for (const button of [opener, closer]) {
    button.role = 'button'
    button.addEventListener('click', (event) => {
      event.preventDefault()
      setOpenAndFocus(button === opener)
    })
    // A link with the role of a button must react to the space bar too.
    button.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return
      event.preventDefault()
      button.click()
    })
  }
  opener.setAttribute('aria-controls', 'menu')
  menu.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) setOpen(false)
  })
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isOpen()) setOpenAndFocus(false)
  })
  // A wide screen has no mobile menu.
  addEventListener('resize', () => {
    if (isOpen() && !menu.checkVisibility()) setOpen(false)
  })

  const openedByFragment = location.hash === '#menu'
  // The visibility of the buttons, not of the menu: the browser may not have applied `:target` yet.
  setOpen(openedByFragment && (opener.checkVisibility() || closer.checkVisibility()))
  if (openedByFragment) history.replaceState(null, '', location.pathname + location.search)
}

/**
 * Enhances a submenu of the desktop menu, which CSS opens on hover and focus: sets aria-expanded, closes it on Escape
 * until the pointer and focus have left, and opens it on the side where there is room.
 */
export function enhanceSubmenu(submenu: HTMLElement): void {
  const opener = submenu.firstElementChild as HTMLElement
  const list = opener.nextElementSibling as HTMLElement
  const updateExpanded = () => {
    opener.ariaExpanded = String(submenu.matches(':is(:hover, :focus-within):not(.closed)'))
  }
  const open = () => {
    // Measured with `end`, which stays only if the list then fits in the window.
    submenu.classList.add('end')
    const { left, right } = list.getBoundingClientRect()
    submenu.classList.toggle('end', left >= 0 && right <= document.documentElement.clientWidth)
    updateExpanded()
  }
  const leave = () => {
    if (!submenu.matches(':hover, :focus-within')) submenu.classList.remove('closed')
    updateExpanded()
  }
  updateExpanded()
  submenu.addEventListener('pointerenter', open)
  submenu.addEventListener('focusin', open)
  submenu.addEventListener('pointerleave', leave)
  // The next element gets the focus after this event.
  submenu.addEventListener('focusout', () => setTimeout(leave))
  document.addEventListener('keydown', (event) => {
    const isInnermost = !submenu.querySelector(':scope .submenu > [aria-expanded=true]')
    if (event.key !== 'Escape' || event.defaultPrevented || opener.ariaExpanded !== 'true' || !isInnermost) return
    event.preventDefault()
    if (submenu.contains(document.activeElement)) opener.focus()
    submenu.classList.add('closed')
    updateExpanded()
  })
}
