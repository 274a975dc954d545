import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { SiteParts } from '../../../contract/config-parts.ts'
import { type Locale, localeNames, locales, splitLocale } from '../../../contract/locales.ts'
import { Choices } from '../../components/choices.tsx'
import { useLocale, useText } from '../../i18n.ts'
import styles from './config.module.css'
import { keepSight, type PreviewPlace, showPlace, sightOf } from './preview-place.ts'

const widths = { phone: 390, desktop: 1280 } as const
type Width = keyof typeof widths

/** The real site with what stands in the form, where that is seen; a link in it shows the page that it leads to, the same way. */
export function Preview({ parts, place }: { parts: Partial<SiteParts> | undefined; place: PreviewPlace | undefined }) {
  const t = useText()
  const spoken = useLocale()
  const [width, setWidth] = useState<Width>('desktop')
  const [locale, setLocale] = useState<Locale>(spoken)
  const [path, setPath] = useState('/')
  const [refused, setRefused] = useState(false)
  const { ref, width: room, height } = useElementSize()
  const [config] = useDebouncedValue(parts && JSON.stringify(parts), 400)
  const frames = useFrames({ config, path, locale, place, setRefused, follow: (to) => setPath(to.path) })
  const scale = Math.min(1, (room || widths[width]) / widths[width])
  useEffect(() => {
    for (const frame of frames.current?.querySelectorAll('iframe') ?? [])
      scaleTo(frame, { width, scale, height, place })
  })
  useEffect(() => {
    const frame = frames.current?.querySelector<HTMLIFrameElement>(there)
    if (frame) showPlace(frame, place)
  }, [place, frames])
  return (
    <div className={styles.preview}>
      <div className={styles.previewTools}>
        <Choices
          legend={<span className="unseen">{t('config.preview.width')}</span>}
          options={[
            { value: 'desktop', label: t('config.preview.desktop') },
            { value: 'phone', label: t('config.preview.phone') },
          ]}
          chosen={[width]}
          onChoose={([chosen]) => setWidth(chosen as Width)}
        />
        <Choices
          legend={<span className="unseen">{t('config.preview.locale')}</span>}
          options={locales.map((one) => ({ value: one, label: localeNames[one] }))}
          chosen={[locale]}
          onChoose={([chosen]) => setLocale(chosen as Locale)}
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

/** The frame that is shown, and not one that is still coming. */
const there = 'iframe:not([data-coming])'

interface Scaled {
  width: Width
  scale: number
  height: number
  place: PreviewPlace | undefined
}

/** On another width each part stands elsewhere; one goes on looking at the same. */
function scaleTo(frame: HTMLIFrameElement, { width, scale, height, place }: Scaled) {
  const wide = `${widths[width]}px`
  const now = frame.style.inlineSize
  const before = now === '' || now === wide ? undefined : sightOf(frame, place)
  frame.style.inlineSize = wide
  frame.style.blockSize = `${height / scale}px`
  frame.style.transform = scale === 1 ? '' : `scale(${scale})`
  if (before) keepSight(frame, place, before)
}

/**
 * Each state is posted into a frame of its own, which takes the place of the one before when it is there: nothing
 * flickers, what one looked at stays in sight, and the back button of the browser knows nothing of it.
 */
function useFrames(asked: {
  config: string | undefined
  path: string
  locale: Locale
  /** What the form is about: the first page is shown there. */
  place: PreviewPlace | undefined
  setRefused: (refused: boolean) => void
  follow: (to: { path: string }) => void
}) {
  const { config, path, locale, place, setRefused, follow } = asked
  const t = useText()
  const holder = useRef<HTMLDivElement>(null)
  const lastPath = useRef(path)
  const told = useRef({ place, setRefused, follow })
  told.current = { place, setRefused, follow }
  useEffect(() => {
    const at = holder.current
    if (!at || config === undefined) return
    const frame = document.createElement('iframe')
    frame.name = `voorbeeld-${crypto.randomUUID()}`
    frame.title = t('config.preview.frame')
    frame.dataset.coming = ''
    let posted = false
    frame.addEventListener('load', () => {
      const page = frame.contentDocument
      if (!posted || !page || page.URL === 'about:blank') return
      if (page.querySelector('meta[name="preview"]')) {
        told.current.setRefused(true)
        frame.remove()
        return
      }
      showFonts(page)
      const before = at.querySelector<HTMLIFrameElement>(there)
      const about = told.current.place
      if (!before) showPlace(frame, about)
      else if (lastPath.current === path) keepSight(frame, about, sightOf(before, about))
      lastPath.current = path
      told.current.setRefused(false)
      page.addEventListener('click', (event) => followLink(event, told.current.follow))
      delete frame.dataset.coming
      for (const other of at.querySelectorAll('iframe')) if (other !== frame) other.remove()
    })
    const current = at.querySelector('iframe')
    if (current) frame.style.cssText = current.style.cssText
    at.append(frame)
    posted = true
    post(frame.name, { config, path, locale })
    return () => {
      if ('coming' in frame.dataset) frame.remove()
    }
  }, [config, path, locale, t])
  return holder
}

/** A page takes its fonts in by a script, and by itself only where there is none: here there is none and the browser does not know it. */
function showFonts(page: Document) {
  const [fonts] = page.styleSheets[0]?.cssRules ?? []
  if (fonts && 'media' in fonts) (fonts as CSSMediaRule).media.mediaText = 'all'
}

function post(target: string, fields: Record<string, string>) {
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

/** Parts of the same page are gone to, other pages are shown the same way, and nothing else happens. */
function followLink(event: MouseEvent, follow: (to: { path: string }) => void) {
  const link = (event.target as Element | null)?.closest?.('a')
  if (!link) return
  const url = new URL(link.href, location.origin)
  const here = splitLocale(url.pathname).path
  if (link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  if (url.origin !== location.origin || url.pathname.includes('.')) return
  if (url.hash) link.ownerDocument.getElementById(url.hash.slice(1))?.scrollIntoView()
  if (!url.hash || !link.ownerDocument.getElementById(url.hash.slice(1))) follow({ path: here })
}
