import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { SiteParts } from '../../../contract/config-parts.ts'
import { type Locale, type SiteLanguages, splitLocale } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { useText } from '../../i18n.ts'
import { useFirstLocale, useLanguageSettings, useSiteLanguages } from '../../site-languages.ts'
import styles from './config.module.css'
import { withRemovals } from './config.ts'

/** The widths of the previewed window, in CSS pixels. */
const widths = { phone: 390, desktop: 1280 } as const
type Width = keyof typeof widths

export interface PreviewProps {
  /** The unsaved parts of the configuration; undefined while the form has errors, when the last preview stays. */
  parts: Partial<SiteParts> | undefined
  target: PreviewTarget | undefined
}

/** Renders the real site with unsaved settings. Links in it open the linked page in the preview. */
export function Preview({ parts, target }: PreviewProps) {
  const t = useText()
  const languages = useSiteLanguages()
  const [width, setWidth] = useState<Width>('desktop')
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const [path, setPath] = useState('/')
  const [isRefused, setIsRefused] = useState(false)
  const { ref, width: availableWidth, height } = useElementSize()
  const [configJson] = useDebouncedValue(parts && JSON.stringify(withRemovals(parts)), 150, { leading: true })
  const openLink = (link: FollowedLink) => {
    setPath(link.path)
    setLocale(link.locale)
  }
  const frames = useFrames({ configJson, path, locale, target, setIsRefused, openLink })
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
        {t(isRefused || !parts ? 'config.preview.waiting' : 'config.preview.unsaved')}
      </p>
    </div>
  )
}

/** The visible frame, not one that is still loading. */
const loadedFrame = 'iframe:not([data-loading])'

interface Scaling {
  width: Width
  scale: number
  height: number
  target: PreviewTarget | undefined
}

/** Resizes the frame, and restores its scroll position when its width changes. */
function scaleTo(frame: HTMLIFrameElement, { width, scale, height, target }: Scaling) {
  const newWidth = `${widths[width]}px`
  const oldWidth = frame.style.inlineSize
  const isResized = oldWidth !== '' && oldWidth !== newWidth
  const position = isResized ? getScrollPosition(frame, target) : undefined
  frame.style.inlineSize = newWidth
  frame.style.blockSize = `${height / scale}px`
  frame.style.transform = scale === 1 ? '' : `scale(${scale})`
  if (position) restoreScrollPosition(frame, target, position)
}

/**
 * Posts each state of the form into a new frame, which replaces the old one when it has loaded: without flicker, with
 * the same scroll position and without entries in the browser's history.
 * @returns the ref of the element that is to contain the frames
 */
function useFrames(props: {
  /** Undefined: the last frame stays. */
  configJson: string | undefined
  path: string
  locale: Locale
  /** The element that the form is about: the first page scrolls to it. */
  target: PreviewTarget | undefined
  /** Called with whether the server refused the last state of the form. */
  setIsRefused: (isRefused: boolean) => void
  openLink: (link: FollowedLink) => void
}) {
  const { configJson, path, locale, target, setIsRefused, openLink } = props
  const t = useText()
  const container = useRef<HTMLDivElement>(null)
  const site = useLanguageSettings()
  const lastPath = useRef(path)
  const latest = useRef({ target, setIsRefused, openLink, site })
  latest.current = { target, setIsRefused, openLink, site }
  useEffect(() => {
    const parent = container.current
    if (!parent || configJson === undefined) return
    const frame = document.createElement('iframe')
    frame.name = `voorbeeld-${randomId()}`
    frame.title = t('config.preview.frame')
    frame.dataset.loading = ''
    let scheduledFrame = 0
    const show = () => {
      const page = frame.contentDocument
      if (!page || !('loading' in frame.dataset)) return
      // The response to invalid settings has this element.
      if (page.querySelector('meta[name="preview"]')) {
        latest.current.setIsRefused(true)
        frame.remove()
        return
      }
      enableFonts(page)
      // The frame is scaled, where letters at whole pixels, as on Linux, stand too far apart or too close.
      page.documentElement.style.textRendering = 'geometricPrecision'
      const previous = parent.querySelector<HTMLIFrameElement>(loadedFrame)
      const { target } = latest.current
      if (!previous) scrollToTarget(frame, target)
      else if (lastPath.current === path) restoreScrollPosition(frame, target, getScrollPosition(previous, target))
      lastPath.current = path
      latest.current.setIsRefused(false)
      page.addEventListener('click', (event) => followLink(event, latest.current.site, latest.current.openLink))
      delete frame.dataset.loading
      for (const sibling of parent.querySelectorAll('iframe')) if (sibling !== frame) sibling.remove()
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
    postForm(frame.name, { config: configJson, path, locale })
    showWhenRendered()
    return () => {
      cancelAnimationFrame(scheduledFrame)
      if ('loading' in frame.dataset) frame.remove()
    }
  }, [configJson, path, locale, t])
  return container
}

/** Whether a page is rendered completely. Its `load` event also waits for fonts, which the last frame has loaded. */
const isRendered = (page: Document): boolean =>
  page.URL !== 'about:blank' &&
  page.readyState !== 'loading' &&
  [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => sheet !== null) &&
  [...page.images].every(({ complete, loading }) => complete || loading === 'lazy')

/**
 * The site enables its font stylesheet by script, or in `<noscript>`; in the preview scripts do not run but the browser
 * still ignores `<noscript>`.
 */
function enableFonts(page: Document) {
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

/** Scrolls to a fragment of the same page, or opens another page in the preview. Ignores external links and files. */
function followLink(event: MouseEvent, site: SiteLanguages, openLink: (link: FollowedLink) => void) {
  const link = (event.target as Element | null)?.closest?.('a')
  if (!link) return
  const url = new URL(link.href, location.origin)
  if (link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  if (url.origin !== location.origin || url.pathname.includes('.')) return
  const anchor = url.hash && link.ownerDocument.getElementById(decodeOrKeep(url.hash.slice(1)))
  if (anchor) return anchor.scrollIntoView()
  const { locale, path } = splitLocale(url.pathname, site)
  openLink({ locale, path: decodeOrKeep(path) })
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
  scrollY: number
}

const getScrollPosition = (frame: HTMLIFrameElement, target: PreviewTarget | undefined): ScrollPosition => ({
  top: elementIn(frame, target)?.getBoundingClientRect().top,
  scrollY: frame.contentWindow?.scrollY ?? 0,
})

/** Scrolls to the element that a form is about, if the page has it. */
function scrollToTarget(frame: HTMLIFrameElement, target: PreviewTarget | undefined): void {
  const page = frame.contentDocument
  if (!page || !elementIn(frame, target)) return
  // Below the site's sticky header.
  const headerHeight = Number.parseFloat(getComputedStyle(page.documentElement).scrollPaddingBlockStart) || 0
  restoreScrollPosition(frame, target, { top: headerHeight, scrollY: 0 })
}

/** Restores a scroll position, and again when the fonts have loaded unless the user scrolled meanwhile. */
function restoreScrollPosition(
  frame: HTMLIFrameElement,
  target: PreviewTarget | undefined,
  position: ScrollPosition,
): void {
  const view = frame.contentWindow
  if (!view) return
  const { top: oldTop, scrollY: oldScrollY } = position
  const scroll = () => {
    const top = elementIn(frame, target)?.getBoundingClientRect().top
    // Not `scrollIntoView`, which would also scroll the page around the frame.
    const isTargetOnBoth = top !== undefined && oldTop !== undefined
    const scrollTop = isTargetOnBoth ? view.scrollY + top - oldTop : oldScrollY
    view.scrollTo({ top: scrollTop, behavior: 'instant' })
  }
  scroll()
  const scrolledTo = view.scrollY
  void view.document.fonts.ready.then(() => view.scrollY === scrolledTo && scroll())
}

const elementIn = (frame: HTMLIFrameElement, target: PreviewTarget | undefined): Element | null =>
  target ? (frame.contentDocument?.querySelector(selectors[target]) ?? null) : null
