import { createContext, useContext } from 'react'
import { isLocked, revertLockedChanges } from '../../../blocks/structure-lock.ts'
import type { FieldProblem } from '../../../contract/errors.ts'
import type { Lock, PageLock } from '../../../contract/locks.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { pathOf } from './puck-data.ts'

/** The locks of the blocks that are being edited. Locks change only when the page is saved. */
export interface BlockLocks {
  /** The locks of the page and of its blocks. */
  locks: readonly PageLock[]
  /** The locks that apply to this user. */
  userLock: Lock
  /** The saved blocks, with which a change is compared. */
  saved: readonly StoredBlock[]
  /** Opens the dialog to lock a block; undefined for users who may not lock blocks. */
  onLock: ((block: string) => void) | undefined
}

export const noLock: Lock = { page: false, blocks: new Set() }
export const LocksContext = createContext<BlockLocks>({ locks: [], userLock: noLock, saved: [], onLock: undefined })

/** The forbidden changes of locked blocks. Not in `LocksContext`, because each keystroke changes them. */
export interface LockedChanges {
  /** The edited blocks. */
  current: readonly StoredBlock[]
  /** With paths in the page's text: `body.3.url`. */
  problems: readonly FieldProblem[]
  /** Undoes the forbidden changes of a block, or of all blocks. */
  putBack: (block?: string) => void
}

export const LockedChangesContext = createContext<LockedChanges>({ current: [], problems: [], putBack() {} })

/** Whether the surrounding block is locked for this user, who may change only its texts and images. */
export const InLockedBlockContext = createContext(false)

/** Whether a block is locked for this user. A block that is not saved yet is not locked: it can be removed again. */
export const isLockedForUser = ({ userLock, saved }: BlockLocks, id: string | undefined): boolean =>
  isLocked(userLock, id) && saved.some((block) => block.id === id)

/** Whether a block, or the columns around it, is locked for this user. */
export function isLockedWithColumns(locks: BlockLocks, id: string, blocks: readonly StoredBlock[]): boolean {
  const [topIndex] = (pathOf(blocks, id) ?? '').split('.')
  return isLockedForUser(locks, blocks[Number(topIndex)]?.id)
}

/** The roles that a block, or with null the page, is locked for. */
export const rolesOf = ({ locks }: Pick<BlockLocks, 'locks'>, block: string | null) =>
  locks.find((lock) => lock.block === block)?.roles ?? []

/** Compares edited blocks with the saved ones. Returns the changes that a lock forbids, and the blocks without them. */
export function compareBlocks(
  { userLock, saved }: Pick<BlockLocks, 'userLock' | 'saved'>,
  current: readonly StoredBlock[],
) {
  const asText = (body: readonly StoredBlock[]) => ({ slug: '', noindex: false, body })
  const { text, problems } = revertLockedChanges(asText(saved), asText(current), userLock)
  return { body: [...text.body], problems }
}

/** Undoes the forbidden changes of one block, or of all blocks if the change of their order is forbidden. */
export function revertForbiddenChanges(
  locks: Pick<BlockLocks, 'userLock' | 'saved'>,
  current: readonly StoredBlock[],
  id: string,
): StoredBlock[] {
  const { body, problems } = compareBlocks(locks, current)
  const index = current.findIndex((block) => block.id === id)
  const isOrderProblem = problems.some(
    ({ path, key }) => path === `body.${index}` && key !== 'locked' && key !== 'lockedAdded',
  )
  if (isOrderProblem) return body
  const reverted = body.find((block) => block.id === id)
  return reverted ? current.with(index, reverted) : current.toSpliced(index, 1)
}

/** Whether two versions of a block differ in texts and images alone. */
export const isTextChange = (before: StoredBlock, after: StoredBlock): boolean =>
  compareBlocks({ userLock: { page: true, blocks: new Set() }, saved: [before] }, [after]).problems.length === 0

/** @returns a function that tells whether blocks have more forbidden changes than the edited blocks have already */
export function useIsRefused(): (next: readonly StoredBlock[]) => boolean {
  const locks = useContext(LocksContext)
  const { problems } = useContext(LockedChangesContext)
  return (next) => compareBlocks(locks, next).problems.length > problems.filter(isOfBody).length
}

const isOfBody = ({ path }: FieldProblem) => path.startsWith('body.')
