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

/** Fills the placeholders of sanitized HTML, and localizes its links; one without a target loses its `href`. */
export function renderHtml(html: string, context: RenderContext): string {
  return html.replace(linkOrPlaceholder, (match, url: string | undefined) => {
    if (url === undefined) return escapeHtml(renderText(match, context))
    const href = resolveLink(unescapeHtml(url), context)
    return href === undefined ? '<a' : `<a href="${escapeHtml(href)}"`
  })
}

/** In the text of sanitized HTML `<` is escaped, so `<a href` is always a tag. */
const linkOrPlaceholder = new RegExp(`<a href="([^"]*)"|${placeholderPattern.source}`, 'g')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const characters = Object.fromEntries(Object.entries(entities).map(([character, entity]) => [entity, character]))
/** Escapes a text for HTML, also for an attribute in double quotes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
/** Replaces the four entities that occur in sanitized HTML by their characters. */
export const unescapeHtml = (html: string) =>
  html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity)

/** A text of the configuration in the content's language or else the main one, with `lang` for its element. */
export function localizeWithLang<T>(text: Localized<T>, context: RenderContext): { value: T; lang: LangAttributes } {
  const { value, locale } = localized(text, context.contentLocale)
  return { value, lang: langAttributes(locale, context.contentLocale, context.site) }
}

type LangAttributes = { lang: Locale; dir: 'ltr' | 'rtl' } | undefined

/** The `lang` and `dir` attributes of an element; undefined if the language is that of the surrounding element. */
export function langAttributes(locale: Locale, outer: Locale, site: SiteLanguages): LangAttributes {
  return locale === outer ? undefined : { lang: locale, dir: contentDirection(site, locale) }
}

/** `undefined` for an empty text, so that React omits the attribute. */
export const undefinedIfEmpty = (text: string) => text || undefined

/** Paths without a language prefix: files, the API, and the pages of signed-in users. */
const unprefixed = /^\/(?:(?:files|assets|api|admin|user|\.well-known)(?:[/?#]|$)|[^?#]*\.[a-z0-9]+(?:[?#]|$))/

/**
 * Localizes a link in content. A path without a prefix is in the main language (older ones in Dutch) or in that of the
 * content, and leads to the page in the visitor's language. One with the prefix of a language leads to that language,
 * also if that has moved to the root or from it since.
 */
export function localizedLink({ locale, site, linkedPaths }: LinkContext, url: string): string {
  if (!url.startsWith('/') || unprefixed.test(url)) return url
  const [path = ''] = url.split(/[?#]/, 1)
  const queryAndFragment = url.slice(path.length)
  const currentPath = linkedPaths?.get(path)
  if (currentPath !== undefined) return currentPath + queryAndFragment
  const withoutPrefix = splitLocale(path, site)
  return withoutPrefix.path === path
    ? localizedPath(url, locale, site)
    : localizedPath(withoutPrefix.path + queryAndFragment, withoutPrefix.locale, site)
}

/** What decides where a link in content leads. */
type LinkContext = Pick<RenderContext, 'locale' | 'linkedPaths'> & { site: SiteLanguages }

/** Fills the placeholders of a URL and localizes it; undefined if one has no value or makes the URL unsafe. */
export function resolveLink(url: string, context: LinkContext & { placeholders: Placeholders }): string | undefined {
  const filled = fillUrlPlaceholders(url, context.placeholders)
  return filled === undefined ? undefined : localizedLink(context, filled)
}

type Attributes = HTMLAttributes<HTMLElement> &
  Pick<ScriptHTMLAttributes<HTMLElement>, 'type'> &
  Pick<SVGAttributes<SVGElement>, 'width' | 'height'>

/** Renders an element with unescaped HTML, which must come from `clean-html.ts` or from this code base. */
export function rawHtml(tag: string, attributes: Attributes, html: string): ReactNode {
  return createElement(tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } })
}

/** Renders the heading of a section with its introduction; nothing if both are empty. */
export function renderSectionHead(title: string, intro: string, context: RenderContext): ReactNode {
  if (!title && !intro) return null
  return (
    <div className="head">
      {title && <h2>{renderText(title, context)}</h2>}
      {intro && <p className="lead">{renderText(intro, context)}</p>}
    </div>
  )
}

/** Renders a full-width section with its heading above its content. */
export function renderSection(
  block: { anchor: string; title: string; intro: string },
  className: string,
  context: RenderContext,
  content: ReactNode,
): ReactNode {
  return (
    <section className={`part ${className}`} id={undefinedIfEmpty(block.anchor)}>
      <div className="wrap">
        {renderSectionHead(block.title, block.intro, context)}
        {content}
      </div>
    </section>
  )
}

/** Renders a link below a text; nothing without a URL or a text. */
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
