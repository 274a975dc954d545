import { sql } from 'kysely'
import type { Database, Transaction } from './db/database.ts'
import type { Log } from './log/log.ts'
import { startPoller } from './poller.ts'

/** The number of versions that stay in the log; a process that missed more evicts its whole cache. */
const retainedVersions = 1_000

/**
 * Records the cache tags that a change invalidates, in its transaction: `site` for everything, `page:/disclaimer` for
 * one page. The single row of the version counter stays locked until the commit, so versions become visible in order.
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
 * Blocks all other changes of content until this transaction ends; from now on it sees everything that was committed
 * before. To avoid deadlocks, take named locks before this one.
 */
export async function lockContent(tx: Transaction): Promise<void> {
  // An update without a change locks the row on both databases.
  await tx.updateTable('cache_invalidation_version').set({ version: sql`version` }).where('id', '=', 1).execute()
}

/** The current version. Read it before the content: then no change is missed, but some may be reported again. */
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
 * milliseconds, and on `runNow()`, which resolves when everything that was committed before the call has been handled.
 * The tags are `'all'` when the log no longer has every version. When `reload` fails, it is repeated with the same and
 * any newer tags; meanwhile each tag is evicted once, and when it succeeds all tags are evicted again.
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
  let reloadedVersion = options.since
  let evictedVersion = reloadedVersion
  return startPoller({
    task: 'checking for changed content',
    log,
    initialDelayMs: everyMs,
    retryMs: everyMs,
    async run() {
      const version = await invalidationVersion(db)
      if (version === reloadedVersion) return everyMs
      const rows = await db
        .selectFrom('cache_invalidation')
        .select(['version', 'tag'])
        .where('version', '>', reloadedVersion)
        .where('version', '<=', version)
        .execute()
      const tagsAfter = (start: number) => {
        const newer = rows.filter((row) => row.version > start)
        const isComplete = version > start && new Set(newer.map((row) => row.version)).size === version - start
        return isComplete ? [...new Set(newer.map((row) => row.tag))] : 'all'
      }
      const tags = tagsAfter(reloadedVersion)
      try {
        await reload(tags)
      } catch (error) {
        if (version !== evictedVersion) evict(tagsAfter(evictedVersion))
        evictedVersion = version
        throw error
      }
      evict(tags)
      reloadedVersion = version
      evictedVersion = version
      return everyMs
    },
  })
}
