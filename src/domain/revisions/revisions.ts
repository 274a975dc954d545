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
  listGroupRevisions,
  listGroups,
} from './revision.queries.ts'

/** The requester, and the ids of the revisions that are saved and live now; null or undefined where there is none. */
interface HistoryViewer {
  actor: Actor
  savedId: number | null | undefined
  liveId?: number | null | undefined
}

/**
 * A history, newest first. Saves by one user at short intervals form a group; with `line`, the id of a revision, the
 * revisions of its group are listed one by one.
 */
export async function listHistory(
  db: Db,
  key: HistoryKey,
  { page, pageSize, line }: RevisionQuery,
  viewer: HistoryViewer,
): Promise<ListOf<RevisionGroup>> {
  const range = { offset: (page - 1) * pageSize, limit: pageSize }
  const { groups, total } =
    line === undefined ? await listGroups(db, key, range) : await listGroupRevisions(db, key, line, range)
  const data: RevisionGroup[] = []
  for (const group of groups) data.push(await toRevisionGroup(db, key, group, viewer))
  return { data, meta: { page, pageSize, total } }
}

/** One revision as a group of its own. @throws {Refusal} `not_found` */
export async function getRevisionAsGroup(db: Db, key: HistoryKey, id: number, viewer: HistoryViewer) {
  const group = await findRevisionAsGroup(db, key, id)
  if (!group) throw new Refusal('not_found')
  return toRevisionGroup(db, key, group, viewer)
}

async function toRevisionGroup(
  db: Db,
  key: HistoryKey,
  { first, by, ...group }: HistoryGroup,
  { actor, savedId, liveId }: HistoryViewer,
): Promise<RevisionGroup> {
  // A group has all revisions of its history from `first` to its own id, that of the newest.
  const includes = (id: number | null | undefined) => id != null && id >= first && id <= group.id
  return {
    ...group,
    before: await findPreviousRevision(db, key, first),
    by: shownAuthor(by, actor.locale),
    current: includes(savedId),
    live: includes(liveId),
  }
}

const blocks = z.array(blockSchema)
const maxProblems = 20

/**
 * Validates the blocks of an earlier revision against the current schema.
 * @param bodyPath the path of the blocks in the paths of the problems
 * @throws {Refusal} `invalid` with the key `value` at each invalid field
 */
export function parseStoredBlocks(body: unknown, bodyPath: readonly string[]): StoredBlock[] {
  const parsed = blocks.safeParse(body)
  if (parsed.success) return parsed.data
  const paths = new Set(parsed.error.issues.map(({ path }) => [...bodyPath, ...path].join('.')))
  throw new Refusal('invalid', { problems: [...paths].slice(0, maxProblems).map((path) => ({ path, key: 'value' })) })
}
