import { Refusal } from '../../contract/errors.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { listGone } from './file.queries.ts'

/**
 * Lets files neither come nor go until the transaction ends: what a text names then is there, or it is known not to be.
 * Taken after the locks of pages and of the configuration, and before content is touched.
 */
export const lockFiles = (tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> =>
  ctx.dialect.lock(tx, 'files')

const mostProblems = 20

/**
 * Refuses what names an upload that is no more; what was named before is left alone. It wants the lock of files.
 * @param named.at in front of each place
 * @throws {Refusal} `invalid` at each place
 */
export async function judgeFiles(
  tx: Transaction,
  named: { before: unknown; now: unknown; at: readonly string[] },
): Promise<void> {
  const known = new Set(addressesIn(JSON.stringify(named.before ?? null)))
  const added = addressesIn(JSON.stringify(named.now)).filter((address) => !known.has(address))
  const gone = await listGone(tx, added)
  if (gone.size === 0) return
  const problems = placesOf(named.now, gone, named.at)
    .slice(0, mostProblems)
    .map((place) => ({ path: place.join('.'), key: 'fileGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

function placesOf(value: unknown, gone: ReadonlySet<string>, at: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return ownIn(value).some((address) => gone.has(address)) ? [at] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => placesOf(inner, gone, [...at, name]))
}

/** Without those of other websites, which look the same behind their host. */
const ownIn = (text: string) => addressesIn(text.replace(/https?:\/\/[^/\s]+\/files\//gi, ' '))
