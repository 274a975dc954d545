import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Database } from '../../platform/db/database.ts'
import { selectHiddenIds } from '../pages/entry.queries.ts'
import { hasTargetPath } from '../redirects/redirect.queries.ts'

/** A text of a page, and which of its texts that is. */
export interface HeldText {
  pageId: number
  locale: Locale
  title: string
  text: 'live' | 'saved'
  /** The id of the collection that the page is an entry of. */
  collection: string | null
  content: Content
}

/** The content of a text that may have links: its blocks, and the values of an entry. */
type Content = Pick<PageText, 'fields'> & { body: StoredBlock[] }

type PageKey = Pick<HeldText, 'pageId' | 'locale'>

/** Pages in one language per query: few enough to be read and parsed without delaying visitors. */
const slice = 25

/** The next saved and published texts of pages that are not in the trash, after a page. @returns undefined at the end */
export async function listNextTexts(
  db: Database,
  after: PageKey | undefined,
): Promise<{ texts: HeldText[]; last: PageKey } | undefined> {
  const rows = await db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select(['page_id', 'locale', 'page_text.title', 'saved_id', 'live_id', 'collection'])
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
    .limit(slice)
    .execute()
  const last = rows.at(-1)
  if (!last) return undefined
  const ids = rows.flatMap(({ saved_id, live_id }) => (live_id === null ? [saved_id] : [saved_id, live_id]))
  const revisions = await db.selectFrom('page_revision').select(['id', 'text']).where('id', 'in', ids).execute()
  const contentOf = new Map(revisions.map(({ id, text }) => [id, JSON.parse(text) as Content]))
  const texts = rows.flatMap(({ page_id, locale, title, saved_id, live_id, collection }) => {
    const held = (id: number, text: HeldText['text']) => ({
      pageId: page_id,
      locale,
      title,
      text,
      collection,
      content: contentOf.get(id) ?? { body: [] },
    })
    const live = live_id === null ? [] : [held(live_id, 'live')]
    return saved_id === live_id ? live : [...live, held(saved_id, 'saved')]
  })
  return { texts, last: { pageId: last.page_id, locale: last.locale } }
}

/** Drafts after one of them, of every user. */
export async function listNextDrafts(
  db: Database,
  after: (PageKey & { userId: number }) | undefined,
): Promise<(Omit<HeldText, 'text'> & { userId: number })[]> {
  const rows = await db
    .selectFrom('page_draft')
    .innerJoin('page', 'page.id', 'page_draft.page_id')
    .select(['page_id', 'locale', 'user_id', 'page_draft.title', 'text', 'collection'])
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
    .limit(slice)
    .execute()
  return rows.map(({ page_id, locale, user_id, title, text, collection }) => ({
    pageId: page_id,
    locale,
    userId: user_id,
    title,
    collection,
    content: JSON.parse(text as string),
  }))
}

/** The blocks of all saved sections. */
export async function listSectionTexts(
  db: Database,
): Promise<{ id: string; name: string; locale: Locale; body: StoredBlock[] }[]> {
  const rows = await db
    .selectFrom('section_text')
    .innerJoin('section', 'section.id', 'section_text.section_id')
    .select(['section.id', 'section.name', 'section_text.locale', 'section_text.body'])
    .orderBy('section.name')
    .orderBy('section_text.locale')
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) }))
}

/** Every address of a live page, without those of hidden entries: its language and slug. */
export async function listLiveSlugs(
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

/** The paths that redirect to one of these. */
export async function listRedirectsTo(db: Database, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const rows = await db.selectFrom('redirect').select('from_path').where(hasTargetPath(path)).execute()
    found.push(...rows.map(({ from_path }) => from_path))
  }
  return found
}
