import { sectionIdsIn, withContents, withSections } from '../../blocks/section.tsx'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import { countFilledBytes, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { ListFileUsages } from '../files/list-files.ts'
import { canSeeSections } from './section.policy.ts'
import { findSectionContents, listParts, listSectionRows, listSectionsWithFiles } from './section.queries.ts'

/**
 * The blocks of a page with the content of its sections. Without sections it is the same list, and there is no query.
 * @param main the main language of the site, in which a section is shown that lacks `locale`; one that lacks both is shown in the
 * first of its languages by the tag
 * @returns `sections`: the ids of all sections that are shown
 */
export async function showSections(
  db: Db,
  { locale, main }: { locale: Locale; main: Locale },
  body: StoredBlock[],
): Promise<{ body: StoredBlock[]; sections: string[] }> {
  const ids = sectionIdsIn(body).map(([, id]) => id)
  if (ids.length === 0) return { body, sections: [] }
  const contents = await findSectionContents(db, ids, locale, main)
  return { body: withSections(body, contents), sections: [...contents.keys()] }
}

/**
 * Refuses more references to sections than a page may have, and new ones to sections that do not exist. One that was
 * there before stays when its section is deleted.
 * @param content.at the path of the blocks in the request
 * @throws {Refusal} `invalid` at the first block beyond the limit, or at each whose section does not exist
 */
export async function refuseWrongSections(
  tx: Transaction,
  content: { before: readonly StoredBlock[]; now: readonly StoredBlock[]; at: string },
): Promise<void> {
  const { before, now, at } = content
  const found = sectionIdsIn(now)
  if (found.length === 0) return
  const path = (index: number) => `${at}.${index}.section`
  const [tooMany] = found.slice(limits.sectionsPerPage)
  if (tooMany) {
    const limit = limits.sectionsPerPage
    throw new Refusal('invalid', { problems: [{ path: path(tooMany[0]), key: 'tooManySections', limit }] })
  }
  const known = new Set(sectionIdsIn(before).map(([, id]) => id))
  const added = found.filter(([, id]) => !known.has(id))
  const existing = await listParts(
    tx,
    added.map(([, id]) => id),
  )
  const problems = added
    .filter(([, id]) => !existing.has(id))
    .map(([index]) => ({ path: path(index), key: 'sectionGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** Why one of these sections, with the sections in it, is too large in some language; undefined when none is. */
export async function findSizeProblem(
  db: Db,
  site: SiteConfig,
  ids: readonly string[],
): Promise<'tooManySections' | 'sectionTooLarge' | undefined> {
  const longestName = 'x'.repeat(limits.nameChars)
  for (const locale of site.locales) {
    const placeholders = placeholdersOf(site, locale, new Date(0), longestName)
    const contents = await findSectionContents(db, ids, locale, mainLocaleOf(site))
    for (const section of ids) {
      const block = { type: 'section', section }
      const most = limits.sectionsInSection
      const body = withSections([block], contents, most + 1)
      if (withContents(body).filter(({ type }) => type === 'section').length > most) return 'tooManySections'
      if (countFilledBytes(body, placeholders) > limits.filledSectionBytes) return 'sectionTooLarge'
    }
  }
  return undefined
}

/** Whether a change of the configuration makes a section larger than allowed once placeholders are filled. */
export async function overfillsSections(tx: Transaction, site: SiteConfig): Promise<boolean> {
  const ids = (await listSectionRows(tx)).map(({ id }) => id)
  return (await findSizeProblem(tx, site, ids)) !== undefined
}

/** The sections that use a file. */
export const findSectionFileUsages: ListFileUsages = async ({ db, actor }, publicIds) => {
  const readable = actor !== undefined && canSeeSections(actor)
  return (await listSectionsWithFiles(db, publicIds)).map(({ id, name }) => ({
    type: 'section',
    ...(readable ? { name, id } : { name: null, id: null }),
  }))
}
