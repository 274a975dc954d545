/**
 * Without JavaScript the mobile menu opens by its URL fragment. This opens and closes it without changing the URL, the
 * history or the scroll position. Escape closes it, and the focus is trapped while it is open.
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
  const toggle = (open: boolean) => {
    setOpen(open)
    ;(open ? closer : opener).focus({ preventScroll: true })
  }

  for (const button of [opener, closer]) {
    button.role = 'button'
    button.addEventListener('click', (event) => {
      event.preventDefault()
      toggle(button === opener)
    })
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
    if (key === 'Escape' && isOpen()) toggle(false)
  })
  // A wide screen has no mobile menu.
  addEventListener('resize', () => {
    if (isOpen() && !menu.checkVisibility()) setOpen(false)
  })

  const openedByFragment = location.hash === '#menu'
  // Not of the menu itself: the browser may not have gone to the fragment yet.
  setOpen(openedByFragment && (opener.checkVisibility() || closer.checkVisibility()))
  if (openedByFragment) history.replaceState(null, '', location.pathname + location.search)
}

/**
 * A submenu of the desktop menu: sets aria-expanded, closes on Escape until the pointer or focus has left, and opens
 * nested submenus on the side where there is room.
 */
export function enhanceSubmenu(submenu: HTMLElement): void {
  const opener = submenu.firstElementChild as HTMLElement
  const list = opener.nextElementSibling as HTMLElement
  const update = () => {
    opener.ariaExpanded = String(submenu.matches(':is(:hover, :focus-within):not(.closed)'))
  }
  const open = () => {
    submenu.classList.add('end')
    const { left, right } = list.getBoundingClientRect()
    submenu.classList.toggle('end', left >= 0 && right <= document.documentElement.clientWidth)
    update()
  }
  const leave = () => {
    if (!submenu.matches(':hover, :focus-within')) submenu.classList.remove('closed')
    update()
  }
  update()
  submenu.addEventListener('pointerenter', open)
  submenu.addEventListener('focusin', open)
  submenu.addEventListener('pointerleave', leave)
  // The focus moves after this event.
  submenu.addEventListener('focusout', () => setTimeout(leave))
  document.addEventListener('keydown', (event) => {
    const isInnermost = !submenu.querySelector(':scope .submenu > [aria-expanded=true]')
    if (event.key !== 'Escape' || event.defaultPrevented || opener.ariaExpanded !== 'true' || !isInnermost) return
    event.preventDefault()
    if (submenu.contains(document.activeElement)) opener.focus()
    submenu.classList.add('closed')
    update()
  })
}
