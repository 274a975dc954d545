import type { Database, Transaction } from '../../src/platform/db/database.ts'

const nouns = ['Website', 'Winkel', 'صفحه', 'Brug', 'Serre']

export interface ManyPage {
  id: number
  title: string
  slug: string
  persian: boolean
  live: boolean
  changed: boolean
  planned: boolean
  updatedAt: string
}

/** The page with this index. Every seventh has a Persian text too. */
export const manyPage = (index: number): Omit<ManyPage, 'id'> => ({
  title: `${nouns[index % nouns.length]} ${index % 97} ${index % 900 === 3 ? 'zeldzaam' : 'gewoon'} ${index}`,
  slug: `pagina-${index}`,
  persian: index % 7 === 0,
  live: index % 3 !== 0,
  changed: index % 3 === 1 && index % 5 === 0,
  planned: index % 40 === 0,
  updatedAt: new Date(1.7e12 + ((index * 31) % 20_011) * 60_000).toISOString(),
})

/** Inserts this number of pages, each with a paragraph. */
export async function addManyPages(db: Database, count: number): Promise<ManyPage[]> {
  const made: ManyPage[] = []
  for (let at = 0; at < count; at += 200) {
    const some = Array.from({ length: Math.min(200, count - at) }, (_, index) => manyPage(at + index))
    await db.transaction().execute(async (tx) => made.push(...(await addSome(tx, some))))
  }
  return made
}

async function addSome(tx: Transaction, pages: Omit<ManyPage, 'id'>[]): Promise<ManyPage[]> {
  const ids = await tx
    .insertInto('page')
    .values(
      pages.map((page) => ({
        title: page.title,
        other_title: page.persian ? `فارسی ${page.title}` : '',
        slugs: page.persian ? `${page.slug} ${page.slug}` : page.slug,
        state_nl: page.live ? (page.changed ? 3 : 2) : 1,
        state_fa: page.persian ? 1 : 0,
        scheduled: page.planned ? 1 : 0,
        created_at: page.updatedAt,
        updated_at: page.updatedAt,
        updated_by_name: 'Rik',
      })),
    )
    .returning('id')
    .execute()
  const rows = pages.map((page, index) => ({ ...page, id: ids[index]?.id as number }))
  const text = (page: ManyPage) => ({
    title: page.title,
    slug: page.slug,
    seoTitle: '',
    description: '',
    picture: '',
    noindex: false,
    body: [{ type: 'rich-text', id: 'a', showIf: 'always', anchor: '', content: `<p>${page.title}</p>` }],
  })
  const about = { version: 1, group_id: 0, by_name: 'Rik' }
  const revisions = await tx
    .insertInto('page_revision')
    .values(
      rows.map((page) => ({
        ...about,
        page_id: page.id,
        locale: 'nl' as const,
        text: JSON.stringify(text(page)),
        at: page.updatedAt,
        published: page.live ? 1 : 0,
      })),
    )
    .returning(['id', 'page_id'])
    .execute()
  const revisionOf = new Map(revisions.map((row) => [row.page_id, row.id]))
  const saved = (page: ManyPage) => ({
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
        ...saved(page),
        locale: 'nl' as const,
        live_id: page.live ? (revisionOf.get(page.id) as number) : null,
        live_slug: page.live ? page.slug : null,
        live_date: page.live ? page.updatedAt.slice(0, 10) : null,
        publish_at: page.planned ? '2999-01-01T00:00:00.000Z' : null,
      })),
      ...rows
        .filter((page) => page.persian)
        .map((page) => ({
          ...saved(page),
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
