import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { SiteParts } from '../../../contract/config-parts.ts'
import { type Locale, type SiteLanguages, splitLocale } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { useText } from '../../i18n.ts'
import { useFirstLocale, useSite, useSiteLanguages } from '../../site-languages.ts'
import styles from './config.module.css'
import { withRemovals } from './config.ts'

const widths = { phone: 390, desktop: 1280 } as const
type Width = keyof typeof widths

/** Renders the real site with the unsaved form values. Links in it open the linked page in the preview. */
export function Preview({
  parts,
  target,
}: {
  parts: Partial<SiteParts> | undefined
  target: PreviewTarget | undefined
}) {
  const t = useText()
  const languages = useSiteLanguages()
  const [width, setWidth] = useState<Width>('desktop')
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const [path, setPath] = useState('/')
  const [refused, setRefused] = useState(false)
  const { ref, width: availableWidth, height } = useElementSize()
  const [config] = useDebouncedValue(parts && JSON.stringify(withRemovals(parts)), 150, { leading: true })
  const follow = (to: FollowedLink) => {
    setPath(to.path)
    setLocale(to.locale)
  }
  const frames = useFrames({ config, path, locale, target, setRefused, follow })
  const scale = Math.min(1, (availableWidth || widths[width]) / widths[width])
  useEffect(() => {
    for (const frame of frames.current?.querySelectorAll('iframe') ?? [])
      scaleTo(frame, { width, scale, height, target })
  })
  useEffect(() => {
    const frame = frames.current?.querySelector<HTMLIFrameElement>(loadedFrame)
    if (frame) scrollToTarget(frame, target)
  }, [target, frames])
  return (
    <div className={styles.preview}>
      <div className={styles.previewTools}>
        <ChoiceGroup
          legend={<span className="visually-hidden">{t('config.preview.width')}</span>}
          options={[
            { value: 'desktop', label: t('config.preview.desktop') },
            { value: 'phone', label: t('config.preview.phone') },
          ]}
          chosen={[width]}
          onChoose={([chosen]) => setWidth(chosen as Width)}
        />
        <ChoiceGroup
          legend={<span className="visually-hidden">{t('config.preview.locale')}</span>}
          options={languages.map(({ locale: value, name }) => ({ value, label: name }))}
          chosen={[locale]}
          onChoose={([chosen]) => chosen && setLocale(chosen)}
        />
      </div>
      <div ref={ref} className={styles.frame}>
        <div ref={frames} data-width={width} />
      </div>
      <p className="quiet small flush" role="status">
        {t(refused || !parts ? 'config.preview.waiting' : 'config.preview.unsaved')}
      </p>
    </div>
  )
}

/** The visible frame, not one that is still loading. */
const loadedFrame = 'iframe:not([data-loading])'

interface Scaled {
  width: Width
  scale: number
  height: number
  target: PreviewTarget | undefined
}

/** Resizes the frame, and restores its scroll position when its width changes. */
function scaleTo(frame: HTMLIFrameElement, { width, scale, height, target }: Scaled) {
  const wanted = `${widths[width]}px`
  const now = frame.style.inlineSize
  const before = now === '' || now === wanted ? undefined : getScrollPosition(frame, target)
  frame.style.inlineSize = wanted
  frame.style.blockSize = `${height / scale}px`
  frame.style.transform = scale === 1 ? '' : `scale(${scale})`
  if (before) restoreScrollPosition(frame, target, before)
}

/**
 * Posts each state of the form into a new frame, which replaces the old one when it has loaded: without flicker, with
 * the same scroll position and without entries in the browser's history.
 */
function useFrames(props: {
  config: string | undefined
  path: string
  locale: Locale
  /** The element that the form is about: the first page scrolls to it. */
  target: PreviewTarget | undefined
  setRefused: (refused: boolean) => void
  follow: (to: FollowedLink) => void
}) {
  const { config, path, locale, target, setRefused, follow } = props
  const t = useText()
  const container = useRef<HTMLDivElement>(null)
  const site = useSite()
  const lastPath = useRef(path)
  const latest = useRef({ target, setRefused, follow, site })
  latest.current = { target, setRefused, follow, site }
  useEffect(() => {
    const parent = container.current
    if (!parent || config === undefined) return
    const frame = document.createElement('iframe')
    frame.name = `voorbeeld-${randomId()}`
    frame.title = t('config.preview.frame')
    frame.dataset.loading = ''
    let scheduledFrame = 0
    const show = () => {
      const page = frame.contentDocument
      if (!page || !('loading' in frame.dataset)) return
      if (page.querySelector('meta[name="preview"]')) {
        latest.current.setRefused(true)
        frame.remove()
        return
      }
      showFonts(page)
      // The frame is scaled, like the canvas of the editor.
      page.documentElement.style.textRendering = 'geometricPrecision'
      const before = parent.querySelector<HTMLIFrameElement>(loadedFrame)
      const { target } = latest.current
      if (!before) scrollToTarget(frame, target)
      else if (lastPath.current === path) restoreScrollPosition(frame, target, getScrollPosition(before, target))
      lastPath.current = path
      latest.current.setRefused(false)
      page.addEventListener('click', (event) => followLink(event, latest.current.site, latest.current.follow))
      delete frame.dataset.loading
      for (const other of parent.querySelectorAll('iframe')) if (other !== frame) other.remove()
    }
    const showWhenRendered = () => {
      const page = frame.contentDocument
      if (page && isRendered(page)) show()
      else if (page) scheduledFrame = requestAnimationFrame(showWhenRendered)
    }
    frame.addEventListener('load', () => frame.contentDocument?.URL !== 'about:blank' && show())
    const current = parent.querySelector('iframe')
    if (current) frame.style.cssText = current.style.cssText
    parent.append(frame)
    postForm(frame.name, { config, path, locale })
    showWhenRendered()
    return () => {
      cancelAnimationFrame(scheduledFrame)
      if ('loading' in frame.dataset) frame.remove()
    }
  }, [config, path, locale, t])
  return container
}

/** Whether a page is rendered completely. Its `load` event also waits for fonts, which the previous frame has loaded already. */
const isRendered = (page: Document): boolean =>
  page.URL !== 'about:blank' &&
  page.readyState !== 'loading' &&
  [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => sheet !== null) &&
  [...page.images].every(({ complete, loading }) => complete || loading === 'lazy')

/**
 * The site enables its font stylesheet by script, or in `<noscript>`; in the preview scripts do not run but the browser
 * still ignores `<noscript>`.
 */
function showFonts(page: Document) {
  const [fonts] = page.styleSheets[0]?.cssRules ?? []
  if (fonts && 'media' in fonts) (fonts as CSSMediaRule).media.mediaText = 'all'
}

function postForm(target: string, fields: Record<string, string>) {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/voorbeeld/configuratie'
  form.target = target
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

interface FollowedLink {
  path: string
  locale: Locale
}

/** Scrolls to a fragment of the same page and opens other pages in the preview; ignores all other links. */
function followLink(event: MouseEvent, site: SiteLanguages, follow: (to: FollowedLink) => void) {
  const link = (event.target as Element | null)?.closest?.('a')
  if (!link) return
  const url = new URL(link.href, location.origin)
  if (link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  if (url.origin !== location.origin || url.pathname.includes('.')) return
  const anchor = url.hash && link.ownerDocument.getElementById(decodeOrKeep(url.hash.slice(1)))
  if (anchor) return anchor.scrollIntoView()
  const { locale, path } = splitLocale(url.pathname, site)
  follow({ locale, path: decodeOrKeep(path) })
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The elements of the site that a form can scroll to, by their selectors. */
const selectors = { prices: '.pricing', subscriptions: '.subscriptions', contact: '.contact', footer: '.foot' } as const
export type PreviewTarget = keyof typeof selectors

/** A scroll position relative to one element, because the content above it may change in height. */
interface ScrollPosition {
  /** The distance of the element from the top of the viewport; undefined when it is not on this page. */
  top: number | undefined
  scrolled: number
}

const getScrollPosition = (frame: HTMLIFrameElement, target: PreviewTarget | undefined): ScrollPosition => ({
  top: elementIn(frame, target)?.getBoundingClientRect().top,
  scrolled: frame.contentWindow?.scrollY ?? 0,
})

/** Scrolls to the element that a form is about, if the page has it. */
function scrollToTarget(frame: HTMLIFrameElement, target: PreviewTarget | undefined): void {
  const page = frame.contentDocument
  if (!page || !elementIn(frame, target)) return
  // Below the site's sticky header.
  const bar = Number.parseFloat(getComputedStyle(page.documentElement).scrollPaddingBlockStart) || 0
  restoreScrollPosition(frame, target, { top: bar, scrolled: 0 })
}

/** Restores a scroll position, and again when the fonts have loaded unless the user scrolled meanwhile. */
function restoreScrollPosition(
  frame: HTMLIFrameElement,
  target: PreviewTarget | undefined,
  position: ScrollPosition,
): void {
  const view = frame.contentWindow
  if (!view) return
  const scroll = () => {
    const top = elementIn(frame, target)?.getBoundingClientRect().top
    // Not `scrollIntoView`, which would also scroll the page around the frame.
    const scrollTop =
      top === undefined || position.top === undefined ? position.scrolled : view.scrollY + top - position.top
    view.scrollTo({ top: scrollTop, behavior: 'instant' })
  }
  scroll()
  const scrolledTo = view.scrollY
  void view.document.fonts.ready.then(() => view.scrollY === scrolledTo && scroll())
}

const elementIn = (frame: HTMLIFrameElement, target: PreviewTarget | undefined): Element | null =>
  target ? (frame.contentDocument?.querySelector(selectors[target]) ?? null) : null
