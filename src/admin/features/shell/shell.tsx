import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatches, useRouteContext } from '@tanstack/react-router'
import { ExternalLink, LogOut, Menu, Monitor, Moon, Search, Sun, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { roleName } from '../../../contract/rights.ts'
import { onReauthenticate, type ReauthenticateReason } from '../../client.ts'
import { numberText } from '../../components/dates.tsx'
import { ConfirmationDialogs } from '../../components/dialog.tsx'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { hideFormNotifications } from '../../components/notify.tsx'
import { problemsQuery } from '../../components/states.tsx'
import { useLocale, useText, withTexts } from '../../i18n.ts'
import { useSitePath } from '../../site-languages.ts'
import { signOut, useMe } from '../sign-in/me.ts'
import { mayOpen, screens } from './screens.ts'
import styles from './shell.module.css'

const importPalette = withTexts(['config'], () => import('../palette/palette.tsx'))
const Palette = lazyPart(async () => (await importPalette()).default)

/** The layout around screens: navigation, the user's account, and dialogs. A full-window screen has dialogs only. */
export function Shell() {
  const t = useText()
  const { initialData } = useRouteContext({ from: '__root__' })
  const { pathname } = useLocation()
  const fullWindow = useMatches({ select: (matches) => matches.at(-1)?.staticData.fullWindow === true })
  const [menuOpen, setMenuOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const main = useFocusOnNavigation(pathname)
  const openPalette = () => void openWhenLoaded(Palette, () => setPaletteOpen(true))
  useHotkeys(
    [
      ['mod+K', openPalette],
      ['Escape', () => setMenuOpen(false), { preventDefault: false }],
    ],
    // Also in form fields, where Mantine ignores hotkeys by default.
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after navigation
  useEffect(() => {
    // The menu of small screens.
    setMenuOpen(false)
    hideFormNotifications()
  }, [pathname])
  const logoAndName = (
    <a className={styles.lockup} href={useSitePath('/')}>
      <img src={initialData.logoUrl} alt="" width={36} height={36} />
      <span>{initialData.brand}</span>
    </a>
  )
  return (
    <div className={styles.shell} data-full-window={fullWindow || undefined}>
      {!fullWindow && (
        <>
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
              {menuOpen ? <X size={24} /> : <Menu size={24} />}
            </button>
            {logoAndName}
            <button type="button" className={styles.icon} onClick={openPalette} aria-label={t('palette.open')}>
              <Search size={24} />
            </button>
          </header>
          <section id="menu" className={styles.side} data-open={menuOpen || undefined} aria-label={t('shell.menu')}>
            <div className={styles.top}>{logoAndName}</div>
            <button
              type="button"
              className={styles.find}
              onClick={openPalette}
              title={t('palette.open')}
              aria-keyshortcuts="Control+K Meta+K"
            >
              <Search />
              <span>{t('palette.find')}</span>
              <kbd dir="ltr" aria-hidden>
                {isApple() ? '⌘ K' : 'Ctrl K'}
              </kbd>
            </button>
            <Navigation />
          </section>
        </>
      )}
      <main id="inhoud" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <ConfirmationDialogs />
      <ReauthenticationPrompt />
      {paletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}

/** Moves the focus to the start of the screen after navigation, as on a page load. @returns the ref of that element */
function useFocusOnNavigation(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

function Navigation() {
  const t = useText()
  const me = useMe()
  const role = me.user_role ?? me.role
  return (
    <>
      <nav aria-label={t('shell.navigation')} className={styles.links}>
        <ul>
          {screens
            .filter((screen) => mayOpen(me, screen))
            .map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/user', includeSearch: false }}>
                  <Icon size={20} />
                  {t(label)}
                  {to === '/admin/health' && <FailedCheckCount />}
                </Link>
              </li>
            ))}
          <li>
            <a href={useSitePath('/')}>
              <ExternalLink size={20} />
              {t('shell.website')}
            </a>
          </li>
        </ul>
      </nav>
      <div className={styles.foot}>
        <Link to="/admin/profile" className={styles.me}>
          <span className={styles.initials} aria-hidden>
            {initialsOf(me.name)}
          </span>
          <span>
            <bdi>{me.name}</bdi>
            <small>
              <span className="visually-hidden">{t('profile.title')}: </span>
              <bdi>{roleName(role, t)}</bdi>
            </small>
          </span>
        </Link>
        <div className={styles.tools}>
          <SchemeChoice />
          <button type="button" onClick={() => signOut()}>
            <LogOut className="flip-in-rtl" />
            {t('shell.signOut')}
          </button>
        </div>
      </div>
    </>
  )
}

/** The number of health checks that failed in the last run, beside the menu item. */
function FailedCheckCount() {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(problemsQuery)
  const count = data?.lines?.filter(({ outcome }) => outcome === 'failed').length ?? 0
  if (count === 0) return null
  return (
    <>
      <span className={styles.mark} aria-hidden>
        {numberText(count, locale)}
      </span>
      <span className="visually-hidden">({t('shell.healthFailed', { count })})</span>
    </>
  )
}

/** The first letters of the first and the last word. U+200C keeps Persian letters from joining. */
const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('\u200c')
}

const schemes = [
  { value: 'light', label: 'shell.light', icon: Sun },
  { value: 'dark', label: 'shell.dark', icon: Moon },
  { value: 'auto', label: 'shell.system', icon: Monitor },
] as const satisfies { value: MantineColorScheme; label: string; icon: typeof Sun }[]

/** Light, dark, or the system's colour scheme. */
function SchemeChoice() {
  const t = useText()
  const name = useId()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={styles.schemes}>
      <legend className="visually-hidden">{t('shell.scheme')}</legend>
      {schemes.map(({ value, label, icon: Icon }) => (
        <label key={value} title={t(label)}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon />
          <span className="visually-hidden">{t(label)}</span>
        </label>
      ))}
    </fieldset>
  )
}

const ReauthenticationDialog = lazyPart(async () => (await import('../sign-in/reauthentication-dialog.tsx')).default)

interface OpenPrompt {
  reason: ReauthenticateReason
  /** Closes the dialog, with whether the user is signed in again. */
  done: (isSignedIn: boolean) => void
}

/**
 * Asks for the password when a session has ended or a sensitive action requires it. Requests that wait at the same time
 * share one dialog.
 */
function ReauthenticationPrompt() {
  const [prompt, setPrompt] = useState<OpenPrompt>()
  useEffect(() => {
    let pending: Promise<boolean> | undefined
    return onReauthenticate((reason) => {
      pending ??= new Promise<boolean>((resolve) => {
        const done = (isSignedIn: boolean) => {
          pending = undefined
          setPrompt(undefined)
          resolve(isSignedIn)
        }
        // If the dialog cannot be loaded, the original error is reported.
        ReauthenticationDialog.load().then(
          () => setPrompt({ reason, done }),
          () => done(false),
        )
      })
      return pending
    })
  }, [])
  return prompt ? <ReauthenticationDialog {...prompt} /> : null
}
