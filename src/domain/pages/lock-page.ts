import { Refusal } from '../../contract/errors.ts'
import type { ChangedLock, PageLocks } from '../../contract/locks.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { listPageLocks } from '../locks/list-locks.ts'
import { isLockable, isLockedByRoles } from '../locks/lock.policy.ts'
import { listDecidingRoleIds, listLockableRoles, writeLock } from '../locks/lock.queries.ts'
import { findRolesById } from '../roles/list-roles.ts'
import { editPageInTransaction, type PageEdit } from './edit-page.ts'
import { getPageRow } from './list-pages.ts'
import { canLockPage, canPublishPages } from './page.policy.ts'
import { textsOf } from './page.queries.ts'

/** The locks of a page, and the roles that it can be locked for. @throws {Refusal} `not_found` */
export async function getPageLocks(ctx: Context, id: number): Promise<PageLocks> {
  const actor = allow(ctx, canPublishPages)
  const page = await getPageRow(ctx.db, id)
  return { locks: await listPageLocks(ctx.db, page.id, actor), roles: await listLockableRoles(ctx.db) }
}

/**
 * Replaces the roles that a page, or with `block` one of its blocks, is locked for. It applies at once, also to drafts.
 * @throws {Refusal} `not_found`, `page_in_bin`; `page_locked` for an actor whom a lock of this page binds; `invalid` at
 * `block` for one that is not saved, at `roles` for an unknown one, or when the lock would bind the actor
 */
export async function lockPage(ctx: Context, id: number, { block, roles }: ChangedLock): Promise<PageLocks> {
  const actor = allow(ctx, canPublishPages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { tx } = edit
    const locks = await listPageLocks(tx, id, actor)
    if (!canLockPage(actor, locks)) throw new Refusal('page_locked')
    const currentLock = locks.find((current) => current.block === block)
    const type = block === null ? undefined : await findBlockType(edit, block)
    if (block !== null && !currentLock && !type) throw problemAt('block', 'blockNotSaved')

    const roleIds = [...new Set(roles)]
    const { byId: rolesById } = await findRolesById(tx, roleIds)
    const lockableRoles = roleIds.flatMap((roleId) => rolesById.get(roleId) ?? []).filter(isLockable)
    if (lockableRoles.length < roleIds.length) throw problemAt('roles', 'unknownRole')
    if (isLockedByRoles(await listDecidingRoleIds(tx, actor.id), roleIds)) throw problemAt('roles', 'lockBindsYou')

    await writeLock(tx, { pageId: id, block }, roleIds)
    edit.record({
      action: 'page.locked',
      before: { lockedFor: currentLock?.roles.map(({ name }) => name) ?? [] },
      after: { lockedFor: roleIds.map((roleId) => rolesById.get(roleId)?.name), lockedBlock: type },
    })
    return { locks: await listPageLocks(tx, id, actor), roles: await listLockableRoles(tx) }
  })
}

const problemAt = (path: string, key: 'blockNotSaved' | 'unknownRole' | 'lockBindsYou') =>
  new Refusal('invalid', { problems: [{ path, key }] })

/** The type of a block in the saved text of any language. Blocks within columns are locked with the columns. */
async function findBlockType(edit: PageEdit, id: string): Promise<string | undefined> {
  for (const { locale, savedRevisionId } of textsOf(edit.page)) {
    const saved = await edit.revision(locale, savedRevisionId)
    const block = saved?.text.body.find((candidate) => candidate.id === id)
    if (block) return block.type
  }
  return undefined
}
