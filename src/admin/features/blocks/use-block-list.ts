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
import { InLockedBlock, useIsRefused } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { moved } from './sortable-rows.tsx'

export type BlockListActions = ReturnType<typeof useBlockList>

/** The actions on a list of blocks. Each action is announced, and removal can be undone. */
export function useBlockList(props: {
  value: readonly StoredBlock[]
  /** Calls the update at once with the blocks as they are then. */
  onChange: (update: (value: StoredBlock[]) => StoredBlock[]) => void
  locale: Locale
  types?: readonly BlockType[]
  maxBlocks: number
  root: RefObject<HTMLElement | null>
  id: string
  inColumn: boolean
}) {
  const { locale, types, maxBlocks, root, id, inColumn } = props
  const t = useText()
  const uiLocale = useLocale()
  const [open, setOpen] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const latest = useLatest(props)
  const isRefused = useIsRefused()
  const isInLockedBlock = useContext(InLockedBlock)
  const keys = props.value.map(keyOf)
  const nameOf = (block: StoredBlock) => blockName(block.type, uiLocale)

  const put = (change: (value: StoredBlock[]) => StoredBlock[]): boolean => {
    let refused = false
    latest.current.onChange((value) => {
      const next = change(withIds(value))
      // Blocks in a column are locked with the columns.
      refused = inColumn ? isInLockedBlock : isRefused(next)
      return refused ? value : next
    })
    if (refused) notify(t('blocks.lock.refused'))
    return !refused
  }
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const found = root.current?.querySelectorAll<HTMLElement>(`[data-block-of="${id}"]`)
      const target = found?.[Math.min(index, found.length - 1)] ?? root.current?.querySelector<HTMLElement>('button')
      target?.focus()
    })
  const announcePosition = (key: 'added' | 'moved' | 'duplicated', block: StoredBlock, index: number, count: number) =>
    setAnnouncement(t(`blocks.announced.${key}`, { name: nameOf(block), position: index + 1, all: count }))

  const insert = (at: number, blocks: StoredBlock[]) => {
    const fitting = blocks.slice(0, Math.max(0, maxBlocks - latest.current.value.length))
    if (fitting.length < blocks.length) notify(t('blocks.full', { most: maxBlocks }))
    if (fitting.length === 0) return
    if (!put((value) => value.toSpliced(at, 0, ...fitting))) return
    setAnnouncement(t('blocks.announced.pasted', { count: fitting.length }))
    focus(at)
  }
  const notifyCopied = (block: StoredBlock) => notify(t('blocks.announced.copied', { name: nameOf(block) }))

  return {
    keys,
    announcement,
    isOpen: (index: number) => open === keys[index],
    show: (index: number) => setOpen(keys[index]),
    toggle: (index: number) => setOpen(open === keys[index] ? undefined : keys[index]),
    /** The index of the block that contains an element; -1 if it is not in this list. */
    indexOf(target: EventTarget): number {
      const item = target instanceof Element ? target.closest(`[data-item-of="${id}"]`) : null
      return item ? Number(item.getAttribute('data-index')) : -1
    },
    /** Changes that a lock forbids are applied too, so that no input is lost: the screen offers to undo them. */
    change: (key: string, update: (block: StoredBlock) => StoredBlock) =>
      latest.current.onChange((value) => {
        const blocks = withIds(value)
        const index = blocks.findIndex(({ id }) => id === key)
        const block = blocks[index]
        return block ? blocks.with(index, { ...update(block), id: key }) : value
      }),
    add(type: BlockType, at: number) {
      const block = newBlock(type, locale)
      if (!put((value) => value.toSpliced(at, 0, block))) return
      setOpen(block.id)
      announcePosition('added', block, at, latest.current.value.length + 1)
      focus(at)
    },
    insert,
    /** A block and those after it. */
    blocksFrom: (index: number): StoredBlock[] => props.value.slice(index),
    /** Replaces blocks by others, in one step. */
    replace(at: number, count: number, blocks: readonly StoredBlock[]) {
      if (!put((value) => value.toSpliced(at, count, ...blocks))) return
      focus(at)
    },
    move(from: number, to: number) {
      const block = latest.current.value[from]
      if (!block || to < 0 || to >= latest.current.value.length) return
      if (!put((value) => moved(value, from, to))) return
      announcePosition('moved', block, to, latest.current.value.length)
    },
    duplicate(index: number) {
      const block = latest.current.value[index]
      if (!block || latest.current.value.length >= maxBlocks) return
      if (!put((value) => value.toSpliced(index + 1, 0, withNewIds(block)))) return
      announcePosition('duplicated', block, index + 1, latest.current.value.length + 1)
      focus(index + 1)
    },
    remove(index: number) {
      const block = latest.current.value[index]
      if (!block) return
      const removed = { ...block, id: keyOf(block) }
      if (!put((value) => value.toSpliced(index, 1))) return
      focus(Math.max(0, index - 1))
      notify(t('blocks.announced.deleted', { name: nameOf(block) }), () => {
        put((value) => (value.some((one) => one.id === removed.id) ? value : value.toSpliced(index, 0, removed)))
        focus(index)
      })
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

/** The first change stores the generated id of every block. */
const withIds = (value: readonly StoredBlock[]) => value.map((block) => ({ ...block, id: keyOf(block) }))

const generatedKeys = new WeakMap<StoredBlock, string>()

/** The id of a block, or a generated one that is stable until the block changes. */
function keyOf(block: StoredBlock): string {
  if (block.id) return block.id
  const key = generatedKeys.get(block) ?? randomId()
  generatedKeys.set(block, key)
  return key
}
