import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillEntryLists, loadFeed } from '../../src/domain/pages/entry-lists.ts'
import { findLivePageOrOverview } from '../../src/domain/pages/find-live-page.ts'
import { withNews } from '../support/collections.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { addManyEntries } from '../support/many-entries.ts'
import { aTestApp } from '../support/test-app.ts'

/** The statements that each visit costs, the rows that they return, and the connections that it uses at once. */
async function costsWith(entries: number, database: DatabaseKind) {
  const { app } = await aTestApp({ database, site: withNews })
  const ctx = app.context()
  const slugs = await addManyEntries(ctx.db, 'nieuws', entries)
  const collection = ctx.site.collections?.[0]
  if (!collection) throw new Error('there is no collection')
  const middle = slugs[Math.floor(slugs.length / 2)]
  const list = (more: object) => [{ type: 'entry-list', from: 'nieuws', count: '3', items: [], ...more }]
  const visits = {
    entry: (where: typeof ctx) => findLivePageOrOverview(where, `/${middle}`, 'nl', new URLSearchParams()),
    overview: (where: typeof ctx) => findLivePageOrOverview(where, '/nieuws', 'nl', new URLSearchParams('pagina=2')),
    newest: (where: typeof ctx) => fillEntryLists(where, 'nl', list({})),
    ofCategory: (where: typeof ctx) => fillEntryLists(where, 'nl', list({ from: 'nieuws/tip' })),
    chosen: (where: typeof ctx) =>
      fillEntryLists(where, 'nl', list({ items: slugs.slice(-8).map((slug) => ({ url: `/${slug}` })) })),
    feed: (where: typeof ctx) => loadFeed(where, collection, 'nl'),
  }
  const costs: Record<string, { statements: number; rows: number; atOnce: number }> = {}
  for (const [name, visit] of Object.entries(visits)) {
    const cost = { statements: 0, rows: 0, atOnce: 0 }
    let open = 0
    const db = ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        cost.statements++
        cost.rows += result.rows.length
        // The connection is in use until the result is handed on.
        open++
        cost.atOnce = Math.max(cost.atOnce, open)
        await setImmediate()
        open--
        return result
      },
    })
    expect(await visit({ ...ctx, db }), name).toBeDefined()
    costs[name] = cost
  }
  return costs
}

test.each(databases)(
  'a visit costs the same number of statements and rows with many entries as with few, on %s',
  async (database) => {
    const few = await costsWith(40, database)
    expect(few.entry?.statements).toBeGreaterThan(1)
    expect(few.feed?.rows).toBeGreaterThan(30)
    expect(few.chosen?.rows).toBeGreaterThan(8)
    for (const list of ['newest', 'ofCategory', 'chosen', 'feed']) expect(few[list]?.atOnce, list).toBe(1)
    expect(await costsWith(800, database)).toEqual(few)
  },
)
