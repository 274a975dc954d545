import { renderToStaticMarkup } from 'react-dom/server'
import type { Scene } from '../blocks/define-block.ts'
import { bringsHeading, sheetsOf } from '../blocks/page-facts.ts'
import { renderBody } from '../blocks/registry.ts'
import { langAttributes } from '../blocks/say.ts'
import { fillText } from '../contract/fill-text.ts'
import { intlTag, type Locale, localized, localizedPath } from '../contract/locales.ts'
import { addressesIn } from '../contract/pictures.ts'
import { translator } from '../i18n/translate.ts'
import { type DocumentHead, htmlDocument, type Notice } from './html-document.tsx'
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
  /** Nothing runs in it, and search engines leave it alone. */
  preview?: boolean
  notice?: Notice | undefined
}): string {
  const { scene, page, alternates, origin, preview = false, notice } = input
  const { locale, contentLocale, placeholders, site } = scene
  const title = fillText(page.title, placeholders)
  const isHome = page.slug === ''
  const head: DocumentHead = {
    title: page.seoTitle
      ? fillText(page.seoTitle, placeholders)
      : isHome
        ? fillText(localized(site.seo.title, locale).value, placeholders)
        : `${title} | ${site.brand}`,
    description: fillText(page.description || localized(site.seo.description, locale).value, placeholders),
    // A text that is shown under a second address for want of a translation belongs to its first.
    canonical: preview || page.noindex ? undefined : origin + encodeURI(localizedPath(`/${page.slug}`, contentLocale)),
    ...(page.picture && { picture: cardPicture(page.picture, scene) }),
    alternates,
    origin,
    sheets: notice ? [...sheetsOf(page.body), 'preview'] : sheetsOf(page.body),
    notice,
    data: structuredData({ scene, page: { ...page, title }, origin }),
    still: preview,
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

/** An upload as services show it beside a shared link: they take one file, and know neither AVIF nor a choice. */
function cardPicture(url: string, { pictures }: Scene): DocumentHead['picture'] {
  const picture = pictures.get(addressesIn(url)[0] ?? '')
  return picture?.src ? { url: picture.src, width: picture.width, height: picture.height } : { url }
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
