import { fillText, type Placeholders } from '../contract/fill-text.ts'
import { direction, type Locale, type Localized, localized } from '../contract/locales.ts'
import type { Scene } from './define-block.ts'
import { linkIn } from './links.ts'

/** A text with its placeholders filled. */
export function say(text: string, scene: Scene): string {
  return fillText(text, scene.placeholders)
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = new WeakMap<Placeholders, Placeholders>()

/** Cleaned html with its placeholders filled, as text and never as html, and its links in the reader's language. */
export function richHtml(html: string, scene: Scene): string {
  let placeholders = escaped.get(scene.placeholders)
  if (!placeholders) {
    placeholders = Object.fromEntries(
      Object.entries(scene.placeholders).map(([name, text]) => [name, text.replace(/[&<>"]/g, (c) => escapes[c] ?? c)]),
    )
    escaped.set(scene.placeholders, placeholders)
  }
  const filled = fillText(html, placeholders)
  return filled.replace(/ href="(\/[^"]*)"/g, (_, url: string) => ` href="${linkIn(scene.locale, url)}"`)
}

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
