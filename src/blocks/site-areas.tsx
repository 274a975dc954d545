import type { ReactNode } from 'react'
import { urlParameters } from '../contract/collections.ts'
import { type Locale, languageOf, localized, mainLocaleOf } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { searchPath } from '../contract/site-search.ts'
import type { RenderContext } from './define-block.ts'
import { renderBlocks } from './registry.ts'
import { langAttributes } from './render-text.tsx'
import { searchField } from './search-field.tsx'

/** A language version of the page, with its path. */
export interface Alternate {
  locale: Locale
  path: string
  /** Preserved in the URL when the language is switched, such as `redirect=%2Fuser`. */
  query?: string
}

type Area = SiteConfig['branding']['navbar']['top']

/** The blocks of a page area, in the reader's language, or else in the main one with `lang` attributes. */
function renderArea(blocks: Area, className: string, context: RenderContext): ReactNode {
  // Around a sign-in page in a language that the site does not have, links lead to pages in the main one.
  const locale = isOffered(context) ? context.locale : mainLocaleOf(context.site)
  const found = localized(blocks, locale)
  const placeholders = context.placeholdersIn(found.locale)
  const shown = renderBlocks(found.value, { ...context, locale, contentLocale: found.locale, placeholders })
  if (shown.length === 0) return null
  return (
    <div className={className} {...langAttributes(found.locale, context.locale, context.site)}>
      {shown}
    </div>
  )
}

const isOffered = ({ site, locale }: RenderContext) => site.locales.includes(locale)

/** The mobile menu works without JavaScript: the fragment `#menu` opens it, and any other fragment closes it. */
export function siteHeader(context: RenderContext, alternates: readonly Alternate[]): ReactNode {
  const { navbar } = context.site.branding
  const { t, site, path } = context
  // The page of the search has its own field.
  const search = site.look?.search === 'field' && path !== searchPath && isOffered(context) && searchField(context)
  return (
    <header>
      <div className="strip">{renderArea(navbar.top, 'wrap', context)}</div>
      <div className="bar">
        <div className="wrap">
          <nav aria-label={t('site.mainNavigation')}>{renderArea(navbar.desktop, 'desktop', context)}</nav>
          {search}
          {languages(context, alternates)}
          <a className="burger" href="#menu" aria-label={t('site.openMenu')}>
            <i />
          </a>
        </div>
        <a className="burger close" href="#dicht" aria-label={t('site.closeMenu')}>
          <i />
        </a>
        <nav id="menu" className="deep" aria-label={t('site.mobileNavigation')}>
          {search}
          {renderArea(navbar.mobile, 'mobile', context)}
        </nav>
      </div>
    </header>
  )
}

/** The links go through the server, which stores the choice and redirects to the URL without the query. */
function languages({ locale, site, t }: RenderContext, alternates: readonly Alternate[]): ReactNode {
  const others = alternates.filter((alternate) => alternate.locale !== locale)
  if (others.length === 0) return null
  return (
    <ul className="languages" aria-label={t('site.switchLanguage')}>
      {others.map((other) => (
        <li key={other.locale}>
          <a
            href={`${other.path}?${urlParameters.locale}=${other.locale}${other.query ? `&${other.query}` : ''}`}
            hrefLang={other.locale}
            lang={other.locale}
            dir={languageOf(site, other.locale).direction}
            rel="nofollow"
          >
            {languageOf(site, other.locale).name}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function siteFooter(context: RenderContext): ReactNode {
  const { footer } = context.site.branding
  return (
    <footer className="foot deep">
      <div className="wrap">
        {renderArea(footer.left, 'left', context)}
        {renderArea(footer.right, 'right', context)}
        <nav className="last" aria-label={context.t('site.footerNavigation')}>
          {renderArea(footer.bottom, 'bottom', context)}
        </nav>
      </div>
    </footer>
  )
}
