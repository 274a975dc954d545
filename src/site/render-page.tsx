import { renderToStaticMarkup } from 'react-dom/server'
import type { Scene } from '../blocks/define-block.ts'
import { bringsHeading, sheetsOf } from '../blocks/page-facts.ts'
import { renderBody } from '../blocks/registry.ts'
import { langAttributes } from '../blocks/say.ts'
import { fillText } from '../contract/fill-text.ts'
import { intlTag, type Locale, localizedPath } from '../contract/locales.ts'
import { translator } from '../i18n/translate.ts'
import { type DocumentHead, htmlDocument } from './html-document.tsx'
import type { Alternate, PageToRender } from './page-to-render.ts'
import { structuredData } from './structured-data.ts'

export { errorSheets, renderErrorPage } from './render-error-page.tsx'

/** A whole page, as one string. */
export function renderPage(input: {
  scene: Scene
  page: PageToRender
  alternates: readonly Alternate[]
  /** Address of the site, without a slash at the end. */
  origin: string
}): string {
  const { scene, page, alternates, origin } = input
  const { locale, contentLocale, placeholders, site } = scene
  const title = fillText(page.title, placeholders)
  const isHome = page.slug === ''
  const head: DocumentHead = {
    title: isHome ? fillText(site.seo.title[locale] ?? site.seo.title.nl, placeholders) : `${title} | ${site.brand}`,
    description: fillText(page.description, placeholders),
    // A text that is shown under a second address for want of a translation belongs to its first.
    canonical: origin + localizedPath(`/${page.slug}`, contentLocale),
    alternates,
    origin,
    sheets: sheetsOf(page.body),
    data: structuredData({ scene, page: { ...page, title }, origin }),
  }
  const content: Scene = contentLocale === locale ? scene : { ...scene, t: translator(contentLocale) }
  const main = (
    <main id="inhoud" {...langAttributes(contentLocale, locale)}>
      {!bringsHeading(page.body) && pageHead(title, page.updated, content)}
      {renderBody(page.body, content)}
    </main>
  )
  return `<!DOCTYPE html>${renderToStaticMarkup(htmlDocument(scene, head, main))}`
}

function pageHead(title: string, updated: string | undefined, { t, contentLocale }: Scene) {
  return (
    <div className="page-head">
      <div className="wrap">
        <h1>{title}</h1>
        {updated && (
          <p className="note">
            <time dateTime={updated}>{t('site.updated', { date: formatDate(updated, contentLocale) })}</time>
          </p>
        )}
      </div>
    </div>
  )
}

function formatDate(date: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(intlTag[locale], { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${date}T12:00:00Z`))
}
