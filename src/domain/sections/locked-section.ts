import { sectionIdsIn } from '../../blocks/section.tsx'
import { isLocked, revertLockedChanges } from '../../blocks/structure-lock.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { lockOf } from '../../contract/locks.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { listLocksByPage } from '../locks/list-locks.ts'
import { listContainingSections, listLockedTexts, type SectionBodies } from './section.queries.ts'

/**
 * Whether the actor may change only words and images of a section, because a page or block that contains it, directly
 * or in another section, has a lock that binds the actor.
 */
export async function isSectionLocked(db: Db, id: string, actor: Actor): Promise<boolean> {
  const containing = new Set(await listContainingSections(db, id))
  const texts = await listLockedTexts(db, [...containing])
  const locks = await listLocksByPage(
    db,
    texts.map(({ pageId }) => pageId),
    actor,
  )
  return texts.some(({ pageId, body }) => {
    const lock = lockOf(locks.get(pageId) ?? [])
    return sectionIdsIn(body).some(([index, sectionId]) => containing.has(sectionId) && isLocked(lock, body[index]?.id))
  })
}

/** The path in the request of the blocks in a language. */
export const bodyPath = (locale: Locale): string[] =>
  locale === 'nl' || locale === 'fa' ? [locale] : ['texts', locale]

/**
 * Refuses to change more than words and images of a locked section. Blocks in a new language are compared with those in
 * the main language.
 * @throws {Refusal} `invalid` at each block and field
 */
export function refuseLockedBodies(before: SectionBodies, after: SectionBodies, main: Locale): void {
  const problems = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((locale) => {
    const original = before[locale] ?? before[main] ?? Object.values(before)[0] ?? []
    if (!before[locale] && !after[locale]) return []
    const asText = (body: typeof original) => ({ slug: '', noindex: false, body })
    return revertLockedChanges(asText(original), asText(after[locale] ?? []), {
      page: true,
      blocks: new Set(),
    }).problems.map(({ path, key }) => ({ path: path.replace('body', bodyPath(locale).join('.')), key }))
  })
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
}
