import { renderToStaticMarkup } from 'react-dom/server'
import type { Scene, Sheet } from '../blocks/define-block.ts'
import { linkIn } from '../blocks/links.ts'
import { rawHtml } from '../blocks/raw-html.ts'
import { riverView } from '../blocks/river.ts'
import { inDigitsOf, locales, localizedPath } from '../contract/locales.ts'
import { htmlDocument } from './html-document.tsx'

/** What dresses an error page. */
export const errorSheets: readonly Sheet[] = ['hero', 'lost']

/** The page for what went wrong: what was not found, or broke. It is never indexed. */
export function renderErrorPage(input: {
  scene: Scene
  status: number
  title: string
  message: string
  /** Address of the site, without a slash at the end. */
  origin: string
}): string {
  const { scene, status, title, message, origin } = input
  const head = {
    title,
    description: message,
    canonical: undefined,
    // The languages switch to their home page: this page has no other version.
    alternates: locales
      .filter((locale) => scene.site.locales.includes(locale))
      .map((locale) => ({ locale, path: localizedPath('/', locale) })),
    origin,
    sheets: errorSheets,
    data: undefined,
  }
  const main = (
    <main id="inhoud">
      <section className={status === 404 ? 'hero lost' : 'hero lost broken'}>
        <div className="wrap">
          <p className="status">{inDigitsOf(scene.locale, String(status))}</p>
          <h1 lang="en" dir="ltr">
            {title}
          </h1>
          <p className="lead">{message}</p>
          <p className="act">
            <a className="button" href={linkIn(scene.locale, '/')}>
              {scene.t('site.backHome')}
            </a>
          </p>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, riverView())}
      </section>
    </main>
  )
  return `<!DOCTYPE html>${renderToStaticMarkup(htmlDocument(scene, head, main))}`
}
