import { type ComponentData, createUsePuck, useGetPuck } from '@puckeditor/core'
import { type ClipboardEvent, type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { newBlock } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { notify } from '../../components/notify.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { copyBlocks, parseBlocks, readCopiedBlocks, serializeBlocks, withNewIds } from './block-clipboard.ts'
import { type BlockImage, insertImage, setImage } from './block-images.ts'
import { type BlockLocks, isLockedWithColumns, isTextChange, LocksContext, useIsRefused } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { changeBlock, fromItem, fromPuck, restoreBlock, storedId, toItem, toPuck } from './puck-data.ts'
import { moved } from './sortable-rows.tsx'
import { withText } from './typed-fields.ts'

const usePuck = createUsePuck()
/** Puck's name for the list of the page's own blocks. That of a column begins with `<block id>:`. */
const rootZone = 'root:default-zone'

/** Calls `update` synchronously with the current blocks of the form. */
export type ChangeBlocks = (update: (blocks: StoredBlock[]) => StoredBlock[]) => void

export type CanvasActions = ReturnType<typeof createActions>

/** Where a block is: Puck's name of its list, and the index in that list. */
export interface BlockPosition {
  zone: string
  index: number
}

/**
 * The actions on the canvas's blocks, for buttons, keys and the clipboard; the same object while somebody types.
 * @param changeForm changes the blocks of the form; the same function while somebody types
 * @param pageField the element around the blocks, which stays when the user switches from the canvas to the list
 */
export function useCanvasActions(locale: Locale, changeForm: ChangeBlocks, pageField: RefObject<Element | null>) {
  const t = useText()
  const uiLocale = useLocale()
  const getPuck = useGetPuck()
  const selectedItem = usePuck((puck) => puck.selectedItem) as ComponentData | null
  const [announcement, announce] = useState('')
  const locks = useContext(LocksContext)
  const isRefused = useLatest(useIsRefused())
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  const actions = useMemo(
    () =>
      createActions({ t, uiLocale, getPuck, locale, locks, isRefused, isUnmounted, pageField, announce, changeForm }),
    [t, uiLocale, getPuck, locale, locks, isRefused, pageField, changeForm],
  )
  return { actions, selectedItem, announcement }
}

function createActions(context: {
  t: TFunction
  uiLocale: Locale
  getPuck: ReturnType<typeof useGetPuck>
  locale: Locale
  locks: BlockLocks
  isRefused: RefObject<ReturnType<typeof useIsRefused>>
  /** Whether the list has replaced the canvas, after which Puck reports no change. An upload may end later. */
  isUnmounted: RefObject<boolean>
  pageField: RefObject<Element | null>
  announce: (text: string) => void
  changeForm: ChangeBlocks
}) {
  const { t, uiLocale, getPuck, locale, locks, isRefused, isUnmounted, pageField, announce, changeForm } = context
  const nameOf = (block: { type: string }) => blockName(block.type, uiLocale)
  const pageBlocks = () => fromPuck(getPuck().appState.data)
  /** @returns whether the user's locks allow these blocks of the page; if not, the user is notified */
  const mayBecome = (next: readonly StoredBlock[]): boolean => {
    if (!isRefused.current(next)) return true
    notify(t('blocks.lock.refused'))
    return false
  }
  /** Whether only the texts and images of a block can be changed, because it or the columns around it are locked. */
  const isLocked = (id: string) => isLockedWithColumns(locks, storedId(id), pageBlocks())
  /** @returns whether locks allow this change of the list that a block is in; if not, the user is notified */
  const mayChangeList = (id: string, change: (list: StoredBlock[], index: number) => StoredBlock[]): boolean => {
    const position = getPuck().getSelectorForId(id)
    if (isLocked(id)) {
      notify(t('blocks.lock.refused'))
      return false
    }
    return position?.zone !== rootZone || mayBecome(change(pageBlocks(), position.index))
  }

  /** Puck's item of a block; undefined for a block that was removed, for which Puck's `getItemById` would throw. */
  const itemOf = (id: string): ComponentData | undefined => {
    const { getSelectorForId, getItemById } = getPuck()
    return getSelectorForId(id) && (getItemById(id) as ComponentData | undefined)
  }
  const blockOf = (id: string): StoredBlock | undefined => {
    const item = itemOf(id)
    return item && fromItem(item)
  }
  /** Selects a block; undefined selects none. */
  const select = (id: string | undefined) => {
    const itemSelector = id === undefined ? null : (getPuck().getSelectorForId(id) ?? null)
    getPuck().dispatch({ type: 'setUi', ui: { itemSelector }, recordHistory: false })
  }
  /** The position after a block, or after its columns if they may not hold these types; without a block, the end. */
  const positionFor = (types: readonly BlockType[], after: string | undefined): BlockPosition => {
    const { appState, getSelectorForId, getParentById } = getPuck()
    const position = after === undefined ? undefined : getSelectorForId(after)
    if (after === undefined || !position) return { zone: rootZone, index: appState.data.content.length }
    const { zone, index } = position
    if (zone === rootZone || types.every(isAllowedInColumn)) return { zone, index: index + 1 }
    const columns = getParentById(after)
    const columnsPosition = columns && getSelectorForId(columns.props.id as string)
    return { zone: rootZone, index: (columnsPosition?.index ?? appState.data.content.length) + 1 }
  }
  /** Inserts an item with its values, which Puck's `insert` cannot set. */
  const insertItem = (data: ComponentData, { zone, index }: BlockPosition, recordHistory: boolean) => {
    const { dispatch } = getPuck()
    const id = data.props.id as string
    const destination = { destinationIndex: index, destinationZone: zone }
    dispatch({ type: 'insert', componentType: data.type, id, ...destination, recordHistory: false })
    // Puck inserts at the end when the index is beyond it.
    const destinationIndex = getPuck().getSelectorForId(id)?.index ?? index
    dispatch({ type: 'replace', data, destinationIndex, destinationZone: zone, recordHistory })
  }
  const selectedId = () => getPuck().selectedItem?.props.id as string | undefined
  /**
   * Inserts blocks as one undo step, and selects the last one if `after` was selected. The user is notified of blocks
   * beyond the limit of the page, and of a lock that refuses all. @returns how many were inserted
   */
  const insertBlocks = (newBlocks: readonly StoredBlock[], after: string | undefined): number => {
    const types = newBlocks.map(({ type }) => type as BlockType)
    const { zone, index } = positionFor(types, after)
    const isInColumn = zone !== rootZone
    const columnsId = zone.slice(0, zone.indexOf(':'))
    if (isInColumn && isLocked(columnsId)) {
      notify(t('blocks.lock.refused'))
      return 0
    }
    if (!isInColumn && !mayBecome(pageBlocks().toSpliced(index, 0, ...newBlocks))) return 0
    const maxAdded = isInColumn ? newBlocks.length : limits.pageBlocks - getPuck().appState.data.content.length
    const added = newBlocks.slice(0, Math.max(0, maxAdded))
    if (added.length < newBlocks.length) notify(t('blocks.full', { most: limits.pageBlocks }))
    for (const [offset, block] of added.entries())
      insertItem(toItem(block), { zone, index: index + offset }, offset === added.length - 1)
    if (added.length > 0 && selectedId() === after) select(added.at(-1)?.id)
    return added.length
  }
  /** Changes the form after the canvas was replaced by the list; does nothing once the user has left the page. */
  const changeFormIfOpen: ChangeBlocks = (change) => {
    if (pageField.current?.isConnected) changeForm(change)
  }
  /** Changes a block, unless it was removed. */
  const update = (id: string, change: (block: StoredBlock) => StoredBlock) => {
    if (isUnmounted.current) return changeFormIfOpen((blocks) => changeBlock(blocks, storedId(id), change))
    const block = blockOf(id)
    const changed = block && change(block)
    if (!changed || changed === block) return
    const { getSelectorForId, dispatch } = getPuck()
    const position = getSelectorForId(id)
    if (!position) return
    const data = toItem({ ...changed, id })
    dispatch({ type: 'replace', data, destinationIndex: position.index, destinationZone: position.zone })
  }
  /** Changes the images of a block, unless that makes a forbidden change too, such as adding an entry. */
  const changeImages = (id: string, change: (block: StoredBlock) => StoredBlock) =>
    update(id, (block) => {
      const changed = change(block)
      if (!isLocked(id) || isTextChange(block, changed)) return changed
      notify(t('blocks.lock.refused'))
      return block
    })
  /** Puts an image into a block of the form, or into a new one at the end if that block is gone or cannot have it. */
  const insertImageInForm = (url: string, blockId: string | undefined) =>
    changeFormIfOpen((blocks) => {
      let isPlaced = false
      const changed = changeBlock(blocks, storedId(blockId ?? ''), (block) => {
        const withImage = insertImage(block, url, locale)
        isPlaced = withImage !== undefined
        return withImage ?? block
      })
      if (!isPlaced && blocks.length >= limits.pageBlocks) {
        notify(t('blocks.full', { most: limits.pageBlocks }))
        return blocks
      }
      const next = isPlaced ? changed : [...blocks, { ...newBlock('image', locale), src: url } as StoredBlock]
      return mayBecome(next) ? next : blocks
    })
  /** The block on which images were dropped, and the new block that was selected for the last of them. */
  let lastDrop: { blockId: string | undefined; selected: string | undefined } | undefined
  const notifyCopied = (block: StoredBlock) => notify(t('blocks.announced.copied', { name: nameOf(block) }))
  const insertAndAnnounce = (blocks: readonly StoredBlock[]) => {
    const count = insertBlocks(blocks, selectedId())
    if (count > 0) announce(t('blocks.announced.pasted', { count }))
  }

  // Each `id` is Puck's id of a block, which may be longer than the stored one.
  return {
    select,
    blockOf,
    add(type: BlockType) {
      if (insertBlocks([newBlock(type, locale)], selectedId()) > 0)
        announce(t('blocks.visual.added', { name: nameOf({ type }) }))
    },
    update,
    /** Changes texts of a block by their paths in it, as one undo step. */
    changeTexts: (id: string, texts: Record<string, string>) =>
      update(id, (block) =>
        Object.entries(texts).reduce((changed, [path, text]) => withText(changed, path, text), block),
      ),
    /** Puts an image into a slot of a block. @param alt the description to set; undefined leaves that of the block */
    setImage(id: string, slot: BlockImage, url: string, alt: string | undefined) {
      changeImages(id, (block) => setImage(block, slot, { url, alt, locale }))
    },
    // Into the block on which it was dropped, or into a new block after one that cannot have an image, or at the end.
    // Leaves the selection to a user who selected another block since the drop.
    insertImage(url: string, droppedOn: string | undefined) {
      if (isUnmounted.current) return insertImageInForm(url, droppedOn)
      const block = droppedOn === undefined ? undefined : blockOf(droppedOn)
      const canHaveImage = block && insertImage(block, url, locale) !== undefined
      if (droppedOn !== undefined && canHaveImage) {
        changeImages(droppedOn, (block) => insertImage(block, url, locale) ?? block)
        return
      }
      // The images of one drop follow each other, unless the user selected another block meanwhile.
      const isSameDrop = lastDrop && lastDrop.blockId === droppedOn && lastDrop.selected === selectedId()
      const after = isSameDrop ? lastDrop?.selected : droppedOn
      const wasSelected = selectedId() === after
      insertBlocks([{ ...newBlock('image', locale), src: url } as StoredBlock], after)
      lastDrop = wasSelected ? { blockId: droppedOn, selected: selectedId() } : undefined
    },
    /** @param by the number of positions towards the end of the list */
    move(id: string, by: number) {
      const { getSelectorForId, getItemBySelector, dispatch } = getPuck()
      const position = getSelectorForId(id)
      const item = itemOf(id)
      if (!position || !item || !getItemBySelector({ ...position, index: position.index + by })) return
      if (!mayChangeList(id, (list, index) => moved(list, index, index + by))) return
      const { zone, index } = position
      dispatch({ type: 'reorder', sourceIndex: index, destinationIndex: index + by, destinationZone: zone })
      select(id)
      announce(t('blocks.visual.moved', { name: nameOf(item), position: index + by + 1 }))
    },
    duplicate(id: string) {
      const position = getPuck().getSelectorForId(id)
      const withCopy = (list: StoredBlock[], index: number) =>
        list.toSpliced(index + 1, 0, ...list.slice(index, index + 1).map(withNewIds))
      const item = itemOf(id)
      if (!position || !item || !mayChangeList(id, withCopy)) return
      getPuck().dispatch({ type: 'duplicate', sourceIndex: position.index, sourceZone: position.zone })
      announce(t('blocks.visual.added', { name: nameOf(item) }))
    },
    remove(id: string) {
      const position = getPuck().getSelectorForId(id)
      if (!position || !mayChangeList(id, (list, index) => list.toSpliced(index, 1))) return
      getPuck().dispatch({ type: 'remove', index: position.index, zone: position.zone })
      select(undefined)
    },
    /** Notifies of a removal, with a button to undo it. Called just before every removal, also by Puck itself. */
    notifyRemoval(position: BlockPosition) {
      const item = getPuck().getItemBySelector(position)
      if (!item) return
      const id = item.props.id as string
      const blocksBefore = pageBlocks()
      notify(
        t('blocks.announced.deleted', { name: nameOf(item) }),
        () => {
          // In the form, because Puck is unmounted once the page is edited as a list.
          flushSync(() => changeForm((blocks) => restoreBlock(blocks, storedId(id), blocksBefore)))
          select(id)
        },
        'form',
      )
    },
    locale,
    /** A block of the page and those after it; of a column only the block itself. */
    blocksFrom(id: string): StoredBlock[] {
      const position = getPuck().getSelectorForId(id)
      const block = blockOf(id)
      if (position?.zone === rootZone) return pageBlocks().slice(position.index)
      return block ? [block] : []
    },
    isLocked,
    isInColumn: (id: string) => getPuck().getSelectorForId(id)?.zone !== rootZone,
    /** Replaces `count` blocks of the page, of which this is the first. Does nothing for a block in a column. */
    replace(id: string, count: number, blocks: readonly StoredBlock[]) {
      const position = getPuck().getSelectorForId(id)
      if (position?.zone !== rootZone) return
      const next = pageBlocks().toSpliced(position.index, count, ...blocks)
      if (!mayBecome(next)) return
      getPuck().dispatch({ type: 'setData', data: toPuck(next), recordHistory: true })
      select(blocks[0]?.id)
    },
    insert: insertAndAnnounce,
    async copy(id: string) {
      const block = blockOf(id)
      if (!block) return
      await copyBlocks([block])
      notifyCopied(block)
    },
    async paste() {
      const blocks = await readCopiedBlocks()
      if (blocks.length === 0) notify(t('blocks.announced.nothing'))
      else insertAndAnnounce(blocks)
    },
    onCopy(event: CanvasClipboardEvent) {
      const { selectedItem } = getPuck()
      if (!selectedItem || isInField(event.target)) return
      const block = fromItem(selectedItem as ComponentData)
      event.preventDefault()
      event.clipboardData.setData('text/plain', serializeBlocks([block]))
      notifyCopied(block)
    },
    onPaste(event: CanvasClipboardEvent) {
      if (isInField(event.target)) return
      const blocks = parseBlocks(event.clipboardData.getData('text/plain'))
      if (blocks.length === 0) return
      event.preventDefault()
      insertAndAnnounce(blocks)
    },
  }
}

/** What React's event and that of the canvas's document have in common. */
type CanvasClipboardEvent = Pick<ClipboardEvent, 'target' | 'clipboardData' | 'preventDefault'>

const isAllowedInColumn = (type: BlockType): boolean =>
  type !== 'columns' && !('fullWidth' in blocks[type] && blocks[type].fullWidth)

/** Without `instanceof`, because elements of the canvas belong to another window. */
const isInField = (target: EventTarget): boolean =>
  (target as Element).closest?.('input, textarea, select, [contenteditable="true"]') != null
