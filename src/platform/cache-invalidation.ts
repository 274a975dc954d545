import { sql } from 'kysely'
import type { Database, Transaction } from './db/database.ts'
import type { Log } from './log/log.ts'
import { startPoller } from './poller.ts'

/** The number of versions in the log; a process that missed more evicts its whole cache. */
const retainedVersions = 1_000

/**
 * Records which cache tags a change invalidates, in its transaction: `site` for everything, `page:/disclaimer` for one
 * page. The single row of the version counter stays locked until the commit, so versions become visible in order and a
 * reader misses none.
 */
export async function invalidate(tx: Transaction, tags: string[]): Promise<void> {
  const { version } = await tx
    .updateTable('cache_invalidation_version')
    .set({ version: sql`version + 1` })
    .where('id', '=', 1)
    .returning('version')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('cache_invalidation')
    .values([...new Set(tags)].map((tag) => ({ version, tag })))
    .execute()
  await tx
    .deleteFrom('cache_invalidation')
    .where('version', '<=', version - retainedVersions)
    .execute()
}

/**
 * Blocks all other changes of content until this transaction ends, which then sees everything that was committed before. Take
 * named locks before this one, to avoid deadlocks.
 */
export async function lockContent(tx: Transaction): Promise<void> {
  // An update without a change locks the row on both databases.
  await tx.updateTable('cache_invalidation_version').set({ version: sql`version` }).where('id', '=', 1).execute()
}

/** The current version. Read it before the content, so that no change in between is missed; one may be reported twice. */
export async function invalidationVersion(db: Database): Promise<number> {
  const row = await db
    .selectFrom('cache_invalidation_version')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.version
}

/**
 * Calls `reload` and then `evict` with the tags that any process has invalidated since version `since`. Checks every `everyMs`
 * milliseconds, and on `runNow()`, which resolves when everything that was committed before the call has been passed on.
 * The tags are `'all'` when the log no longer has every version since. While `reload` fails it is repeated with all of its tags, and
 * only new tags are evicted; all of them are once more when it succeeds.
 */
export function watchInvalidations(options: {
  db: Database
  log: Log
  since: number
  /** May add tags to the array; these are evicted too. */
  reload: (tags: string[] | 'all') => Promise<void> | void
  evict: (tags: string[] | 'all') => void
  everyMs?: number
}): ReturnType<typeof startPoller> {
  const { db, log, reload, evict, everyMs = 400 } = options
  let seen = options.since
  let evicted = seen
  return startPoller({
    task: 'checking for changed content',
    log,
    initialDelayMs: everyMs,
    retryMs: everyMs,
    async run() {
      const version = await invalidationVersion(db)
      if (version === seen) return everyMs
      const rows = await db
        .selectFrom('cache_invalidation')
        .select(['version', 'tag'])
        .where('version', '>', seen)
        .where('version', '<=', version)
        .execute()
      const tagsAfter = (known: number) => {
        const newer = rows.filter((row) => row.version > known)
        const complete = version > known && new Set(newer.map((row) => row.version)).size === version - known
        return complete ? [...new Set(newer.map((row) => row.tag))] : 'all'
      }
      const tags = tagsAfter(seen)
      try {
        await reload(tags)
      } catch (error) {
        if (version !== evicted) evict(tagsAfter(evicted))
        evicted = version
        throw error
      }
      evict(tags)
      seen = version
      evicted = version
      return everyMs
    },
  })
}
