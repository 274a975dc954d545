import type { ReactNode } from 'react'
import { urlParameters } from '../contract/collections.ts'
import { type Locale, languageOf, localized, mainLocaleOf } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { searchPath } from '../contract/site-search.ts'
import type { RenderContext } from './define-block.ts'
import { renderBlocks } from './registry.ts'
import { langAttributes } from './render-text.tsx'
import { renderSearchField } from './search-field.tsx'

/** The page in one of its languages, with its path as in the address bar. */
export interface Alternate {
  locale: Locale
  path: string
  /** A query, without `?`, that the language switch preserves, such as `redirect=%2Fuser`. */
  query?: string
}

type Area = SiteConfig['branding']['navbar']['top']

/** Renders an area of the header or footer, in the visitor's language or else in the main one. */
function renderArea(area: Area, className: string, context: RenderContext): ReactNode {
  // A sign-in page may be in a language that the site does not have: then links lead to pages in the main language.
  const locale = isSiteLocale(context) ? context.locale : mainLocaleOf(context.site)
  const { value: blocks, locale: areaLocale } = localized(area, locale)
  const placeholders = context.placeholdersIn(areaLocale)
  const rendered = renderBlocks(blocks, { ...context, locale, contentLocale: areaLocale, placeholders })
  if (rendered.length === 0) return null
  return (
    <div className={className} {...langAttributes(areaLocale, context.locale, context.site)}>
      {rendered}
    </div>
  )
}

const isSiteLocale = ({ site, locale }: RenderContext) => site.locales.includes(locale)

/** Renders the header. Its mobile menu needs no JavaScript: the fragment `#menu` opens it, any other closes it. */
export function renderSiteHeader(context: RenderContext, alternates: readonly Alternate[]): ReactNode {
  const { navbar } = context.site.branding
  const { t, site, path } = context
  // The search page has a field of its own.
  const hasSearchField = site.look?.search === 'field' && path !== searchPath && isSiteLocale(context)
  const searchField = hasSearchField && renderSearchField(context)
  return (
    <header>
      <div className="strip">{renderArea(navbar.top, 'wrap', context)}</div>
      <div className="bar">
        <div className="wrap">
          <nav aria-label={t('site.mainNavigation')}>{renderArea(navbar.desktop, 'desktop', context)}</nav>
          {searchField}
          {renderLanguageSwitch(context, alternates)}
          <a className="burger" href="#menu" aria-label={t('site.openMenu')}>
            <i />
          </a>
        </div>
        <a className="burger close" href="#dicht" aria-label={t('site.closeMenu')}>
          <i />
        </a>
        <nav id="menu" className="deep" aria-label={t('site.mobileNavigation')}>
          {searchField}
          {renderArea(navbar.mobile, 'mobile', context)}
        </nav>
      </div>
    </header>
  )
}

/** Renders links with the parameter `locale`: the server stores that language, and redirects without the parameter. */
function renderLanguageSwitch({ locale, site, t }: RenderContext, alternates: readonly Alternate[]): ReactNode {
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

export function renderSiteFooter(context: RenderContext): ReactNode {
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
