import { Button } from '@mantine/core'
import { ChevronDown, ClipboardPaste, Plus, TriangleAlert } from 'lucide-react'
import {
  type ClipboardEvent,
  createContext,
  type KeyboardEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { BlockType } from '../../../blocks/registry.ts'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { ReplaceBlockContext, useSectionNames } from '../sections/sections.ts'
import { useSaveAsSection } from '../sections/use-save-as-section.tsx'
import { AddBlock } from './add-block.tsx'
import { parseBlocks, serializeBlocks } from './block-clipboard.ts'
import { ColumnBlockListContext } from './block-field.tsx'
import { BlockForm } from './block-form.tsx'
import { BlockLockIcon } from './block-lock-icon.tsx'
import { InLockedBlockContext, isLockedForUser, LocksContext } from './block-locks.ts'
import { blockName, summaryOf } from './block-names.tsx'
import styles from './blocks.module.css'
import { EditorFrameContext } from './canvas-tools.ts'
import { ListActions } from './list-actions.tsx'
import { useFillPlaceholders } from './preview-data.ts'
import { hasProblem, noProblems, type Problems, problemsUnder } from './problems.ts'
import { pathOf, storedId, withCanvasIds } from './puck-data.ts'
import { SortableRows, useSortableRow } from './sortable-rows.tsx'
import { type BlockListActions, useBlockList } from './use-block-list.ts'

/** A block to open, and the name of the field to focus; undefined for its first field. */
interface FocusTarget {
  blockId: string
  field: string | undefined
  /** Clears the target once its field has the focus, so that opening the block again does not move the focus. */
  onFocused: () => void
}

/** Set by the list of the page for the lists in its columns, in which the block may be. */
const FocusTargetContext = createContext<FocusTarget | undefined>(undefined)

interface BlockListProps {
  /** As stored: `{ type, id?, … }`. */
  value: readonly StoredBlock[]
  /** Calls `update` synchronously with the current blocks. */
  onChange: (update: (value: StoredBlock[]) => StoredBlock[]) => void
  /** The locale of the content, not of the user. */
  locale: Locale
  /** By path in `value`: `3.items.0.title`. */
  problems?: Problems
  /** The allowed block types; by default all. */
  types?: readonly BlockType[]
  maxBlocks?: number
  /** The accessible name of the list. */
  label?: string
}

/**
 * Blocks as a list: each with its name and first words, expandable to its form. Blocks can be added, moved, duplicated,
 * removed, copied and pasted by mouse and keyboard.
 */
export function BlockList(props: BlockListProps) {
  const { value, locale, problems = noProblems, types, maxBlocks = limits.pageBlocks, label } = props
  const t = useText()
  const root = useRef<HTMLElement>(null)
  const id = useId()
  const [addIndex, setAddIndex] = useState<number>()
  const inColumn = useContext(ColumnBlockListContext) !== undefined
  const list = useBlockList({ ...props, maxBlocks, root, id, inColumn })
  const { userLock } = useContext(LocksContext)
  const isInLockedBlock = useContext(InLockedBlockContext)
  const mayAdd = value.length < maxBlocks && !(inColumn ? isInLockedBlock : userLock.page)
  const { registerSelectBlock, closeSettings } = useContext(EditorFrameContext)
  const parentTarget = useContext(FocusTargetContext)
  const [requestedTarget, setRequestedTarget] = useState<FocusTarget>()
  const focusTarget = parentTarget ?? requestedTarget
  /** The index of the block whose form gets the focus as soon as the form is rendered. */
  const focusIndex = useRef<number>(undefined)
  useEffect(() => {
    if (inColumn) return undefined
    registerSelectBlock((blockId, field) => {
      // Below this width the settings cover the list.
      if (!matchMedia('(min-width: 62em)').matches) closeSettings()
      const onFocused = () => setRequestedTarget((current) => (current === target ? undefined : current))
      const target: FocusTarget = { blockId: storedId(blockId), field, onFocused }
      setRequestedTarget(target)
    })
    return () => registerSelectBlock(undefined)
  }, [inColumn, registerSelectBlock, closeSettings])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target opens a form
  useEffect(() => {
    const path = focusTarget && pathOf(withCanvasIds(value), focusTarget.blockId)?.split('.')
    if (!path) return
    const index = Number(path[0])
    list.open(index)
    // With a longer path the block is in a column, and the list of that column moves the focus.
    focusIndex.current = path.length === 1 ? index : undefined
  }, [focusTarget])
  // Runs after each render, because the opened form may be in the document only after a later one.
  useEffect(() => {
    if (focusIndex.current === undefined) return
    const item = `[data-item-of="${id}"][data-index="${focusIndex.current}"]`
    const form = root.current?.querySelector(`${item} [data-block-form]`)
    if (!form) return
    focusIndex.current = undefined
    requestAnimationFrame(() => {
      focusField(form, focusTarget?.field)
      focusTarget?.onFocused()
    })
  })

  /** Handles the browser's copy event when a block has the focus, but none of its fields. */
  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    const index = list.indexOf(event.target)
    const block = value[index]
    if (!block || isInField(event.target)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', serializeBlocks([block]))
    list.notifyCopied(block)
  }
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (isInField(event.target) || event.defaultPrevented) return
    const blocks = parseBlocks(event.clipboardData.getData('text/plain'), types)
    if (blocks.length === 0) return
    event.preventDefault()
    const index = list.indexOf(event.target)
    list.insert(index < 0 ? value.length : index + 1, blocks)
  }

  return (
    <ColumnBlockListContext value={BlockList}>
      <FocusTargetContext value={focusTarget}>
        <section
          ref={root}
          className={styles.list}
          aria-label={label ?? t('blocks.label')}
          onCopy={onCopy}
          onPaste={onPaste}
        >
          {label && <p className={styles.listName}>{label}</p>}
          {value.length === 0 && <p className="quiet flush">{t('blocks.empty')}</p>}
          <SortableRows onMove={list.move}>
            <ol className={styles.entries}>
              {value.map((block, index) => (
                <BlockItem
                  key={list.keys[index]}
                  listId={id}
                  block={block}
                  index={index}
                  count={value.length}
                  locale={locale}
                  problems={problems}
                  list={list}
                  inColumn={inColumn}
                  onAddBelow={mayAdd ? () => setAddIndex(index + 1) : undefined}
                />
              ))}
            </ol>
          </SortableRows>
          {mayAdd && (
            <div className="row">
              <Button
                leftSection={<Plus />}
                aria-label={label && `${label}: ${t('blocks.add')}`}
                onClick={() => setAddIndex(value.length)}
              >
                {t('blocks.add')}
              </Button>
              <Button
                variant="subtle"
                leftSection={<ClipboardPaste />}
                aria-label={label && `${label}: ${t('blocks.paste')}`}
                onClick={() => void list.paste()}
              >
                {t('blocks.paste')}
              </Button>
            </div>
          )}
          <p role="status" className="visually-hidden">
            {list.announcement}
          </p>
          {addIndex !== undefined && (
            <AddBlock
              types={types}
              saved={{ locale, onInsert: (blocks) => list.insert(addIndex, blocks) }}
              onClose={() => setAddIndex(undefined)}
              onChoose={(type) => {
                setAddIndex(undefined)
                list.add(type, addIndex)
              }}
            />
          )}
        </section>
      </FocusTargetContext>
    </ColumnBlockListContext>
  )
}

/** Focuses an empty field with this name, for which it expands entries, or any such field, or the first of all. */
function focusField(form: Element, name: string | undefined): void {
  const namedFields = () => [...form.querySelectorAll<HTMLInputElement>(`[data-field="${name}"]`)]
  const emptyField = () => namedFields().find(({ value }) => value === '')
  const collapsedEntries = form.querySelectorAll<HTMLElement>('[data-entry][aria-expanded="false"]')
  for (const entry of name === undefined ? [] : collapsedEntries) {
    if (emptyField()) break
    flushSync(() => entry.click())
  }
  const firstField = form.querySelector<HTMLElement>('input, textarea, select, button, [contenteditable="true"]')
  const target = emptyField() ?? namedFields()[0] ?? firstField
  target?.focus()
}

const isInField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null

/** One block of the list. Shortcuts: Alt with an arrow moves it, Delete removes it, Ctrl+D duplicates it. */
function BlockItem(props: {
  listId: string
  block: StoredBlock
  index: number
  count: number
  locale: Locale
  problems: Problems
  list: BlockListActions
  inColumn: boolean
  onAddBelow: (() => void) | undefined
}) {
  const { listId, block, index, count, locale, problems, list, inColumn, onAddBelow } = props
  const t = useText()
  const name = blockName(block.type, useLocale())
  const dir = useContentDirection(locale)
  const isInvalid = hasProblem(problems, index)
  const isOpen = list.isOpen(index)
  useSectionNames([block])
  const summary = summaryOf(block, useFillPlaceholders(locale))
  const blockProblem = problems[index]
  const fieldProblems = problemsUnder(problems, index)
  const locks = useContext(LocksContext)
  const { onLock } = locks
  const isInLockedBlock = useContext(InLockedBlockContext)
  const locked = inColumn ? isInLockedBlock : isLockedForUser(locks, block.id)
  const key = list.keys[index] as string
  const { ref, handle, isDragSource } = useSortableRow(key, index, locked)
  const saveAsSection = useSaveAsSection(() => ({
    blocks: list.blocksFrom(index),
    locale,
    onReplace: inColumn || locked ? undefined : (count, section) => list.replace(index, count, [section]),
  }))

  const onKeyDown = (event: KeyboardEvent) => {
    const action = locked ? undefined : shortcutAction(event, { index, list })
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <li
      ref={ref}
      data-item-of={listId}
      data-index={index}
      data-wrong={isInvalid || undefined}
      data-dragged={isDragSource || undefined}
    >
      <div className={styles.head}>
        {handle}
        <button
          type="button"
          className={styles.opener}
          aria-expanded={isOpen}
          aria-keyshortcuts={locked ? 'Control+C' : 'Alt+ArrowUp Alt+ArrowDown Delete Control+C Control+V Control+D'}
          data-block-of={listId}
          onClick={() => list.toggle(index)}
          onKeyDown={onKeyDown}
        >
          <ChevronDown />
          <strong>{name}</strong>
          {summary && (
            <span className={styles.summary} dir={dir} lang={locale}>
              {summary}
            </span>
          )}
          {isInvalid && <TriangleAlert className={styles.mark} aria-label={t('blocks.problem')} />}
        </button>
        {saveAsSection.dialog}
        {!inColumn && <BlockLockIcon block={block.id} />}
        <ListActions
          name={`${name} ${index + 1}`}
          fixed={locked}
          onUp={index > 0 ? () => list.move(index, index - 1) : undefined}
          onDown={index < count - 1 ? () => list.move(index, index + 1) : undefined}
          onCopy={() => void list.copy(index)}
          onDuplicate={locked ? undefined : () => list.duplicate(index)}
          onSaveAsSection={saveAsSection.open}
          onLock={onLock && !inColumn && block.id ? () => onLock(block.id as string) : undefined}
          onDelete={locked ? undefined : () => list.remove(index)}
          hasShortcuts
        />
      </div>
      {isOpen && (
        <div className={styles.body}>
          <ReplaceBlockContext value={(blocks) => list.replace(index, 1, blocks)}>
            <BlockForm
              block={block}
              onChange={(update) => list.change(key, update)}
              problems={blockProblem ? { ...fieldProblems, '': blockProblem } : fieldProblems}
              locale={locale}
            />
          </ReplaceBlockContext>
          {onAddBelow && (
            <Button variant="subtle" leftSection={<Plus />} onClick={onAddBelow}>
              {t('blocks.addBelow')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function shortcutAction(event: KeyboardEvent, { index, list }: { index: number; list: BlockListActions }) {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey && event.key === 'ArrowUp') return () => list.move(index, index - 1)
  if (event.altKey && event.key === 'ArrowDown') return () => list.move(index, index + 1)
  if (command && event.key.toLowerCase() === 'd') return () => list.duplicate(index)
  if (event.key === 'Delete') return () => list.remove(index)
  return undefined
}
