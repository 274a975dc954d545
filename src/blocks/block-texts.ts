import { findCollection } from '../contract/collections.ts'
import { type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders, type Placeholders } from '../contract/placeholders.ts'
import type { OfferItem, SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { collectionIdOf } from './entry-list.tsx'
import { type Field, fieldsOf } from './fields.ts'
import type { AnyBlock, BlockType } from './registry.ts'
import { unescapeHtml } from './render-text.tsx'
import type { ShownSection } from './section.tsx'

interface TextContext {
  site: SiteConfig
  /** The language of the blocks. */
  locale: Locale
  placeholdersIn: (locale: Locale) => Placeholders
}

/**
 * The texts of blocks that an anonymous visitor reads, in the order of the page, for the search index and structured
 * data: of fields, sections and the offer. Each is one line, not empty, with placeholders filled and without tags.
 */
export function extractBlockTexts(body: readonly StoredBlock[], context: TextContext): string[] {
  return (body as readonly AnyBlock[]).flatMap((block): string[] => {
    if (block.showIf === 'logged-in' || isNavigation(block.type) || refersToNothing(block, context.site)) return []
    if (block.type === 'section') {
      const { content } = block as ShownSection
      return content ? extractBlockTexts(content.body, { ...context, locale: content.locale }) : []
    }
    const fieldTexts = fieldsOf(block.type).flatMap((field) => textsOfField(field, block, block.type, context))
    return [...fieldTexts, ...offerTexts(block.type, context)].map(toSingleLine).filter((text) => text !== '')
  })
}

/** Whether a block is only links to other pages and sites, which say nothing of this page. */
const isNavigation = (type: BlockType) => type === 'menu' || type === 'social-icons'

/** Whether a block refers to a form or a collection that the site no longer has, so that it renders nothing. */
const refersToNothing = (block: AnyBlock, site: SiteConfig): boolean =>
  (block.type === 'form' && !site.forms?.some(({ id }) => id === block.form)) ||
  (block.type === 'entry-list' && block.items.length === 0 && !findCollection(site, collectionIdOf(block.from)))

/** Whether a field is rendered as an HTML attribute, such as the description of an image, and not as visible text. */
const isAttribute = (type: BlockType, { name, path }: Field) =>
  name === 'alt' || path === 'style' || (type === 'logos' && name === 'name') || (type === 'video' && name === 'title')

/** @param holder the block, or the nested object, that has the field */
function textsOfField(field: Field, holder: object, type: BlockType, context: TextContext): string[] {
  const value = (holder as Record<string, unknown>)[field.name]
  // A link without a URL is not rendered.
  const isUnusedLinkTitle = field.name === 'linkTitle' && (holder as { url?: string }).url === undefined
  if (value === undefined || isAttribute(type, field) || isUnusedLinkTitle) return []
  const fill = (text: unknown) => fillPlaceholders(text as string, context.placeholdersIn(context.locale))
  const textsOfObject = (object: unknown, fields: readonly Field[]) =>
    fields.flatMap((nested) => textsOfField(nested, object as object, type, context))
  switch (field.kind) {
    case 'text':
    case 'textarea':
      return [fill(value)]
    case 'richText':
      return [fill(htmlToText(value as string))]
    case 'texts':
      return (value as unknown[]).map(fill)
    case 'object':
      return textsOfObject(value, field.fields)
    case 'objects':
      return (value as unknown[]).flatMap((object) => textsOfObject(object, field.fields))
    case 'blocks':
      return extractBlockTexts(value as StoredBlock[], context)
    default:
      return []
  }
}

/** Replaces tags of sanitized HTML by spaces; inline tags are only removed, so that they divide no word. */
export const htmlToText = (html: string) =>
  unescapeHtml(html.replace(/<\/?(?:strong|em|a|code)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '))

/** Joins the lines of a text by single spaces, and removes control characters: PostgreSQL stores no NUL. */
export const toSingleLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** The names, descriptions, features and terms of the offer items that a `pricing` or `subscriptions` block shows. */
function offerTexts(type: BlockType, { site, locale, placeholdersIn }: TextContext): string[] {
  const items: readonly OfferItem[] =
    type === 'pricing' ? site.offer.prices : type === 'subscriptions' ? site.offer.subscriptions : []
  const localizedTexts = items.flatMap(({ name, description, features, term }) =>
    [name, description, features, ...(term ? [term] : [])].map((text) => localized<string | string[]>(text, locale)),
  )
  return localizedTexts.flatMap(({ value, locale: textLocale }) =>
    [value].flat().map((text) => fillPlaceholders(text, placeholdersIn(textLocale))),
  )
}
