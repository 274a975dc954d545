import { blockSchema } from '../../blocks/registry.ts'
import { revertLockedChanges } from '../../blocks/structure-lock.ts'
import { findCollection } from '../../contract/collections.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { lockOf } from '../../contract/locks.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Actor } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { listPageLocks } from '../locks/list-locks.ts'
import { isLockedByAny } from '../locks/lock.policy.ts'
import { type PageRow, textsOf } from './page.queries.ts'
import type { RevisionRow } from './revision.queries.ts'

/** The properties of `PageEdit` that these checks use. */
interface LockedEdit {
  tx: Transaction
  site: Pick<SiteConfig, 'collections'>
  page: PageRow
  revision(locale: Locale, id: number | null | undefined): Promise<RevisionRow | undefined>
}

/**
 * Refuses a text in which an actor to whom a lock applies changed more than words and images. The first text in a
 * language is compared with that in another, and so is a locked block that a language did not have yet.
 * @param textPath the path of the text in the paths of the problems
 * @throws {Refusal} `invalid` at each block and field
 */
export async function refuseLocked(
  edit: LockedEdit,
  actor: Actor | undefined,
  { locale, text, textPath = 'text' }: { locale: Locale; text: PageText; textPath?: string | undefined },
): Promise<void> {
  if (!actor) return
  const { tx, page, site } = edit
  const lock = lockOf(await listPageLocks(tx, page.id, actor))
  if (!lock.page && lock.blocks.size === 0) return
  const savedIn = async (tag: Locale) => (await edit.revision(tag, page.texts[tag]?.savedRevisionId))?.text
  const translation = textsOf(page).find((row) => row.locale !== locale)
  const [saved, translated] = [await savedIn(locale), translation && (await savedIn(translation.locale))]
  const original = saved ?? translated
  if (!original) return
  const compared = { ...original, body: original.body.map(withCurrentDefaults) }
  const entryFields = findCollection(site, page.collection)?.fields ?? []
  const translatedBody = saved ? (translated?.body ?? []).map(withCurrentDefaults) : []
  // A new translation has its own slug, and may lack field values and individually locked blocks.
  const blockIds = new Set(text.body.map((block) => block.id))
  const presentFields = Object.fromEntries(
    Object.entries(original.fields ?? {}).filter(([id]) => text.fields?.[id] !== undefined),
  )
  const { problems } = saved
    ? revertLockedChanges(compared, text, lock, { translation: translatedBody, entryFields })
    : revertLockedChanges(
        { ...compared, slug: text.slug, noindex: text.noindex, fields: presentFields },
        text,
        { page: lock.page, blocks: new Set([...lock.blocks].filter((id) => blockIds.has(id))) },
        { entryFields },
      )
  if (problems.length === 0) return
  throw new Refusal('invalid', {
    problems: problems.slice(0, maxProblems).map((problem) => ({ ...problem, path: `${textPath}.${problem.path}` })),
  })
}

const maxProblems = 20

/** Adds the defaults of fields that were introduced after the block was stored; the submitted text has them. */
const withCurrentDefaults = (block: StoredBlock): StoredBlock => blockSchema.safeParse(block).data ?? block

/** Whether any lock of the page binds the actor, who then may not unpublish or delete it. */
export async function isPageLocked(
  { tx, page }: Pick<LockedEdit, 'tx' | 'page'>,
  actor: Actor | undefined,
): Promise<boolean> {
  return actor !== undefined && isLockedByAny(await listPageLocks(tx, page.id, actor))
}

/** Refuses to unpublish or delete a page by an actor whom any of its locks binds. @throws {Refusal} `page_locked` */
export async function refuseWhenLocked(edit: Pick<LockedEdit, 'tx' | 'page'>, actor: Actor): Promise<void> {
  if (await isPageLocked(edit, actor)) throw new Refusal('page_locked')
}
