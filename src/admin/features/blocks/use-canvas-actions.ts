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
import { changeBlock, fromItem, fromPuck, putBack, storedId, toItem, toPuck } from './puck-data.ts'
import { moved } from './sortable-rows.tsx'
import { withText } from './typed-fields.ts'

const usePuck = createUsePuck()
const root = 'root:default-zone'

/** Calls the update at once with the blocks as they are then. */
export type ChangeBlocks = (update: (blocks: StoredBlock[]) => StoredBlock[]) => void

export type CanvasActions = ReturnType<typeof canvasActions>

/** Where a block is: its list, by the name that Puck gives it, and the index in that. */
export interface BlockPosition {
  zone: string
  index: number
}

/**
 * The actions on the canvas's blocks, for buttons, keys and the clipboard; the same object while somebody types.
 * @param changeForm changes the blocks of the form; the same function while somebody types
 * @param field the element around the blocks, which stays when the page is edited as a list
 */
export function useCanvasActions(locale: Locale, changeForm: ChangeBlocks, field: RefObject<Element | null>) {
  const t = useText()
  const uiLocale = useLocale()
  const get = useGetPuck()
  const chosen = usePuck((puck) => puck.selectedItem) as ComponentData | null
  const [announcement, setAnnouncement] = useState('')
  const locks = useContext(LocksContext)
  const isRefused = useLatest(useIsRefused())
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const work = useMemo(
    () => canvasActions({ t, uiLocale, get, locale, locks, isRefused, isGone, field, setAnnouncement, changeForm }),
    [t, uiLocale, get, locale, locks, isRefused, field, changeForm],
  )
  return { work, chosen, announcement }
}

function canvasActions(by: {
  t: TFunction
  uiLocale: Locale
  get: ReturnType<typeof useGetPuck>
  locale: Locale
  locks: BlockLocks
  isRefused: RefObject<ReturnType<typeof useIsRefused>>
  /** Whether the page is edited as a list by now, so that Puck reports no change: uploads may end later. */
  isGone: RefObject<boolean>
  field: RefObject<Element | null>
  setAnnouncement: (text: string) => void
  changeForm: ChangeBlocks
}) {
  const { t, uiLocale, get, locale, locks, isRefused, isGone, field, setAnnouncement, changeForm } = by
  const nameOf = (block: { type: string }) => blockName(block.type, uiLocale)
  /** Says so when a lock of the page does not allow what the blocks become. */
  const mayBecome = (next: readonly StoredBlock[]): boolean => {
    if (!isRefused.current(next)) return true
    notify(t('blocks.lock.refused'))
    return false
  }
  /** Whether only texts and images can be changed of a block, or of the columns that it is in. */
  const isLocked = (id: string) => isLockedWithColumns(locks, storedId(id), fromPuck(get().appState.data))
  /** @returns whether the list that a block is in may become another one */
  const mayChangeList = (id: string, change: (list: StoredBlock[], index: number) => StoredBlock[]): boolean => {
    const at = get().getSelectorForId(id)
    const isRefused = isLocked(id)
    if (isRefused) notify(t('blocks.lock.refused'))
    return !isRefused && (at?.zone !== root || mayBecome(change(fromPuck(get().appState.data), at.index)))
  }

  /** Undefined for a block that was removed: Puck's own function fails then. */
  const itemOf = (id: string): ComponentData | undefined => {
    const { getSelectorForId, getItemById } = get()
    return getSelectorForId(id) && (getItemById(id) as ComponentData | undefined)
  }
  const choose = (id: string | undefined) => {
    const itemSelector = id === undefined ? null : (get().getSelectorForId(id) ?? null)
    get().dispatch({ type: 'setUi', ui: { itemSelector }, recordHistory: false })
  }
  /** After a block if allowed there, otherwise after the section that contains it; without one at the end. */
  const positionFor = (types: readonly BlockType[], after: string | undefined): BlockPosition => {
    const { appState, getSelectorForId, getParentById } = get()
    const at = after === undefined ? undefined : getSelectorForId(after)
    if (after === undefined || !at) return { zone: root, index: appState.data.content.length }
    if (at.zone === root || types.every(isAllowedInColumn)) return { zone: at.zone, index: at.index + 1 }
    const around = getParentById(after)
    const outer = around && getSelectorForId(around.props.id as string)
    return { zone: root, index: (outer?.index ?? appState.data.content.length) + 1 }
  }
  const insertItem = (data: ComponentData, { zone, index }: BlockPosition, recordHistory: boolean) => {
    const { dispatch } = get()
    const id = data.props.id as string
    const at = { destinationIndex: index, destinationZone: zone }
    dispatch({ type: 'insert', componentType: data.type, id, ...at, recordHistory: false })
    // The list may have become shorter than the index.
    const destinationIndex = get().getSelectorForId(id)?.index ?? index
    dispatch({ type: 'replace', data, destinationIndex, destinationZone: zone, recordHistory })
  }
  const chosenId = () => get().selectedItem?.props.id as string | undefined
  /**
   * Inserts blocks, and selects the last one if the block that they come after is selected.
   * @returns how many were inserted
   */
  const put = (found: readonly StoredBlock[], after: string | undefined): number => {
    const { zone, index } = positionFor(
      found.map(({ type }) => type as BlockType),
      after,
    )
    const around = zone === root ? undefined : zone.slice(0, zone.indexOf(':'))
    if (around !== undefined && isLocked(around)) {
      notify(t('blocks.lock.refused'))
      return 0
    }
    if (zone === root && !mayBecome(fromPuck(get().appState.data).toSpliced(index, 0, ...found))) return 0
    const room = zone === root ? limits.pageBlocks - get().appState.data.content.length : found.length
    const added = found.slice(0, Math.max(0, room))
    if (added.length < found.length) notify(t('blocks.full', { most: limits.pageBlocks }))
    for (const [offset, block] of added.entries())
      insertItem(toItem(block), { zone, index: index + offset }, offset === added.length - 1)
    if (added.length > 0 && chosenId() === after) choose(added.at(-1)?.id)
    return added.length
  }
  const change = (block: StoredBlock) => {
    const { getSelectorForId, dispatch } = get()
    const data = toItem(block)
    const at = getSelectorForId(data.props.id as string)
    if (at) dispatch({ type: 'replace', data, destinationIndex: at.index, destinationZone: at.zone })
  }
  /** Changes the form that is edited as a list by now; once the page was left, an upload is in the files only. */
  const changeList: ChangeBlocks = (change) => {
    if (field.current?.isConnected) changeForm(change)
  }
  /** Changes a block that is still there. */
  const update = (id: string, of: (block: StoredBlock) => StoredBlock) => {
    if (isGone.current) return changeList((blocks) => changeBlock(blocks, storedId(id), of))
    const item = itemOf(id)
    const before = item && fromItem(item)
    const after = before && of(before)
    if (after && after !== before) change({ ...after, id })
  }
  /** Changes the images of a block, unless that changes something else that a lock forbids, such as another entry. */
  const changeImages = (id: string, of: (block: StoredBlock) => StoredBlock) =>
    update(id, (before) => {
      const after = of(before)
      if (!isLocked(id) || isTextChange(before, after)) return after
      notify(t('blocks.lock.refused'))
      return before
    })
  /** Puts an image into a block of the form that can have one, or else at the end. */
  const insertImageInForm = (url: string, on: string | undefined) =>
    changeList((blocks) => {
      let isPlaced = false
      const changed = changeBlock(blocks, storedId(on ?? ''), (block) => {
        const after = insertImage(block, url, locale)
        isPlaced = after !== undefined
        return after ?? block
      })
      if (!isPlaced && blocks.length >= limits.pageBlocks) {
        notify(t('blocks.full', { most: limits.pageBlocks }))
        return blocks
      }
      const next = isPlaced ? changed : [...blocks, { ...newBlock('image', locale), src: url } as StoredBlock]
      return mayBecome(next) ? next : blocks
    })
  /** The block on which images were dropped, and the new one that was chosen for the last of them. */
  let lastDrop: { on: string | undefined; chosen: string | undefined } | undefined
  const notifyCopied = (block: StoredBlock) => notify(t('blocks.announced.copied', { name: nameOf(block) }))

  return {
    choose,
    blockOf(id: string): StoredBlock | undefined {
      const item = itemOf(id)
      return item && fromItem(item)
    },
    add(type: BlockType) {
      if (put([newBlock(type, locale)], chosenId()) > 0)
        setAnnouncement(t('blocks.visual.added', { name: nameOf({ type }) }))
    },
    /** @param id Puck's own id, which may be longer than the stored one */
    update,
    /** Changes texts of a block by their paths in it, as one undo step. */
    changeTexts: (id: string, texts: Record<string, string>) =>
      update(id, (block) => Object.entries(texts).reduce((now, [path, text]) => withText(now, path, text), block)),
    /** Puts an image into a slot of a block. @param alt its description, if it has one and the block has none */
    setImage(id: string, slot: BlockImage, url: string, alt: string | undefined) {
      changeImages(id, (block) => setImage(block, slot, { url, alt, locale }))
    },
    /**
     * Inserts an image that was uploaded, and leaves the selection to a user who works on another block by now.
     * @param on the block on which the image was dropped: it gets the image if it can have one
     */
    insertImage(url: string, on: string | undefined) {
      if (isGone.current) return insertImageInForm(url, on)
      const item = on === undefined ? undefined : itemOf(on)
      const isTaken = item && insertImage(fromItem(item), url, locale) !== undefined
      if (on !== undefined && isTaken) changeImages(on, (block) => insertImage(block, url, locale) ?? block)
      else {
        // The images of one drop follow each other, unless the user chose another block meanwhile.
        const { on: lastOn, chosen } = lastDrop ?? {}
        const after = lastDrop && lastOn === on && chosen === chosenId() ? chosen : on
        const isChosen = chosenId() === after
        put([{ ...newBlock('image', locale), src: url } as StoredBlock], after)
        lastDrop = isChosen ? { on, chosen: chosenId() } : undefined
      }
    },
    /** @param by the number of positions towards the end */
    move(id: string, by: number) {
      const { getSelectorForId, dispatch } = get()
      const at = getSelectorForId(id)
      const item = itemOf(id)
      if (!at || !item || at.index + by < 0) return
      if (!mayChangeList(id, (list, index) => moved(list, index, index + by))) return
      dispatch({ type: 'reorder', sourceIndex: at.index, destinationIndex: at.index + by, destinationZone: at.zone })
      choose(id)
      setAnnouncement(t('blocks.visual.moved', { name: nameOf(item), position: at.index + by + 1 }))
    },
    duplicate(id: string) {
      const at = get().getSelectorForId(id)
      const copies = (list: StoredBlock[], index: number) =>
        list.toSpliced(index + 1, 0, ...list.slice(index, index + 1).map(withNewIds))
      if (at && mayChangeList(id, copies))
        get().dispatch({ type: 'duplicate', sourceIndex: at.index, sourceZone: at.zone })
    },
    remove(id: string) {
      const at = get().getSelectorForId(id)
      if (!at || !mayChangeList(id, (list, index) => list.toSpliced(index, 1))) return
      get().dispatch({ type: 'remove', index: at.index, zone: at.zone })
      choose(undefined)
    },
    /** Reports a removal, with a button that puts the block back. Called just before, in whatever way it is removed. */
    notifyRemoval(at: BlockPosition) {
      const item = get().getItemBySelector(at)
      if (!item) return
      const id = item.props.id as string
      const before = fromPuck(get().appState.data)
      notify(t('blocks.announced.deleted', { name: nameOf(item) }), () => {
        // In the form, because Puck is gone once the page is edited as a list.
        flushSync(() => changeForm((blocks) => putBack(blocks, storedId(id), before)))
        choose(id)
      })
    },
    locale,
    /** A block and those after it in the page; a block in a column alone. */
    from(id: string): StoredBlock[] {
      const at = get().getSelectorForId(id)
      const item = itemOf(id)
      if (at?.zone === root) return fromPuck(get().appState.data).slice(at.index)
      return item ? [fromItem(item)] : []
    },
    isLocked,
    isInColumn: (id: string) => get().getSelectorForId(id)?.zone !== root,
    /** Replaces a block of the page, and those after it up to `count`. */
    replace(id: string, count: number, blocks: readonly StoredBlock[]) {
      const { getSelectorForId, appState, dispatch } = get()
      const at = getSelectorForId(id)
      if (at?.zone !== root) return
      const next = fromPuck(appState.data).toSpliced(at.index, count, ...blocks)
      if (!mayBecome(next)) return
      const data = toPuck(next)
      dispatch({ type: 'setData', data, recordHistory: true })
      choose(blocks[0]?.id)
    },
    insert(blocks: readonly StoredBlock[]) {
      const count = put(blocks, chosenId())
      if (count > 0) setAnnouncement(t('blocks.announced.pasted', { count }))
    },
    async copy(id: string) {
      const item = itemOf(id)
      if (!item) return
      const block = fromItem(item)
      await copyBlocks([block])
      notifyCopied(block)
    },
    async paste() {
      const found = await readCopiedBlocks()
      if (found.length === 0) notify(t('blocks.announced.nothing'))
      else put(found, chosenId())
    },
    onCopy(event: Pick<ClipboardEvent, 'target' | 'clipboardData' | 'preventDefault'>) {
      const { selectedItem } = get()
      if (!selectedItem || inField(event.target)) return
      const block = fromItem(selectedItem as ComponentData)
      event.preventDefault()
      event.clipboardData.setData('text/plain', serializeBlocks([block]))
      notifyCopied(block)
    },
    onPaste(event: Pick<ClipboardEvent, 'target' | 'clipboardData' | 'preventDefault'>) {
      if (inField(event.target)) return
      const found = parseBlocks(event.clipboardData.getData('text/plain'))
      if (found.length === 0) return
      event.preventDefault()
      const count = put(found, chosenId())
      if (count > 0) setAnnouncement(t('blocks.announced.pasted', { count }))
    },
  }
}

const isAllowedInColumn = (type: BlockType): boolean =>
  type !== 'columns' && !('fullWidth' in blocks[type] && blocks[type].fullWidth)

/** Also works for elements of the canvas's window. */
const inField = (target: EventTarget): boolean =>
  (target as Element).closest?.('input, textarea, select, [contenteditable="true"]') != null
