import { z } from 'zod'
import { findCollection, type ListedEntry, overviewPath } from '../contract/collections.ts'
import { limits } from '../contract/limits.ts'
import { localizeDigits } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { linkUrl } from '../contract/url.ts'
import { renderWork, workSizes } from './cases.tsx'
import {
  defineBlock,
  fieldKinds,
  labelFrom,
  type RenderContext,
  sectionFields,
  sectionLabels,
  shortText,
} from './define-block.ts'
import { renderImage } from './render-image.tsx'
import { rawHtml, renderHtml, renderSection, renderText } from './render-text.tsx'
import { renderValue } from './render-value.tsx'

/** The id of a collection, or of one of its categories: `nieuws`, `nieuws/tips`. Empty: only `items` are listed. */
const entrySource = z
  .string()
  .max(81)
  .regex(/^([a-z0-9-]+(\/[a-z0-9-]+)?)?$/, 'itemId')
  .register(fieldKinds, { kind: 'collection' })

const counts = ['3', '4', '6', '9', '12', '24'] as const
const countLabels = Object.fromEntries(
  counts.map((count) => [`count.${count}`, labelFrom((locale) => localizeDigits(locale, count))]),
)

export const entryList = defineBlock({
  type: 'entry-list',
  group: 'lists',
  fullWidth: true,
  stylesheets: ['section', 'image', 'cases'],
  fields: {
    ...sectionFields,
    from: entrySource,
    /** The listed entries; empty: the newest ones of `from`. */
    items: z
      .array(z.strictObject({ url: linkUrl }))
      .max(limits.listedEntries)
      .default([]),
    /** The maximum number of newest entries. */
    count: z.enum(counts).default('6'),
    pictures: z.boolean().default(true),
    /** The text of a link to the overview; empty: no link. */
    overview: shortText.default(''),
  },
  labels: {
    name: { nl: 'Lijst uit een verzameling', fa: 'فهرستی از یک مجموعه', en: 'List from a collection' },
    hint: {
      nl: 'De nieuwste of gekozen items: projecten, nieuws, vacatures.',
      fa: 'تازه‌ترین موردها یا موردهای برگزیده: پروژه‌ها، خبرها، فرصت‌های شغلی.',
      en: 'The newest items or those you choose: projects, news, vacancies.',
    },
    keywords: {
      nl: 'nieuws projecten vacatures blog berichten overzicht collectie',
      fa: 'خبر پروژه شغل وبلاگ نوشته‌ها مجموعه',
      en: 'news projects vacancies jobs blog articles overview',
    },
    fields: {
      ...sectionLabels,
      from: { nl: 'Verzameling', fa: 'مجموعه', en: 'Collection' },
      items: { nl: 'Gekozen items', fa: 'موردهای برگزیده', en: 'Chosen items' },
      count: { nl: 'Hoeveel van de nieuwste', fa: 'چند مورد از تازه‌ترین‌ها', en: 'How many of the newest' },
      pictures: { nl: 'Met afbeelding', fa: 'همراه با تصویر', en: 'With image' },
      overview: {
        nl: 'Tekst van de link naar het overzicht',
        fa: 'متن پیوند به فهرست کامل',
        en: 'Text of the link to the overview',
      },
    },
    nestedFields: { 'items.url': { nl: 'Pagina', fa: 'صفحه', en: 'Page' } },
    choices: countLabels,
  },
  defaults: {
    nl: { anchor: 'nieuws', title: 'Nieuws', from: 'nieuws', count: '3', overview: 'Alle berichten' },
    fa: { anchor: 'nieuws', title: 'خبرها', from: 'nieuws', count: '3', overview: 'همهٔ خبرها' },
    en: { anchor: 'news', title: 'News', from: 'nieuws', count: '3', overview: 'All articles' },
  },
  View(block, context) {
    const { site, locale, entryLists, t } = context
    const inEditor = entryLists !== undefined
    const request = entryListRequestOf(block)
    const entries = inEditor ? request && entryLists.get(entryListKey(request)) : (block as ShownEntryList).entries
    const collection = findCollection(site, collectionIdOf(block.from))
    if (!entries || entries.length === 0) {
      // Only the editor shows the block without entries.
      if (!inEditor) return null
      const note = collection || block.items.length > 0 ? t('site.collection.empty') : t('site.collection.gone')
      const isLoading = !entries && collection
      return renderSection(block, 'cases', context, <p>{isLoading ? '' : note}</p>)
    }
    return renderSection(
      block,
      'cases',
      context,
      <>
        <ul className="works">{entries.map((entry) => renderEntry(entry, block.pictures, context))}</ul>
        {collection && block.overview && (
          <p className="all">
            <a href={overviewPath(site, collection, locale)}>{renderText(block.overview, context)}</a>
          </p>
        )}
      </>,
    )
  },
})

function renderEntry(entry: ListedEntry, withImage: boolean, context: RenderContext) {
  const placeholders = context.placeholdersIn(entry.locale)
  const entryContext = { ...context, contentLocale: entry.locale, placeholders }
  const image = withImage ? entry.values.find(({ field }) => field.type === 'picture') : undefined
  const texts = entry.values.filter(isParagraph)
  const facts = entry.values.filter((value) => value.field.type !== 'picture' && !isParagraph(value))
  return renderWork(
    {
      key: entry.path,
      locale: entry.locale,
      image: image && renderImage({ src: String(image.value), alt: '', sizes: workSizes }, entryContext),
      facts: facts.map((fact) => renderValue(fact, entryContext)),
      title: <a href={entry.path}>{renderText(entry.title, entryContext)}</a>,
      text: texts.map(({ field, value }) =>
        field.type === 'text' ? (
          <p key={field.id}>{value}</p>
        ) : (
          <div key={field.id} className="text">
            {rawHtml('div', {}, renderHtml(String(value), entryContext))}
          </div>
        ),
      ),
    },
    context,
  )
}

const maxFactChars = 60

/** Whether a value is rendered as a paragraph instead of a fact: rich text, a sentence, or a longer text. */
function isParagraph({ field, value }: ListedEntry['values'][number]): boolean {
  if (field.type !== 'text') return field.type === 'richText'
  const text = String(value)
  return text.length > maxFactChars || /[.!?؟…]$/.test(text)
}

/** An `entry-list` block with the entries that it lists, which are never stored. */
export interface ShownEntryList extends StoredBlock {
  entries?: readonly ListedEntry[]
}

/** Which entries a block lists. */
const entryListRequest = z.strictObject({
  from: entrySource,
  urls: z.array(linkUrl).max(limits.listedEntries),
  count: z.int().min(1).max(limits.listedEntries),
})
export type EntryListRequest = z.infer<typeof entryListRequest>

/** Identifies a request in `RenderContext.entryLists`. */
export const entryListKey = ({ from, urls, count }: EntryListRequest): string => JSON.stringify([from, urls, count])

/** The collection in the `from` of a block. */
export const collectionIdOf = (from: string): string => from.split('/')[0] ?? ''

/** The category in the `from` of a block. */
export const categoryOf = (from: string): string | undefined => from.split('/')[1]

/** Which entries an `entry-list` block lists. Undefined for any other block, and for invalid values in a draft. */
export function entryListRequestOf(block: StoredBlock): EntryListRequest | undefined {
  if (block.type !== 'entry-list') return undefined
  const { from, items = [], count = '6' } = block as StoredBlock & { from?: unknown; items?: unknown; count?: unknown }
  const urls = Array.isArray(items)
    ? items.flatMap((item) => linkUrl.safeParse((item as { url?: unknown } | null)?.url).data ?? [])
    : []
  return entryListRequest.safeParse({ from, urls, count: Number(count) }).data
}
