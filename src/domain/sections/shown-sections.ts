import { sectionIdsIn, withContents, withSections } from '../../blocks/section.tsx'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import { countFilledBytes, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { ListFileUsages } from '../files/list-files.ts'
import { canSeeSections } from './section.policy.ts'
import { findSectionContents, listNestedSections, listSectionRows, listSectionsWithFiles } from './section.queries.ts'

/**
 * Fills the `section` blocks of a page with content: in `locale`, or else in `main`, or else in the first language by
 * tag. Without any it returns the same array, and no query runs.
 * @param main the main language of the site
 * @returns `sections`: the ids of all sections on the page, also nested ones
 */
export async function fillSections(
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
 * Refuses more references to sections than a page may have, and new ones to sections that do not exist. An existing one
 * stays when its section is deleted.
 * @param content.path the path of the blocks in the request
 * @throws {Refusal} `invalid` at the first block beyond the limit, or at each whose section does not exist
 */
export async function refuseInvalidSections(
  tx: Transaction,
  content: { before: readonly StoredBlock[]; now: readonly StoredBlock[]; path: string },
): Promise<void> {
  const { before, now, path } = content
  const references = sectionIdsIn(now)
  if (references.length === 0) return
  const pathOf = (index: number) => `${path}.${index}.section`
  const firstBeyondLimit = references[limits.sectionsPerPage]
  if (firstBeyondLimit) {
    const limit = limits.sectionsPerPage
    throw new Refusal('invalid', { problems: [{ path: pathOf(firstBeyondLimit[0]), key: 'tooManySections', limit }] })
  }
  const knownIds = new Set(sectionIdsIn(before).map(([, id]) => id))
  const added = references.filter(([, id]) => !knownIds.has(id))
  const existing = await listNestedSections(
    tx,
    added.map(([, id]) => id),
  )
  const problems = added
    .filter(([, id]) => !existing.has(id))
    .map(([index]) => ({ path: pathOf(index), key: 'sectionGone' as const }))
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** Why any of these sections, with its nested sections, is too large in any language; undefined when none is. */
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
      const maxNested = limits.sectionsInSection
      const body = withSections([block], contents, maxNested + 1)
      if (withContents(body).filter(({ type }) => type === 'section').length > maxNested) return 'tooManySections'
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

/** The sections that use a file; name and id are null for an actor who may not see sections. */
export const listSectionFileUsages: ListFileUsages = async ({ db, actor }, publicIds) => {
  const mayRead = actor !== undefined && canSeeSections(actor)
  return (await listSectionsWithFiles(db, publicIds)).map(({ id, name }) => ({
    type: 'section',
    ...(mayRead ? { name, id } : { name: null, id: null }),
  }))
}
