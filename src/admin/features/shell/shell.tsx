import { useHotkeys } from '@mantine/hooks'
import { Outlet, useLocation, useRouteContext } from '@tanstack/react-router'
import { Menu, Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Questions } from '../../components/ask.tsx'
import { later, openWhenHere } from '../../components/later.tsx'
import { useText, withTexts } from '../../i18n.ts'
import { AskAgain } from '../sign-in/ask-again.tsx'
import { Navigation } from './navigation.tsx'
import styles from './shell.module.css'

const bringPalette = withTexts(['config'], () => import('../palette/palette.tsx'))
const Palette = later(async () => (await bringPalette()).default)

/** What stands around every screen: the way to all others, and who is there. */
export function Shell() {
  const t = useText()
  const { start } = useRouteContext({ from: '__root__' })
  const { pathname } = useLocation()
  const [menuOpen, setMenuOpen] = useState(false)
  const [finding, setFinding] = useState(false)
  const main = useFocusOnArrival(pathname)
  const find = () => void openWhenHere(Palette, () => setFinding(true))
  useHotkeys(
    [
      ['mod+K', find],
      ['Escape', () => setMenuOpen(false), { preventDefault: false }],
    ],
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of small screens closes on arrival
  useEffect(() => setMenuOpen(false), [pathname])

  const lockup = (
    <a className={styles.lockup} href="/">
      <img src={start.logoUrl} alt="" width={36} height={36} />
      <span>{start.brand}</span>
    </a>
  )
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#inhoud">
        {t('shell.skip')}
      </a>
      <header className={styles.bar}>
        <button
          type="button"
          className={styles.icon}
          aria-expanded={menuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!menuOpen)}
          aria-label={t(menuOpen ? 'shell.closeMenu' : 'shell.openMenu')}
        >
          {menuOpen ? <X aria-hidden /> : <Menu aria-hidden />}
        </button>
        {lockup}
        <button type="button" className={styles.icon} onClick={find} aria-label={t('palette.open')}>
          <Search aria-hidden />
        </button>
      </header>
      <section id="menu" className={styles.side} data-open={menuOpen || undefined} aria-label={t('shell.menu')}>
        <div className={styles.top}>{lockup}</div>
        <button
          type="button"
          className={styles.find}
          onClick={find}
          title={t('palette.open')}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Search size={18} aria-hidden />
          <span>{t('palette.find')}</span>
          <kbd dir="ltr" aria-hidden>
            {isApple() ? '⌘ K' : 'Ctrl K'}
          </kbd>
        </button>
        <Navigation />
      </section>
      <main id="inhoud" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Questions />
      <AskAgain />
      {finding && <Palette onClose={() => setFinding(false)} />}
    </div>
  )
}

/** On another screen the focus goes to its beginning, as it would on another page. */
function useFocusOnArrival(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)
