import { findCollection } from '../contract/collections.ts'
import { type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders, type Placeholders } from '../contract/placeholders.ts'
import type { OfferItem, SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { collectionIdOf } from './entry-list.tsx'
import { type Field, fieldsOf } from './fields.ts'
import type { AnyBlock, BlockType } from './registry.ts'
import { unescaped } from './render-text.tsx'
import type { ShownSection } from './section.tsx'

interface Reader {
  site: SiteConfig
  locale: Locale
  placeholdersIn: (locale: Locale) => Placeholders
}

/**
 * The texts of blocks that an anonymous visitor reads, in the order of the page: those of their fields, of their sections
 * and of the offer, with placeholders filled and without the tags of rich text.
 */
export function textsOf(body: readonly StoredBlock[], reader: Reader): string[] {
  return (body as readonly AnyBlock[]).flatMap((block): string[] => {
    if (block.showIf === 'logged-in' || isNavigation(block.type) || showsNothing(block, reader.site)) return []
    const { content } = block as ShownSection
    if (block.type === 'section') return content ? textsOf(content.body, { ...reader, locale: content.locale }) : []
    const own = fieldsOf(block.type).flatMap((field) => textsOfField(field, block, block.type, reader))
    return [...own, ...offerTexts(block.type, reader)].map(toLine).filter((text) => text !== '')
  })
}

const isNavigation = (type: BlockType) => type === 'menu' || type === 'social-icons'

/** A form or a collection that the site no longer has. */
const showsNothing = (block: AnyBlock, site: SiteConfig): boolean =>
  (block.type === 'form' && !site.forms?.some(({ id }) => id === block.form)) ||
  (block.type === 'entry-list' && block.items.length === 0 && !findCollection(site, collectionIdOf(block.from)))

/** Fields that are attributes in the page, such as the description of an image. */
const isAttribute = (type: BlockType, { name, path }: Field) =>
  name === 'alt' || path === 'style' || (type === 'logos' && name === 'name') || (type === 'video' && name === 'title')

function textsOfField(field: Field, holder: object, type: BlockType, reader: Reader): string[] {
  const value = (holder as Record<string, unknown>)[field.name]
  const hasNoLink = field.name === 'linkTitle' && (holder as { url?: string }).url === undefined
  if (value === undefined || isAttribute(type, field) || hasNoLink) return []
  const fill = (text: unknown) => fillPlaceholders(text as string, reader.placeholdersIn(reader.locale))
  const within = (entry: unknown, fields: readonly Field[]) =>
    fields.flatMap((inner) => textsOfField(inner, entry as object, type, reader))
  switch (field.kind) {
    case 'text':
    case 'textarea':
      return [fill(value)]
    case 'richText':
      return [fill(textOfHtml(value as string))]
    case 'texts':
      return (value as unknown[]).map(fill)
    case 'object':
      return within(value, field.fields)
    case 'objects':
      return (value as unknown[]).flatMap((entry) => within(entry, field.fields))
    case 'blocks':
      return textsOf(value as StoredBlock[], reader)
    default:
      return []
  }
}

/** Tags within a word do not divide it. */
export const textOfHtml = (html: string) =>
  unescaped(html.replace(/<\/?(?:strong|em|a|code)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '))

/** Without control characters: PostgreSQL stores no NUL. */
export const toLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** The names and features of what the company offers, which these blocks show. */
function offerTexts(type: BlockType, { site, locale, placeholdersIn }: Reader): string[] {
  const items: readonly OfferItem[] =
    type === 'pricing' ? site.offer.prices : type === 'subscriptions' ? site.offer.subscriptions : []
  return items.flatMap(({ name, description, features, term }) =>
    [name, description, features, ...(term ? [term] : [])].flatMap((text) => {
      const found = localized<string | string[]>(text, locale)
      return [found.value].flat().map((one) => fillPlaceholders(one, placeholdersIn(found.locale)))
    }),
  )
}
