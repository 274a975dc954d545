import { type RefObject, useContext, useState } from 'react'
import { newBlock } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { notify } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { copyBlocks, readCopiedBlocks, withNewIds } from './block-clipboard.ts'
import { InLockedBlockContext, useIsRefused } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { moved } from './sortable-rows.tsx'

export type BlockListActions = ReturnType<typeof useBlockList>

/** The actions on a list of blocks. What a lock forbids is refused with a notification, except by `change`. */
export function useBlockList(props: {
  value: readonly StoredBlock[]
  /** Calls `update` synchronously with the current blocks. */
  onChange: (update: (value: StoredBlock[]) => StoredBlock[]) => void
  locale: Locale
  types?: readonly BlockType[]
  maxBlocks: number
  root: RefObject<HTMLElement | null>
  id: string
  /** Whether the list is a column: its blocks are locked with the columns block. */
  inColumn: boolean
}) {
  const { locale, types, maxBlocks, root, id, inColumn } = props
  const t = useText()
  const uiLocale = useLocale()
  const [openKey, setOpenKey] = useState<string>()
  const [announcement, announce] = useState('')
  const latest = useLatest(props)
  const isRefusedByLock = useIsRefused()
  const isInLockedBlock = useContext(InLockedBlockContext)
  const keys = props.value.map(keyOf)
  const nameOf = (block: StoredBlock) => blockName(block.type, uiLocale)

  /** @returns whether the change was made; if a lock forbids it, the user is notified */
  const changeIfAllowed = (change: (value: StoredBlock[]) => StoredBlock[]): boolean => {
    let isRefused = false
    latest.current.onChange((value) => {
      const next = change(withIds(value))
      isRefused = inColumn ? isInLockedBlock : isRefusedByLock(next)
      return isRefused ? value : next
    })
    if (isRefused) notify(t('blocks.lock.refused'))
    return !isRefused
  }
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const openers = root.current?.querySelectorAll<HTMLElement>(`[data-block-of="${id}"]`)
      const target =
        openers?.[Math.min(index, openers.length - 1)] ?? root.current?.querySelector<HTMLElement>('button')
      target?.focus()
    })
  const announcePosition = (key: 'added' | 'moved' | 'duplicated', block: StoredBlock, index: number, count: number) =>
    announce(t(`blocks.announced.${key}`, { name: nameOf(block), position: index + 1, all: count }))

  /** Inserts pasted blocks or those of a saved section. Blocks beyond the limit are left out with a notification. */
  const insert = (index: number, blocks: StoredBlock[]) => {
    const inserted = blocks.slice(0, Math.max(0, maxBlocks - latest.current.value.length))
    if (inserted.length < blocks.length) notify(t('blocks.full', { most: maxBlocks }))
    if (inserted.length === 0) return
    if (!changeIfAllowed((value) => value.toSpliced(index, 0, ...inserted))) return
    announce(t('blocks.announced.pasted', { count: inserted.length }))
    focus(index)
  }
  const notifyCopied = (block: StoredBlock) => notify(t('blocks.announced.copied', { name: nameOf(block) }))

  return {
    keys,
    announcement,
    isOpen: (index: number) => openKey === keys[index],
    open: (index: number) => setOpenKey(keys[index]),
    toggle: (index: number) => setOpenKey(openKey === keys[index] ? undefined : keys[index]),
    /** The index of the block that contains an element; -1 if it is not in this list. */
    indexOf(target: EventTarget): number {
      const item = target instanceof Element ? target.closest(`[data-item-of="${id}"]`) : null
      return item ? Number(item.getAttribute('data-index')) : -1
    },
    /** Also applies changes that a lock forbids, so that no input is lost: the screen offers to undo them. */
    change: (key: string, update: (block: StoredBlock) => StoredBlock) =>
      latest.current.onChange((value) => {
        const blocks = withIds(value)
        const index = blocks.findIndex(({ id }) => id === key)
        const block = blocks[index]
        return block ? blocks.with(index, { ...update(block), id: key }) : value
      }),
    add(type: BlockType, index: number) {
      const block = newBlock(type, locale)
      if (!changeIfAllowed((value) => value.toSpliced(index, 0, block))) return
      setOpenKey(block.id)
      // `latest` still has the blocks before the change.
      announcePosition('added', block, index, latest.current.value.length + 1)
      focus(index)
    },
    insert,
    /** A block and those after it. */
    blocksFrom: (index: number): StoredBlock[] => props.value.slice(index),
    /** Replaces `count` blocks by others, as one change. */
    replace(index: number, count: number, blocks: readonly StoredBlock[]) {
      if (!changeIfAllowed((value) => value.toSpliced(index, count, ...blocks))) return
      focus(index)
    },
    move(from: number, to: number) {
      const block = latest.current.value[from]
      if (!block || to < 0 || to >= latest.current.value.length) return
      if (!changeIfAllowed((value) => moved(value, from, to))) return
      announcePosition('moved', block, to, latest.current.value.length)
    },
    duplicate(index: number) {
      const block = latest.current.value[index]
      if (!block || latest.current.value.length >= maxBlocks) return
      if (!changeIfAllowed((value) => value.toSpliced(index + 1, 0, withNewIds(block)))) return
      announcePosition('duplicated', block, index + 1, latest.current.value.length + 1)
      focus(index + 1)
    },
    remove(index: number) {
      const block = latest.current.value[index]
      if (!block) return
      const removed = { ...block, id: keyOf(block) }
      if (!changeIfAllowed((value) => value.toSpliced(index, 1))) return
      focus(Math.max(0, index - 1))
      notify(
        t('blocks.announced.deleted', { name: nameOf(block) }),
        () => {
          const isThere = (value: StoredBlock[]) => value.some(({ id }) => id === removed.id)
          changeIfAllowed((value) => (isThere(value) ? value : value.toSpliced(index, 0, removed)))
          focus(index)
        },
        'form',
      )
    },
    async copy(index: number) {
      const block = latest.current.value[index]
      if (!block) return
      await copyBlocks([block])
      notifyCopied(block)
    },
    notifyCopied,
    async paste() {
      const blocks = await readCopiedBlocks(types)
      if (blocks.length === 0) notify(t('blocks.announced.nothing'))
      else insert(latest.current.value.length, blocks)
    },
  }
}

/** The blocks, each with an id: so the first change also stores the generated ids. */
const withIds = (value: readonly StoredBlock[]) => value.map((block) => ({ ...block, id: keyOf(block) }))

const generatedKeys = new WeakMap<StoredBlock, string>()

/** The id of a block, or a generated one that stays the same for the same object. */
function keyOf(block: StoredBlock): string {
  if (block.id) return block.id
  const key = generatedKeys.get(block) ?? randomId()
  generatedKeys.set(block, key)
  return key
}
