import { type ComponentData, createUsePuck, useGetPuck } from '@puckeditor/core'
import { type ClipboardEvent, useState } from 'react'
import { newBlock } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { tell } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from './block-names.ts'
import { asText, copiedBlocks, copyBlocks, readBlocks } from './blocks-on-clipboard.ts'
import { fromItem, toItem } from './puck-data.ts'
import { withPicture } from './with-picture.ts'

const usePuck = createUsePuck()
const root = 'root:default-zone'

export type CanvasWork = ReturnType<typeof useCanvasWork>

/** What can be done with the blocks on the canvas, by button, by key and by the clipboard. */
export function useCanvasWork(locale: Locale) {
  const t = useText()
  const spoken = useLocale()
  const get = useGetPuck()
  const chosen = usePuck((puck) => puck.selectedItem)
  const [said, setSaid] = useState('')
  const nameOf = (block: { type: string }) => blockName(block.type, spoken)

  const choose = (id: string | undefined) => {
    const itemSelector = id === undefined ? null : (get().getSelectorForId(id) ?? null)
    get().dispatch({ type: 'setUi', ui: { itemSelector }, recordHistory: false })
  }
  /** Behind the chosen block when it may stand there, else behind the section in which that is. */
  const placeFor = (types: readonly BlockType[]): { zone: string; index: number } => {
    const { appState, selectedItem, getSelectorForId, getParentById } = get()
    const at = selectedItem && getSelectorForId(selectedItem.props.id as string)
    if (!at) return { zone: root, index: appState.data.content.length }
    if (at.zone === root || types.every(mayStandInColumn)) return { zone: at.zone, index: at.index + 1 }
    const around = getParentById(selectedItem.props.id as string)
    const outer = around && getSelectorForId(around.props.id as string)
    return { zone: root, index: (outer?.index ?? appState.data.content.length) + 1 }
  }
  /** @returns how many found room */
  const put = (found: readonly StoredBlock[]): number => {
    const { zone, index } = placeFor(found.map(({ type }) => type as BlockType))
    const room = zone === root ? limits.pageBlocks - get().appState.data.content.length : found.length
    const added = found.slice(0, Math.max(0, room))
    if (added.length < found.length) tell(t('blocks.full', { most: limits.pageBlocks }))
    for (const [offset, block] of added.entries()) {
      const data = toItem(block)
      const id = data.props.id as string
      const destination = { destinationIndex: index + offset, destinationZone: zone }
      get().dispatch({ type: 'insert', componentType: block.type, id, ...destination, recordHistory: false })
      get().dispatch({ type: 'replace', data, ...destination, recordHistory: offset === added.length - 1 })
    }
    if (added.length > 0) choose(added.at(-1)?.id)
    return added.length
  }
  const change = (block: StoredBlock) => {
    const { getSelectorForId, dispatch } = get()
    const data = toItem(block)
    const at = getSelectorForId(data.props.id as string)
    if (at) dispatch({ type: 'replace', data, destinationIndex: at.index, destinationZone: at.zone })
  }
  const told = (block: StoredBlock) => tell(t('blocks.said.copied', { name: nameOf(block) }))

  return {
    said,
    chosen: chosen as ComponentData | null,
    choose,
    add(type: BlockType) {
      if (put([newBlock(type, locale)]) > 0) setSaid(t('blocks.visual.added', { name: nameOf({ type }) }))
    },
    change,
    /** @param on the block on which it fell: there it comes when that takes a picture */
    putPicture(url: string, on: string | undefined) {
      const item = on === undefined ? undefined : get().getItemById(on)
      const block = item && withPicture(fromItem(item as ComponentData), url)
      choose(item && on)
      if (block) change({ ...block, id: on })
      else put([{ ...newBlock('image', locale), src: url } as StoredBlock])
    },
    move(id: string, by: 1 | -1) {
      const { getSelectorForId, dispatch, getItemById } = get()
      const at = getSelectorForId(id)
      const item = getItemById(id)
      if (!at || !item || at.index + by < 0) return
      dispatch({ type: 'reorder', sourceIndex: at.index, destinationIndex: at.index + by, destinationZone: at.zone })
      choose(id)
      setSaid(t('blocks.visual.moved', { name: nameOf(item), place: at.index + by + 1 }))
    },
    duplicate(id: string) {
      const at = get().getSelectorForId(id)
      if (at) get().dispatch({ type: 'duplicate', sourceIndex: at.index, sourceZone: at.zone })
    },
    remove(id: string) {
      const at = get().getSelectorForId(id)
      const item = get().getItemById(id)
      if (!at || !item) return
      get().dispatch({ type: 'remove', index: at.index, zone: at.zone })
      choose(undefined)
      tell(t('blocks.said.deleted', { name: nameOf(item) }), () => get().history.back())
    },
    async copy(id: string) {
      const item = get().getItemById(id)
      if (!item) return
      const block = fromItem(item as ComponentData)
      await copyBlocks([block])
      told(block)
    },
    async paste() {
      const found = await copiedBlocks()
      if (found.length === 0) tell(t('blocks.said.nothing'))
      else put(found)
    },
    onCopy(event: Pick<ClipboardEvent, 'target' | 'clipboardData' | 'preventDefault'>) {
      const { selectedItem } = get()
      if (!selectedItem || inField(event.target)) return
      const block = fromItem(selectedItem as ComponentData)
      event.preventDefault()
      event.clipboardData.setData('text/plain', asText([block]))
      told(block)
    },
    onPaste(event: Pick<ClipboardEvent, 'target' | 'clipboardData' | 'preventDefault'>) {
      if (inField(event.target)) return
      const found = readBlocks(event.clipboardData.getData('text/plain'))
      if (found.length === 0) return
      event.preventDefault()
      const count = put(found)
      if (count > 0) setSaid(t('blocks.said.pasted', { count }))
    },
  }
}

const mayStandInColumn = (type: BlockType): boolean =>
  type !== 'columns' && !('band' in blocks[type] && blocks[type].band)

/** Also true in the canvas, whose elements are of another window. */
const inField = (target: EventTarget): boolean =>
  (target as Element).closest?.('input, textarea, select, [contenteditable="true"]') != null
