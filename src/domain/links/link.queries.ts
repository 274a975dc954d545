import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Database } from '../../platform/db/database.ts'
import { selectHiddenIds } from '../pages/entry.queries.ts'
import { hasTargetPath } from '../redirects/redirect.queries.ts'

/** The published or the saved text of a page in one language. */
interface StoredPageText {
  pageId: number
  locale: Locale
  title: string
  /** Whether `content` is the published or the saved one; `live` when they are the same. */
  text: 'live' | 'saved'
  /** The id of the collection that the page is an entry of. */
  collection: string | null
  content: Content
}

/** What may have links in a text: its blocks, and the values of an entry. */
type Content = Pick<PageText, 'fields'> & { body: StoredBlock[] }

type PageKey = Pick<StoredPageText, 'pageId' | 'locale'>
export type DraftKey = PageKey & { userId: number }

/** The number of rows per query: few enough to be read and parsed without delaying visitors. */
const batchSize = 25

/** The next batch of the texts of pages outside the trash, after the `last` of the previous; undefined at the end. */
export async function listNextTexts(
  db: Database,
  after: PageKey | undefined,
): Promise<{ texts: StoredPageText[]; last: PageKey } | undefined> {
  const rows = await db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select(['page_id as pageId', 'locale', 'page_text.title', 'saved_id', 'live_id', 'collection'])
    .where('page.deleted_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('page_id', '>', after?.pageId as number),
          eb.and([eb('page_id', '=', after?.pageId as number), eb('locale', '>', after?.locale as Locale)]),
        ]),
      ),
    )
    .orderBy('page_id')
    .orderBy('locale')
    .limit(batchSize)
    .execute()
  const last = rows.at(-1)
  if (!last) return undefined
  const ids = rows.flatMap(({ saved_id, live_id }) => (live_id === null ? [saved_id] : [saved_id, live_id]))
  const revisions = await db.selectFrom('page_revision').select(['id', 'text']).where('id', 'in', ids).execute()
  const contentOf = new Map(revisions.map(({ id, text }) => [id, JSON.parse(text) as Content]))
  const texts = rows.flatMap(({ saved_id, live_id, ...row }) => {
    const withContent = (id: number, text: StoredPageText['text']) => ({
      ...row,
      text,
      content: contentOf.get(id) ?? { body: [] },
    })
    const live = live_id === null ? [] : [withContent(live_id, 'live')]
    return saved_id === live_id ? live : [...live, withContent(saved_id, 'saved')]
  })
  return { texts, last: { pageId: last.pageId, locale: last.locale } }
}

/** The next batch of drafts of all users, of pages outside the trash. @param after the last of the previous batch */
export async function listNextDrafts(
  db: Database,
  after: DraftKey | undefined,
): Promise<(Omit<StoredPageText, 'text'> & { userId: number })[]> {
  const rows = await db
    .selectFrom('page_draft')
    .innerJoin('page', 'page.id', 'page_draft.page_id')
    .select(['page_id as pageId', 'locale', 'user_id as userId', 'page_draft.title', 'text', 'collection'])
    .where('page.deleted_at', 'is', null)
    .where('text', 'is not', null)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('page_id', 'locale', 'user_id'),
          '>',
          eb.tuple(after?.pageId as number, after?.locale as Locale, after?.userId as number),
        ),
      ),
    )
    .orderBy('page_id')
    .orderBy('locale')
    .orderBy('user_id')
    .limit(batchSize)
    .execute()
  return rows.map(({ text, ...row }) => ({ ...row, content: JSON.parse(text as string) }))
}

export interface SectionKey {
  id: string
  name: string
  locale: Locale
}

/** The next batch of the texts of sections, ordered by name. @param after the last of the previous batch */
export async function listNextSectionTexts(
  db: Database,
  after: SectionKey | undefined,
): Promise<(SectionKey & { body: StoredBlock[] })[]> {
  const rows = await db
    .selectFrom('section_text')
    .innerJoin('section', 'section.id', 'section_text.section_id')
    .select(['section.id', 'section.name', 'section_text.locale', 'section_text.body'])
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('section.name', 'section.id', 'section_text.locale'),
          '>',
          eb.tuple(after?.name as string, after?.id as string, after?.locale as Locale),
        ),
      ),
    )
    .orderBy('section.name')
    .orderBy('section.id')
    .orderBy('section_text.locale')
    .limit(batchSize)
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) }))
}

/** The language and slug of each published text, without entries of removed collections. */
export async function listShownSlugs(
  db: Database,
  site: Pick<SiteConfig, 'collections'>,
): Promise<{ locale: Locale; slug: string }[]> {
  const rows = await db
    .selectFrom('page_text')
    .select(['locale', 'live_slug'])
    .where('live_slug', 'is not', null)
    .where('page_id', 'not in', selectHiddenIds(db, site))
    .execute()
  return rows.map(({ locale, live_slug }) => ({ locale, slug: live_slug as string }))
}

/** The paths that redirect to any of these. */
export async function listRedirectsTo(db: Database, paths: readonly string[]): Promise<string[]> {
  const sources: string[] = []
  for (const path of paths) {
    const rows = await db.selectFrom('redirect').select('from_path').where(hasTargetPath(path)).execute()
    sources.push(...rows.map(({ from_path }) => from_path))
  }
  return sources
}
