import { textOfHtml, toLine } from '../blocks/block-texts.ts'
import { escapeHtml } from '../blocks/render-text.tsx'
import { type Collection, type FeedType, feedPath, overviewPath, type ShownValue } from '../contract/collections.ts'
import { imageKey } from '../contract/file-urls.ts'
import { type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders, placeholdersOf } from '../contract/placeholders.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import { loadFeed } from '../domain/pages/entry-lists.ts'
import type { Context } from '../platform/context.ts'

type Ctx = Pick<Context, 'db' | 'site' | 'origin' | 'now' | 'publicImages'>

/** The newest published entries of a collection in one language, as Atom or as JSON Feed. */
export async function renderFeed(
  ctx: Ctx,
  { collection, type }: { collection: Collection; type: FeedType },
  locale: Locale,
): Promise<{ body: string; tags: string[] }> {
  const { site, origin } = ctx
  const { entries, tags } = await loadFeed(ctx, collection, locale)
  const { images } = await findShownFiles(ctx, [entries])
  const plain = (text: string, one: Locale) =>
    withoutControls(fillPlaceholders(text, placeholdersOf(site, one, ctx.now(), '')))
  const name = localized(collection.name, locale)
  const intro = collection.intro && localized(collection.intro, locale)
  // Ids stay when the feed or an entry moves to another address.
  const tag = `tag:${new URL(origin).hostname},2026:${collection.id}`
  const { Feed } = await import('feed')
  const feed = new Feed({
    id: `${tag}:${locale}`,
    title: plain(`${name.value} | ${site.brand}`, name.locale),
    ...(intro && { description: plain(intro.value, intro.locale) }),
    link: origin + overviewPath(site, collection, locale),
    language: locale,
    generator: false,
    author: { name: withoutControls(site.brand), link: `${origin}/` },
    updated: new Date(
      entries
        .map(({ updated }) => updated)
        .sort()
        .at(-1) ?? 0,
    ),
    feedLinks: {
      atom: origin + feedPath(site, collection, locale, 'xml'),
      json: origin + feedPath(site, collection, locale, 'json'),
    },
  })
  for (const entry of entries) {
    const title = plain(entry.title, entry.locale)
    const picture = entry.values.find(({ field }) => field.type === 'picture')
    const src = picture && (images.get(imageKey(String(picture.value)))?.src || String(picture.value))
    const first = entry.values.find(({ field }) => field.type === 'text' || field.type === 'richText')
    const summary = entry.description || (first ? toLine(plainTextOf(first)) : '')
    feed.addItem({
      id: `${tag}:${entry.pageId}:${locale}`,
      // A title is HTML in Atom, and text in JSON Feed.
      title: type === 'xml' ? escapeHtml(title) : title,
      link: origin + entry.path,
      ...(entry.author && { author: [{ name: withoutControls(entry.author) }] }),
      date: new Date(entry.updated),
      published: new Date(entry.date),
      // JSON Feed wants some content.
      description: escapeHtml(summary ? plain(summary, entry.locale) : title),
      ...(src?.startsWith('/') && { image: origin + src }),
    })
  }
  return { body: type === 'xml' ? feed.atom1() : feed.json1(), tags }
}

const plainTextOf = ({ field, value }: ShownValue) =>
  field.type === 'richText' ? textOfHtml(String(value)) : String(value)

/** What XML does not allow, and halves of characters. */
const withoutControls = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
