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

/** A page during a change. */
interface Locked {
  tx: Transaction
  site: Pick<SiteConfig, 'collections'>
  page: PageRow
  revision(locale: Locale, id: number | null | undefined): Promise<RevisionRow | undefined>
}

/**
 * Refuses a text in which an actor to whom a lock applies changed more than texts and images. The first text in a
 * language is compared with the text in another, and so is a locked block that a language did not have yet.
 * @param at the path of the text in the request
 * @throws {Refusal} `invalid` at each block and field
 */
export async function refuseLocked(
  edit: Locked,
  actor: Actor | undefined,
  { locale, text, at = 'text' }: { locale: Locale; text: PageText; at?: string | undefined },
): Promise<void> {
  if (!actor) return
  const { tx, page, site } = edit
  const lock = lockOf(await listPageLocks(tx, page.id, actor))
  if (!lock.page && lock.blocks.size === 0) return
  const savedIn = async (one: Locale) => (await edit.revision(one, page.texts[one]?.savedRevisionId))?.text
  const original = textsOf(page).find((one) => one.locale !== locale)
  const [own, other] = [await savedIn(locale), original && (await savedIn(original.locale))]
  const stored = own ?? other
  if (!stored) return
  const was = { ...stored, body: stored.body.map(asReadToday) }
  // A new translation has its own slug, and may lack field values and individually locked blocks.
  const ids = new Set(text.body.map((block) => block.id))
  const named = Object.fromEntries(
    Object.entries(stored.fields ?? {}).filter(([id]) => text.fields?.[id] !== undefined),
  )
  const entryFields = findCollection(site, page.collection)?.fields ?? []
  const { problems } = own
    ? revertLockedChanges(was, text, lock, { other: other?.body.map(asReadToday) ?? [], entryFields })
    : revertLockedChanges(
        { ...was, slug: text.slug, noindex: text.noindex, fields: named },
        text,
        { page: lock.page, blocks: new Set([...lock.blocks].filter((id) => ids.has(id))) },
        { entryFields },
      )
  if (problems.length === 0) return
  throw new Refusal('invalid', {
    problems: problems.slice(0, problemsShown).map((problem) => ({ ...problem, path: `${at}.${problem.path}` })),
  })
}

const problemsShown = 20

/** Adds the defaults of fields that are newer than the stored block, because the sent text has them too. */
const asReadToday = (block: StoredBlock): StoredBlock => blockSchema.safeParse(block).data ?? block

/** Whether any lock of the page binds the actor, who then may not unpublish or delete it. */
export async function isPageLocked(
  { tx, page }: Pick<Locked, 'tx' | 'page'>,
  actor: Actor | undefined,
): Promise<boolean> {
  return actor !== undefined && isLockedByAny(await listPageLocks(tx, page.id, actor))
}

/** @throws {Refusal} `page_locked` */
export async function refuseWhenLocked(edit: Pick<Locked, 'tx' | 'page'>, actor: Actor): Promise<void> {
  if (await isPageLocked(edit, actor)) throw new Refusal('page_locked')
}
