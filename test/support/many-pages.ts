import type { Database, Transaction } from '../../src/platform/db/database.ts'

const nouns = ['Website', 'Winkel', 'صفحه', 'Brug', 'Serre']

export interface ManyPage {
  id: number
  title: string
  slug: string
  /** Has an unpublished Persian text too. */
  hasPersian: boolean
  /** Its Dutch text is published. */
  isLive: boolean
  /** Has changes that are not published. */
  hasChanges: boolean
  /** Its Dutch text has a time at which it is published. */
  isScheduled: boolean
  updatedAt: string
}

/** What `addManyPages` inserts as the page with this index. */
const manyPage = (index: number): Omit<ManyPage, 'id'> => ({
  title: `${nouns[index % nouns.length]} ${index % 97} ${index % 900 === 3 ? 'zeldzaam' : 'gewoon'} ${index}`,
  slug: `pagina-${index}`,
  hasPersian: index % 7 === 0,
  isLive: index % 3 !== 0,
  hasChanges: index % 3 === 1 && index % 5 === 0,
  isScheduled: index % 40 === 0,
  updatedAt: new Date(1.7e12 + ((index * 31) % 20_011) * 60_000).toISOString(),
})

/** Inserts this number of Dutch pages, each with a paragraph, in batches of 200. */
export async function addManyPages(db: Database, count: number): Promise<ManyPage[]> {
  const inserted: ManyPage[] = []
  for (let start = 0; start < count; start += 200) {
    const batch = Array.from({ length: Math.min(200, count - start) }, (_, index) => manyPage(start + index))
    await db.transaction().execute(async (tx) => inserted.push(...(await insertBatch(tx, batch))))
  }
  return inserted
}

async function insertBatch(tx: Transaction, pages: Omit<ManyPage, 'id'>[]): Promise<ManyPage[]> {
  const ids = await tx
    .insertInto('page')
    .values(
      pages.map((page) => ({
        title: page.title,
        other_title: page.hasPersian ? `فارسی ${page.title}` : '',
        slugs: page.hasPersian ? `${page.slug} ${page.slug}` : page.slug,
        state_nl: page.isLive ? (page.hasChanges ? 3 : 2) : 1,
        state_fa: page.hasPersian ? 1 : 0,
        scheduled: page.isScheduled ? 1 : 0,
        created_at: page.updatedAt,
        updated_at: page.updatedAt,
        updated_by_name: 'Rik',
      })),
    )
    .returning('id')
    .execute()
  const rows = pages.map((page, index) => ({ ...page, id: ids[index]?.id as number }))
  const textOf = (page: ManyPage) => ({
    title: page.title,
    slug: page.slug,
    seoTitle: '',
    description: '',
    picture: '',
    noindex: false,
    body: [{ type: 'rich-text', id: 'a', showIf: 'always', anchor: '', content: `<p>${page.title}</p>` }],
  })
  const commonColumns = { version: 1, group_id: 0, by_name: 'Rik' }
  const revisions = await tx
    .insertInto('page_revision')
    .values(
      rows.map((page) => ({
        ...commonColumns,
        page_id: page.id,
        locale: 'nl' as const,
        text: JSON.stringify(textOf(page)),
        at: page.updatedAt,
        published: page.isLive ? 1 : 0,
      })),
    )
    .returning(['id', 'page_id'])
    .execute()
  const revisionOf = new Map(revisions.map((row) => [row.page_id, row.id]))
  const savedColumns = (page: ManyPage) => ({
    page_id: page.id,
    title: page.title,
    slug: page.slug,
    version: 1,
    saved_id: revisionOf.get(page.id) as number,
    saved_at: page.updatedAt,
    saved_by_name: 'Rik',
  })
  await tx
    .insertInto('page_text')
    .values([
      ...rows.map((page) => ({
        ...savedColumns(page),
        locale: 'nl' as const,
        live_id: page.isLive ? (revisionOf.get(page.id) as number) : null,
        live_slug: page.isLive ? page.slug : null,
        live_date: page.isLive ? page.updatedAt.slice(0, 10) : null,
        publish_at: page.isScheduled ? '2999-01-01T00:00:00.000Z' : null,
      })),
      ...rows
        .filter((page) => page.hasPersian)
        .map((page) => ({
          ...savedColumns(page),
          locale: 'fa' as const,
          live_id: null,
          live_slug: null,
          live_date: null,
          publish_at: null,
        })),
    ])
    .execute()
  return rows
}
