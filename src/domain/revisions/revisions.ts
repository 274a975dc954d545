import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { shownAuthor } from '../audit/record.ts'
import {
  findPreviousRevision,
  findRevisionAsGroup,
  type HistoryGroup,
  type HistoryKey,
  listGroups,
  listSaves,
} from './revision.queries.ts'

/** The requester, and the revisions that are the saved and the published text. */
interface Now {
  actor: Actor
  saved: number | null | undefined
  live?: number | null | undefined
}

/**
 * A history, newest first. Saves by one user at short intervals form a group; `query.line` lists the saves of one
 * group.
 */
export async function listHistory(
  db: Db,
  key: HistoryKey,
  { page, pageSize, line }: RevisionQuery,
  now: Now,
): Promise<ListOf<RevisionGroup>> {
  const part = { offset: (page - 1) * pageSize, limit: pageSize }
  const { groups, total } = line === undefined ? await listGroups(db, key, part) : await listSaves(db, key, line, part)
  const data: RevisionGroup[] = []
  for (const group of groups) data.push(await shownGroup(db, key, group, now))
  return { data, meta: { page, pageSize, total } }
}

/** One save. @throws {Refusal} `not_found` */
export async function getSave(db: Db, key: HistoryKey, id: number, now: Now): Promise<RevisionGroup> {
  const save = await findRevisionAsGroup(db, key, id)
  if (!save) throw new Refusal('not_found')
  return shownGroup(db, key, save, now)
}

async function shownGroup(
  db: Db,
  key: HistoryKey,
  { first, by, ...group }: HistoryGroup,
  { actor, saved, live }: Now,
): Promise<RevisionGroup> {
  const holds = (id: number | null | undefined) => id != null && id >= first && id <= group.id
  return {
    ...group,
    before: await findPreviousRevision(db, key, first),
    by: shownAuthor(by, actor.locale),
    current: holds(saved),
    live: holds(live),
  }
}

const blocks = z.array(blockSchema)

/**
 * Validates earlier blocks against the current schema.
 * @param at their path in the response
 * @throws {Refusal} `invalid`
 */
export function readEarlierBlocks(body: unknown, at: readonly string[]): StoredBlock[] {
  const read = blocks.safeParse(body)
  if (read.success) return read.data
  const paths = new Set(read.error.issues.map(({ path }) => [...at, ...path].join('.')))
  throw new Refusal('invalid', { problems: [...paths].slice(0, 20).map((path) => ({ path, key: 'value' })) })
}
