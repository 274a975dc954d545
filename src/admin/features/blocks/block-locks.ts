import { createContext, useContext } from 'react'
import { isLocked, revertLockedChanges } from '../../../blocks/structure-lock.ts'
import type { FieldProblem } from '../../../contract/errors.ts'
import type { Lock, PageLock } from '../../../contract/locks.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { pathOf } from './puck-data.ts'

/** The locks of the blocks that are being edited. Only a save changes them. */
export interface BlockLocks {
  /** The locks of the page and of its blocks. */
  locks: readonly PageLock[]
  /** The locks that apply to this user. */
  userLock: Lock
  /** The saved blocks, with which a change is compared. */
  saved: readonly StoredBlock[]
  /** Opens the dialog to lock a block; undefined for users who may not. */
  onLock: ((block: string) => void) | undefined
}

export const noLock: Lock = { page: false, blocks: new Set() }
export const LocksContext = createContext<BlockLocks>({ locks: [], userLock: noLock, saved: [], onLock: undefined })

/** The changes of locked blocks. Separate, because it changes with each keystroke and the canvas does not need it. */
export interface LockedChanges {
  /** The blocks as they are now. */
  current: readonly StoredBlock[]
  /** By their path in the text: `body.3.url`. */
  problems: readonly FieldProblem[]
  /** Undoes the forbidden changes of a block, or of all blocks. */
  putBack: (block?: string) => void
}

export const LockedChangesContext = createContext<LockedChanges>({ current: [], problems: [], putBack() {} })

/** Whether the surrounding block is locked for this user, who may change only its texts and images. */
export const InLockedBlock = createContext(false)

/** Whether a block is locked for this user. One that is not saved yet is not locked: it can be removed again. */
export const isLockedForUser = ({ userLock, saved }: BlockLocks, id: string | undefined): boolean =>
  isLocked(userLock, id) && saved.some((block) => block.id === id)

/** Whether a block, or the columns around it, is locked for this user. */
export function isLockedWithColumns(locks: BlockLocks, id: string, blocks: readonly StoredBlock[]): boolean {
  const [top] = (pathOf(blocks, id) ?? '').split('.')
  return isLockedForUser(locks, blocks[Number(top)]?.id)
}

/** The names of the roles that a block, or the page with null, is locked for. */
export const rolesOf = ({ locks }: Pick<BlockLocks, 'locks'>, block: string | null): string[] =>
  locks.find((one) => one.block === block)?.roles.map(({ name }) => name) ?? []

/** Compares blocks with the saved ones. */
export function compareBlocks(
  { userLock, saved }: Pick<BlockLocks, 'userLock' | 'saved'>,
  now: readonly StoredBlock[],
) {
  const asText = (body: readonly StoredBlock[]) => ({ slug: '', noindex: false, body })
  const { text, problems } = revertLockedChanges(asText(saved), asText(now), userLock)
  return { body: [...text.body], problems }
}

/** The blocks, with the changes of one block that a lock forbids undone. */
export function revertDisallowed(
  locks: Pick<BlockLocks, 'userLock' | 'saved'>,
  now: readonly StoredBlock[],
  id: string,
): StoredBlock[] {
  const { body, problems } = compareBlocks(locks, now)
  const index = now.findIndex((block) => block.id === id)
  const isOrderProblem = problems.some(
    ({ path, key }) => path === `body.${index}` && key !== 'locked' && key !== 'lockedAdded',
  )
  if (isOrderProblem) return body
  const before = body.find((block) => block.id === id)
  return before ? now.with(index, before) : now.toSpliced(index, 1)
}

/** Whether a block becomes another one by its texts and images alone. */
export const isTextChange = (before: StoredBlock, after: StoredBlock): boolean =>
  compareBlocks({ userLock: { page: true, blocks: new Set() }, saved: [before] }, [after]).problems.length === 0

/** @returns whether a change of the blocks adds forbidden changes */
export function useIsRefused(): (next: readonly StoredBlock[]) => boolean {
  const locks = useContext(LocksContext)
  const { problems } = useContext(LockedChangesContext)
  return (next) => compareBlocks(locks, next).problems.length > problems.filter(isOfBody).length
}

const isOfBody = ({ path }: FieldProblem) => path.startsWith('body.')
