import { sql } from 'kysely'
import type { Database, Transaction } from './db/database.ts'
import type { Log } from './log/log.ts'

/** Changes older than this many are forgotten; a copy that missed more drops everything it keeps. */
const kept = 1_000

/**
 * Says, in the transaction of a change, what it touches: `site` for all, `page:/disclaimer` for one page. The one row
 * of the clock stays locked until the commit, so the numbers become visible in order and a reader can miss none.
 */
export async function touchContent(tx: Transaction, tags: string[]): Promise<void> {
  const { version } = await tx
    .updateTable('content_clock')
    .set({ version: sql`version + 1` })
    .where('id', '=', 1)
    .returning('version')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('content_change')
    .values([...new Set(tags)].map((tag) => ({ version, tag })))
    .execute()
  await tx
    .deleteFrom('content_change')
    .where('version', '<=', version - kept)
    .execute()
}

/**
 * Lets every other change of content wait until this transaction ends. What was committed before is seen from here on.
 * Whoever takes a lock by name as well takes it first.
 */
export async function holdContent(tx: Transaction): Promise<void> {
  // Writing the row as it is locks it on both databases.
  await tx.updateTable('content_clock').set({ version: sql`version` }).where('id', '=', 1).execute()
}

export interface ContentWatch {
  /** Looks now. Resolves when all that was committed before the call has been told. */
  look(): Promise<void>
  /** Looks no more; resolves when no look is left that is under way. */
  stop(): Promise<void>
}

/** Where the clock stands. Read it before the content: what changes in between is then told, at worst once too often. */
export async function contentVersion(db: Database): Promise<number> {
  const row = await db.selectFrom('content_clock').select('version').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.version
}

/**
 * Tells `changed` which tags were touched since the clock stood at `since`, by whichever copy of the program. Looks
 * every `everyMs` milliseconds, and when told to. `all` stands for more than is remembered.
 */
export function watchContent(parts: {
  db: Database
  log: Log
  since: number
  changed: (tags: string[] | 'all') => Promise<void> | void
  everyMs?: number
}): ContentWatch {
  const { db, log, changed, everyMs = 400 } = parts
  let seen = parts.since
  let looking: Promise<void> | undefined
  let again = false
  let stopped = false
  let failing = false

  const once = async () => {
    const version = await contentVersion(db)
    if (version === seen) return
    const rows = await db
      .selectFrom('content_change')
      .select(['version', 'tag'])
      .where('version', '>', seen)
      .where('version', '<=', version)
      .execute()
    const complete = version > seen && new Set(rows.map((row) => row.version)).size === version - seen
    await changed(complete ? [...new Set(rows.map((row) => row.tag))] : 'all')
    seen = version
  }
  const look = async (): Promise<void> => {
    if (stopped) return
    if (looking) {
      again = true
      return looking
    }
    looking = (async () => {
      do {
        again = false
        await once()
      } while (again && !stopped)
    })()
      .then(works, fails)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  // Looks are many: the log hears when they begin to fail and when they work again, not of each.
  const works = () => {
    if (failing) log.info('looking for changed content works again')
    failing = false
  }
  const fails = (error: unknown) => {
    if (!failing) log.error({ err: error }, 'looking for changed content failed')
    failing = true
    throw error
  }

  const timer = setInterval(() => {
    if (!looking) look().catch(() => {})
  }, everyMs)
  timer.unref()
  return {
    look,
    async stop() {
      stopped = true
      clearInterval(timer)
      // Whoever asked for the look hears what became of it.
      await looking?.catch(() => {})
    },
  }
}
