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
 * Lets no file be added, changed or deleted by another transaction until this one ends. Taken after the locks of pages
 * and of the configuration, and before the cache invalidation log is written.
 */
export const lockFiles = (tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> =>
  ctx.dialect.lock(tx, 'files')

const maxProblems = 20

/**
 * Refuses content that refers to a deleted file; references that were there before are left alone. Needs `lockFiles`.
 * @param ctx.origin of this site: an absolute URL of it refers to an upload as its path does
 * @param content.at the path of the content within the request
 * @throws {Refusal} `invalid` at each reference
 */
export async function refuseMissingFiles(
  tx: Transaction,
  { origin }: Pick<Context, 'origin'>,
  content: { before: unknown; now: unknown; at: readonly string[] },
): Promise<void> {
  const referencesIn = (value: unknown) => publicFileIdsIn(withoutOtherSites(JSON.stringify(value ?? null), origin))
  const known = new Set(referencesIn(content.before))
  const added = referencesIn(content.now).filter((publicId) => !known.has(publicId))
  const missing = await listUnknownPublicIds(tx, added)
  if (missing.size === 0) return
  const isMissing = (text: string) => publicFileIdsIn(withoutOtherSites(text, origin)).some((id) => missing.has(id))
  const problems = pathsOf(content.now, isMissing, content.at)
    .slice(0, maxProblems)
    .map((path) => ({ path: path.join('.'), key: 'fileGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

function pathsOf(value: unknown, isWrong: (text: string) => boolean, at: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return isWrong(value) ? [at] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, isWrong, [...at, name]))
}

/** Removes URLs of other sites, whose paths may look the same. Behind a proxy the scheme of this site may differ. */
function withoutOtherSites(text: string, origin: string): string {
  const own = URL.parse(origin)?.host
  return text.replace(/(?:https?:)?\/\/[^\s"'<>\\]+/gi, (url) => (URL.parse(url, origin)?.host === own ? url : ' '))
}

/**
 * Makes the alt text of an image on a page that is published the file's description, when the file has none in that
 * language; it is shown where the image has no alt text of its own. Needs `lockFiles`.
 */
export async function describeImages(
  tx: Transaction,
  ctx: Pick<Context, 'now'> & { actor?: Context['actor'] },
  content: { locale: Locale; value: unknown },
): Promise<void> {
  const described = new Map(descriptionsIn(content.value))
  for (const [publicId, file] of await findFilesByPublicId(tx, [...described.keys()])) {
    const alt = described.get(publicId)
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

/** Of every object with an upload as its `src` and an `alt`. One with a placeholder describes an image only on this page. */
function descriptionsIn(value: unknown): [publicId: string, alt: string][] {
  if (typeof value !== 'object' || value === null) return []
  const { src, alt } = value as Record<string, unknown>
  const description = typeof alt === 'string' && alt.search(placeholderPattern) < 0 ? alt.trim() : ''
  const images = typeof src === 'string' && description ? publicFileIdsIn(src) : []
  return [
    ...images.map((publicId): [string, string] => [publicId, description]),
    ...Object.values(value).flatMap(descriptionsIn),
  ]
}
