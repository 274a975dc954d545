import { fillText, placeholder } from '../contract/fill-text.ts'
import { direction, type Locale, type Localized, localized } from '../contract/locales.ts'
import type { Scene } from './define-block.ts'
import { linkTo } from './links.ts'

/** A text with its placeholders filled. */
export function say(text: string, scene: Scene): string {
  return fillText(text, scene.placeholders)
}

/** Cleaned html with its placeholders filled, as text and never as html, and its links in the reader's language. */
export function richHtml(html: string, scene: Scene): string {
  return html.replace(linkOrPlaceholder, (whole, url: string | undefined) => {
    if (url === undefined) return escaped(say(whole, scene))
    const address = linkTo(unescaped(url), scene)
    return address === undefined ? '<a' : `<a href="${escaped(address)}"`
  })
}

/** In text `<` is written `&lt;`, so what looks like a link is one. */
const linkOrPlaceholder = new RegExp(`<a href="([^"]*)"|${placeholder.source}`, 'g')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const signs = Object.fromEntries(Object.entries(entities).map(([sign, entity]) => [entity, sign]))
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
const unescaped = (html: string) => html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => signs[entity] ?? entity)

/** A text of the configuration in the reader's language or else in Dutch, with the attributes that say so. */
export function sayIn<T>(value: Localized<T>, scene: Scene): { value: T; lang: LangAttributes } {
  const found = localized(value, scene.contentLocale)
  return { value: found.value, lang: langAttributes(found.locale, scene.contentLocale) }
}

export type LangAttributes = { lang: Locale; dir: 'ltr' | 'rtl' } | undefined

/** What an element says of its language when that differs from the language around it. */
export function langAttributes(locale: Locale, around: Locale): LangAttributes {
  return locale === around ? undefined : { lang: locale, dir: direction[locale] }
}

/** `undefined` for an empty text, so that React leaves the attribute out. */
export const orNothing = (text: string) => text || undefined
