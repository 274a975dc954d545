/**
 * The menu of small screens opens by its fragment, with or without this. Here it becomes a button that says whether it
 * is open, Escape closes it, and while it is open the keyboard stays in it.
 */
export function mobileMenu(): void {
  const menu = document.getElementById('menu')
  const [opener, closer] = document.querySelectorAll<HTMLAnchorElement>('.burger')
  if (!menu || !opener || !closer) return
  const around = document.querySelectorAll<HTMLElement>('.skip, .strip, .bar > .wrap, main, .foot')
  let open = false

  const sync = () => {
    const was = open
    open = menu.matches(':target') && menu.checkVisibility()
    opener.ariaExpanded = String(open)
    for (const element of around) element.inert = open
    if (open && !was) closer.focus()
  }
  const close = () => {
    location.replace(closer.hash)
    // The fragment has done its work and need not stay in the address.
    history.replaceState(null, '', location.pathname + location.search)
    sync()
    opener.focus()
  }

  for (const button of [opener, closer]) {
    button.role = 'button'
    button.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return
      event.preventDefault()
      button.click()
    })
  }
  opener.setAttribute('aria-controls', 'menu')
  closer.addEventListener('click', (event) => {
    event.preventDefault()
    close()
  })
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && open) close()
  })
  addEventListener('hashchange', sync)
  addEventListener('resize', sync)
  sync()
}
