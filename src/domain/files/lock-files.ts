import { Refusal } from '../../contract/errors.ts'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import { altIn } from '../../contract/images.ts'
import type { Locale } from '../../contract/locales.ts'
import { placeholderPattern } from '../../contract/placeholders.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { findFilesByPublicId, listUnknownPublicIds } from './file.queries.ts'
import { updateFileAlt } from './file-write.queries.ts'
import { fileAuditFields, fileSubject } from './show-file.ts'

/**
 * Locks all files: no other transaction adds, changes or deletes one until this one ends. To prevent deadlocks it is
 * taken after the locks of pages and of the configuration, and before the cache invalidation log is written.
 */
export const lockFiles = (tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> =>
  ctx.dialect.lock(tx, 'files')

const maxProblems = 20

/**
 * Refuses content with new references to deleted files; references that it had before are allowed. Needs `lockFiles`.
 * @param ctx.origin of this site, whose absolute URLs are references too
 * @param content.path of the content within the request
 * @throws {Refusal} `invalid` at each reference
 */
export async function refuseMissingFiles(
  tx: Transaction,
  { origin }: Pick<Context, 'origin'>,
  content: { before: unknown; after: unknown; path: readonly string[] },
): Promise<void> {
  const referencesIn = (value: unknown) => publicFileIdsIn(withoutOtherSites(JSON.stringify(value ?? null), origin))
  const earlier = new Set(referencesIn(content.before))
  const added = referencesIn(content.after).filter((publicId) => !earlier.has(publicId))
  const missing = await listUnknownPublicIds(tx, added)
  if (missing.size === 0) return
  const refersToMissing = (text: string) =>
    publicFileIdsIn(withoutOtherSites(text, origin)).some((id) => missing.has(id))
  const problems = findPaths(content.after, refersToMissing, content.path)
    .slice(0, maxProblems)
    .map((path) => ({ path: path.join('.'), key: 'fileGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** The paths of all strings in a value that match, each beginning with `path`. */
function findPaths(value: unknown, matches: (text: string) => boolean, path: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return matches(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => findPaths(inner, matches, [...path, name]))
}

/**
 * Removes URLs of other sites, whose paths may look the same. Only hosts are compared: behind a proxy the scheme may
 * differ.
 */
function withoutOtherSites(text: string, origin: string): string {
  const ownHost = URL.parse(origin)?.host
  return text.replace(/(?:https?:)?\/\/[^\s"'<>\\]+/gi, (url) => (URL.parse(url, origin)?.host === ownHost ? url : ' '))
}

/** Copies alt texts from content to files that have none in that language, as their default elsewhere. Needs `lockFiles`. */
export async function describeImages(
  tx: Transaction,
  ctx: Pick<Context, 'now'> & { actor?: Context['actor'] },
  content: { locale: Locale; value: unknown },
): Promise<void> {
  const altById = new Map(listAltTexts(content.value))
  for (const [publicId, file] of await findFilesByPublicId(tx, [...altById.keys()])) {
    const alt = altById.get(publicId)
    if (!alt || file.kind !== 'picture' || altIn(file.alt, content.locale)) continue
    const after = { ...file, alt: { ...file.alt, [content.locale]: alt } }
    await updateFileAlt(tx, file.id, after.alt, ctx.now())
    await record(
      tx,
      { now: ctx.now, actor: ctx.actor },
      {
        action: 'file.updated',
        subject: fileSubject(file),
        before: fileAuditFields(file),
        after: fileAuditFields(after),
      },
    )
    await invalidate(tx, ['page'])
  }
}

/**
 * The alt texts of all objects with `alt` and an upload as `src`. A text with a placeholder is specific to its page, so
 * it is left out.
 */
function listAltTexts(value: unknown): [publicId: string, alt: string][] {
  if (typeof value !== 'object' || value === null) return []
  const { src, alt } = value as Record<string, unknown>
  const altText = typeof alt === 'string' && alt.search(placeholderPattern) < 0 ? alt.trim() : ''
  const publicIds = typeof src === 'string' && altText ? publicFileIdsIn(src) : []
  return [
    ...publicIds.map((publicId): [string, string] => [publicId, altText]),
    ...Object.values(value).flatMap(listAltTexts),
  ]
}
