import { type ReactNode, useContext, useEffect } from 'react'
import { shapes } from '../../../blocks/shapes.ts'
import { direction } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { CanvasScene } from './canvas.tsx'
import frameCss from './visual-frame.css?inline'

/** The page around the blocks: the site's own styles, its language, and links and files that lead nowhere. */
export function CanvasFrame({ children, document: page }: { children: ReactNode; document?: Document }) {
  const locale = useContext(CanvasScene)?.scene.locale ?? 'nl'
  const title = useText()('blocks.visual.label')
  useEffect(() => {
    if (page?.defaultView?.frameElement) (page.defaultView.frameElement as HTMLIFrameElement).title = title
  }, [page, title])
  useEffect(() => {
    if (!page) return
    page.documentElement.lang = locale
    page.documentElement.dir = direction[locale]
    const link = page.createElement('link')
    link.rel = 'stylesheet'
    link.href = `/site.${locale}.css`
    const style = page.createElement('style')
    style.textContent = frameCss
    page.head.append(link, style)
    const outlines = page.createElement('div')
    // Our own outlines, which the styles cut boxes to.
    outlines.innerHTML = `<svg class="shapes" width="0" height="0" aria-hidden="true">${shapes}</svg>`
    page.body.prepend(outlines)
    const stay = (event: Event) => event.preventDefault()
    const stayInLinks = (event: Event) => {
      if ((event.target as Element).closest('a, button[type="submit"]')) event.preventDefault()
    }
    // A file that falls on a page is opened in its place.
    const stayWithFiles = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    page.addEventListener('submit', stay)
    page.addEventListener('click', stayInLinks)
    page.addEventListener('dragover', stayWithFiles)
    page.addEventListener('drop', stayWithFiles)
    return () => {
      for (const one of [link, style, outlines]) one.remove()
      page.removeEventListener('submit', stay)
      page.removeEventListener('click', stayInLinks)
      page.removeEventListener('dragover', stayWithFiles)
      page.removeEventListener('drop', stayWithFiles)
    }
  }, [page, locale])
  return <>{children}</>
}
