import type { ReactNode } from 'react'
import type { Scene } from '../blocks/define-block.ts'
import { renderBlocks } from '../blocks/registry.ts'
import { langAttributes } from '../blocks/say.ts'
import { direction, localeNames, localized } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Alternate } from './page-to-render.ts'

type Area = SiteConfig['branding']['navbar']['top']

/** The blocks of one area, in the reader's language or else in Dutch and marked so. */
export function area(blocks: Area, className: string, scene: Scene): ReactNode {
  const found = localized(blocks, scene.locale)
  const placeholders = scene.placeholdersIn(found.locale)
  const shown = renderBlocks(found.value, { ...scene, contentLocale: found.locale, placeholders })
  if (shown.length === 0) return null
  return (
    <div className={className} {...langAttributes(found.locale, scene.locale)}>
      {shown}
    </div>
  )
}

/**
 * The menu of small screens needs no script: `#menu` in the address opens it, and any other fragment, so any link to a
 * part of the page, closes it.
 */
export function siteHeader(scene: Scene, alternates: readonly Alternate[]): ReactNode {
  const { navbar } = scene.site.branding
  const { t } = scene
  return (
    <header>
      <div className="strip">{area(navbar.top, 'wrap', scene)}</div>
      <div className="bar">
        <div className="wrap">
          <nav aria-label={t('site.mainNavigation')}>{area(navbar.desktop, 'desktop', scene)}</nav>
          {languages(scene, alternates)}
          <a className="burger" href="#menu" aria-label={t('site.openMenu')}>
            <i />
          </a>
        </div>
        <a className="burger shut" href="#dicht" aria-label={t('site.closeMenu')}>
          <i />
        </a>
        <nav id="menu" className="deep" aria-label={t('site.mobileNavigation')}>
          {area(navbar.mobile, 'mobile', scene)}
        </nav>
      </div>
    </header>
  )
}

/** Choosing goes through the server, which keeps the choice and leads to the address without the question. */
function languages({ locale, t }: Scene, alternates: readonly Alternate[]): ReactNode {
  const others = alternates.filter((alternate) => alternate.locale !== locale)
  if (others.length === 0) return null
  return (
    <ul className="languages" aria-label={t('site.switchLanguage')}>
      {others.map((other) => (
        <li key={other.locale}>
          <a
            href={`${other.path}?locale=${other.locale}${other.query ? `&${other.query}` : ''}`}
            hrefLang={other.locale}
            lang={other.locale}
            dir={direction[other.locale]}
            rel="nofollow"
          >
            {localeNames[other.locale]}
          </a>
        </li>
      ))}
    </ul>
  )
}
