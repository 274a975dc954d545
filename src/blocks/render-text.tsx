import {
  createElement,
  type HTMLAttributes,
  type ReactNode,
  type ScriptHTMLAttributes,
  type SVGAttributes,
} from 'react'
import {
  contentDirection,
  type Locale,
  type Localized,
  localized,
  localizedPath,
  type SiteLanguages,
  splitLocale,
} from '../contract/locales.ts'
import {
  fillPlaceholders,
  fillUrlPlaceholders,
  type Placeholders,
  placeholderPattern,
} from '../contract/placeholders.ts'
import type { RenderContext } from './define-block.ts'

/** Fills the placeholders of a text. */
export function renderText(text: string, context: RenderContext): string {
  return fillPlaceholders(text, context.placeholders)
}

/** Fills the placeholders of sanitized HTML, escaped as text, and localizes its links. */
export function renderHtml(html: string, context: RenderContext): string {
  return html.replace(linkOrPlaceholder, (match, url: string | undefined) => {
    if (url === undefined) return escapeHtml(renderText(match, context))
    const address = resolveLink(unescaped(url), context)
    return address === undefined ? '<a' : `<a href="${escapeHtml(address)}"`
  })
}

/** In text `<` is escaped as `&lt;`, so every match is a real link. */
const linkOrPlaceholder = new RegExp(`<a href="([^"]*)"|${placeholderPattern.source}`, 'g')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const signs = Object.fromEntries(Object.entries(entities).map(([sign, entity]) => [entity, sign]))
/** Text as HTML. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
/** Replaces the entities that sanitized HTML has by their characters. */
export const unescaped = (html: string) => html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => signs[entity] ?? entity)

/** A text of the configuration in the reader's language or else in the main one, with the `lang` attributes of the latter. */
export function renderLocalized<T>(value: Localized<T>, context: RenderContext): { value: T; lang: LangAttributes } {
  const found = localized(value, context.contentLocale)
  return { value: found.value, lang: langAttributes(found.locale, context.contentLocale, context.site) }
}

type LangAttributes = { lang: Locale; dir: 'ltr' | 'rtl' } | undefined

/** The `lang` and `dir` attributes where the language differs from the surrounding one. */
export function langAttributes(locale: Locale, outer: Locale, site: SiteLanguages): LangAttributes {
  return locale === outer ? undefined : { lang: locale, dir: contentDirection(site, locale) }
}

/** `undefined` for an empty text, so that React omits the attribute. */
export const undefinedIfEmpty = (text: string) => text || undefined

/** Paths without a language prefix: files, the API, and the pages of signed-in users. */
const unprefixed = /^\/(?:(?:files|assets|api|admin|user|\.well-known)(?:[/?#]|$)|[^?#]*\.[a-z0-9]+(?:[?#]|$))/

/**
 * Links in content are paths in the main language (older ones in Dutch) or in its own, without a prefix: they get that of the reader when they
 * are rendered. A link with the prefix of a language leads to that language, also when it has moved to the root or from it.
 */
export function localizedLink({ locale, site, linkedPaths }: LinkContext, url: string): string {
  if (!url.startsWith('/') || unprefixed.test(url)) return url
  const [path = ''] = url.split(/[?#]/, 1)
  const rest = url.slice(path.length)
  const linked = linkedPaths?.get(path)
  if (linked !== undefined) return linked + rest
  const written = splitLocale(path, site)
  return written.path === path
    ? localizedPath(url, locale, site)
    : localizedPath(written.path + rest, written.locale, site)
}

/** The context that decides where the links of a page lead. */
export type LinkContext = Pick<RenderContext, 'locale' | 'linkedPaths'> & { site: SiteLanguages }

/** Localizes a URL that may contain placeholders; undefined when it has no target. */
export function resolveLink(url: string, context: LinkContext & { placeholders: Placeholders }): string | undefined {
  const filled = fillUrlPlaceholders(url, context.placeholders)
  return filled === undefined ? undefined : localizedLink(context, filled)
}

type Attributes = HTMLAttributes<HTMLElement> &
  Pick<ScriptHTMLAttributes<HTMLElement>, 'type'> &
  Pick<SVGAttributes<SVGElement>, 'width' | 'height'>

/** The only function that inserts raw HTML, which must come from `clean-html.ts` or from this program. */
export function rawHtml(tag: string, attributes: Attributes, html: string): ReactNode {
  return createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } })
}

/** The heading of a section, with a decorative line and an introduction. */
export function sectionHead(title: string, intro: string, context: RenderContext): ReactNode {
  if (!title && !intro) return null
  return (
    <div className="head">
      {title && <h2>{renderText(title, context)}</h2>}
      {intro && <p className="lead">{renderText(intro, context)}</p>}
    </div>
  )
}

/** A full-width section with its heading above its content. */
export function renderSection(
  block: { anchor: string; title: string; intro: string },
  className: string,
  context: RenderContext,
  content: ReactNode,
): ReactNode {
  return (
    <section className={`part ${className}`} id={undefinedIfEmpty(block.anchor)}>
      <div className="wrap">
        {sectionHead(block.title, block.intro, context)}
        {content}
      </div>
    </section>
  )
}

/** A link below a text; without an address or words there is none. */
export function renderLink(
  { linkTitle, url }: { linkTitle: string; url?: string | undefined },
  className: string,
  context: RenderContext,
): ReactNode {
  if (!linkTitle || url === undefined) return null
  return (
    <a href={resolveLink(url, context)} className={className}>
      {renderText(linkTitle, context)}
    </a>
  )
}
