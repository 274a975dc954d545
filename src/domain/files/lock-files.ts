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
 * @param ctx.origin this site's own: a whole address of it names an upload as its path does
 * @param named.at in front of each place
 * @throws {Refusal} `invalid` at each place
 */
export async function judgeFiles(
  tx: Transaction,
  { origin }: Pick<Context, 'origin'>,
  named: { before: unknown; now: unknown; at: readonly string[] },
): Promise<void> {
  const namedIn = (value: unknown) => addressesIn(ownAddresses(JSON.stringify(value ?? null), origin))
  const known = new Set(namedIn(named.before))
  const added = namedIn(named.now).filter((address) => !known.has(address))
  const gone = await listGone(tx, added)
  if (gone.size === 0) return
  const isGone = (text: string) => addressesIn(ownAddresses(text, origin)).some((address) => gone.has(address))
  const problems = placesOf(named.now, isGone, named.at)
    .slice(0, mostProblems)
    .map((place) => ({ path: place.join('.'), key: 'fileGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

function placesOf(value: unknown, isWrong: (text: string) => boolean, at: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return isWrong(value) ? [at] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => placesOf(inner, isWrong, [...at, name]))
}

/** The text without addresses of other websites, whose paths may look the same. The scheme may differ behind a proxy. */
function ownAddresses(text: string, origin: string): string {
  const own = URL.parse(origin)?.host
  return text.replace(/(?:https?:)?\/\/[^\s"'<>\\]+/gi, (address) =>
    URL.parse(address, origin)?.host === own ? address : ' ',
  )
}
