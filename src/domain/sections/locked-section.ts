import { sectionIdsIn } from '../../blocks/section.tsx'
import { isLocked, revertLockedChanges } from '../../blocks/structure-lock.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { lockOf } from '../../contract/locks.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { locksOfPages } from '../locks/list-locks.ts'
import { listHolders, listLockedTexts, type SectionBodies } from './section.queries.ts'

/**
 * Whether the actor may change only texts and images of a section, because a page shows it where a lock binds the actor:
 * on a locked page, or in a locked block, directly or through another section.
 */
export async function isSectionLocked(db: Db, id: string, actor: Actor): Promise<boolean> {
  const holders = new Set(await listHolders(db, id))
  const texts = await listLockedTexts(db, [...holders])
  const locks = await locksOfPages(
    db,
    texts.map(({ pageId }) => pageId),
    actor,
  )
  return texts.some(({ pageId, body }) => {
    const lock = lockOf(locks.get(pageId) ?? [])
    return sectionIdsIn(body).some(([index, section]) => holders.has(section) && isLocked(lock, body[index]?.id))
  })
}

/** The path in the request of the blocks in a language. */
export const pathOf = (locale: Locale): string[] => (locale === 'nl' || locale === 'fa' ? [locale] : ['texts', locale])

/**
 * Refuses a change of a locked section of more than texts and images. Blocks in a new language are compared with those
 * of the main language.
 * @throws {Refusal} `invalid` at each block and field
 */
export function refuseLockedBodies(before: SectionBodies, now: SectionBodies, main: Locale): void {
  const problems = [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((locale) => {
    const was = before[locale] ?? before[main] ?? Object.values(before)[0] ?? []
    if (!before[locale] && !now[locale]) return []
    const asText = (body: typeof was) => ({ slug: '', noindex: false, body })
    return revertLockedChanges(asText(was), asText(now[locale] ?? []), { page: true, blocks: new Set() }).problems.map(
      ({ path, key }) => ({ path: path.replace('body', pathOf(locale).join('.')), key }),
    )
  })
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
}
