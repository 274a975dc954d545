import { type RefObject, useState } from 'react'
import { newBlock, newBlockId } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { tell } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from './block-names.ts'
import { copiedBlocks, copyBlocks, withNewIds } from './blocks-on-clipboard.ts'
import { moved, replacedAt, withAt, without } from './move-in-list.ts'

export type BlockListWork = ReturnType<typeof useBlockList>

/** What can be done with a list of blocks. Each thing that is done is told, and what was removed can be had back. */
export function useBlockList(props: {
  value: readonly StoredBlock[]
  onChange: (value: StoredBlock[]) => void
  locale: Locale
  types?: readonly BlockType[]
  most: number
  place: RefObject<HTMLElement | null>
  id: string
}) {
  const { locale, types, most, place, id } = props
  const t = useText()
  const spoken = useLocale()
  const [open, setOpen] = useState<string>()
  const [said, setSaid] = useState('')
  const latest = useLatest(props)
  const keys = props.value.map(keyOf)
  const nameOf = (block: StoredBlock) => blockName(block.type, spoken)

  /** With the first change every block gets its id, the one that it is drawn by. */
  const put = (change: (value: StoredBlock[]) => StoredBlock[]) =>
    latest.current.onChange(change(latest.current.value.map((block) => ({ ...block, id: keyOf(block) }))))
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const found = place.current?.querySelectorAll<HTMLElement>(`[data-block-of="${id}"]`)
      const target = found?.[Math.min(index, found.length - 1)] ?? place.current?.querySelector<HTMLElement>('button')
      target?.focus()
    })
  const tellPlace = (key: 'added' | 'moved' | 'duplicated', block: StoredBlock, index: number, all: number) =>
    setSaid(t(`blocks.said.${key}`, { name: nameOf(block), place: index + 1, all }))

  const insert = (at: number, blocks: StoredBlock[]) => {
    const room = blocks.slice(0, Math.max(0, most - latest.current.value.length))
    if (room.length < blocks.length) tell(t('blocks.full', { most }))
    if (room.length === 0) return
    put((value) => withAt(value, at, ...room))
    setSaid(t('blocks.said.pasted', { count: room.length }))
    focus(at)
  }
  const toldCopied = (block: StoredBlock) => tell(t('blocks.said.copied', { name: nameOf(block) }))

  return {
    keys,
    said,
    isOpen: (index: number) => open === keys[index],
    toggle: (index: number) => setOpen(open === keys[index] ? undefined : keys[index]),
    /** Of the block that an element stands in; -1 for none of this list. */
    indexOf(target: EventTarget): number {
      const item = target instanceof Element ? target.closest(`[data-item-of="${id}"]`) : null
      return item ? Number(item.getAttribute('data-index')) : -1
    },
    change: (index: number, block: StoredBlock) =>
      put((value) => replacedAt(value, index, { ...block, id: keys[index] })),
    add(type: BlockType, at: number) {
      const block = newBlock(type, locale)
      put((value) => withAt(value, at, block))
      setOpen(block.id)
      tellPlace('added', block, at, latest.current.value.length + 1)
      focus(at)
    },
    insert,
    move(from: number, to: number) {
      const block = latest.current.value[from]
      if (!block || to < 0 || to >= latest.current.value.length) return
      put((value) => moved(value, from, to))
      tellPlace('moved', block, to, latest.current.value.length)
    },
    duplicate(index: number) {
      const block = latest.current.value[index]
      if (!block || latest.current.value.length >= most) return
      put((value) => withAt(value, index + 1, withNewIds(block)))
      tellPlace('duplicated', block, index + 1, latest.current.value.length + 1)
      focus(index + 1)
    },
    remove(index: number) {
      const block = latest.current.value[index]
      if (!block) return
      const gone = { ...block, id: keyOf(block) }
      put((value) => without(value, index))
      focus(Math.max(0, index - 1))
      tell(t('blocks.said.deleted', { name: nameOf(block) }), () => {
        put((value) => (value.some((one) => one.id === gone.id) ? value : withAt(value, index, gone)))
        focus(index)
      })
    },
    async copy(index: number) {
      const block = latest.current.value[index]
      if (!block) return
      await copyBlocks([block])
      toldCopied(block)
    },
    toldCopied,
    async paste() {
      const blocks = await copiedBlocks(types)
      if (blocks.length === 0) tell(t('blocks.said.nothing'))
      else insert(latest.current.value.length, blocks)
    },
  }
}

const keysOfOld = new WeakMap<StoredBlock, string>()

/** The id of a block; one that has none yet gets one for as long as it is not changed. */
function keyOf(block: StoredBlock): string {
  if (block.id) return block.id
  const key = keysOfOld.get(block) ?? newBlockId()
  keysOfOld.set(block, key)
  return key
}
