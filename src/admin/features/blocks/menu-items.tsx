import { IndentDecrease, IndentIncrease, Pencil, Trash2, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { emptyEntry, type Field } from '../../../blocks/fields.ts'
import { randomId } from '../../../contract/random-id.ts'
import { AddButton, IconButton } from '../../components/buttons.tsx'
import { notify } from '../../components/notify.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import styles from './blocks.module.css'
import type { EntriesProps, Entry } from './entry-list.tsx'
import { useFillPlaceholders } from './preview-data.ts'
import { type Problems, problemsUnder } from './problems.ts'

/** Dragging a row further than this towards the start or the end of its line changes the row's depth by one. */
const depthChangePx = 40

/** The items of a menu and its submenus as one flat list: reordered and nested by dragging, keyboard and buttons. */
export default function MenuItems(
  props: EntriesProps & {
    /** Hides the frame and the label, for a list that is the whole section. */
    plain?: boolean
    /** The title to show for an entry; by default its field `title`. */
    titleOf?: (entry: Entry) => string
    /** Renders what stands beside the title; by default the URL. */
    detail?: (entry: Entry) => ReactNode
    /** Renders the buttons to add an item; by default one button. `open` also opens the form of the new item. */
    adders?: (add: (entry: Entry, open?: boolean) => void) => ReactNode
    children: (
      fields: readonly Field[],
      entry: Entry,
      change: (update: (entry: Entry) => Entry) => void,
      problems: Problems,
    ) => ReactNode
  },
) {
  const { field, label, value, onChange, problem, problems, locale, plain, titleOf, detail, adders, children } = props
  const t = useText()
  const fill = useFillPlaceholders(locale)
  const rowStore = useRowStore()
  const rows = rowStore.rowsFor(value)
  /** The keys of the rows whose form is open. */
  const [openKeys, setOpenKeys] = useState<readonly string[]>([])
  const [depthAnnouncement, setDepthAnnouncement] = useState<string>()
  const fields = field.fields.filter(({ kind }) => kind !== 'children')

  const changeRows = (change: (rows: readonly MenuRow[]) => MenuRow[]) =>
    onChange((items) => {
      const newRows = change(rowStore.rowsFor(items))
      rowStore.set(newRows)
      return itemsOf(newRows)
    })
  const nameOf = ({ entry }: MenuRow) =>
    fill(titleOf?.(entry) ?? String(entry.title || '')) || t('config.offer.unnamed')
  /** Announces the new depth of the moved row; if the depth is the same, `SortableList` announces the position. */
  const changeAndAnnounce = (newRows: MenuRow[], moved: MenuRow) => {
    const index = newRows.findIndex(({ key }) => key === moved.key)
    changeRows(() => newRows)
    if (newRows[index]?.depth === moved.depth) return setDepthAnnouncement(undefined)
    const name = nameOf(moved)
    const parent = findParent(newRows, index)
    setDepthAnnouncement(
      parent ? t('config.sort.movedIn', { name, parent: nameOf(parent) }) : t('config.sort.movedOut', { name }),
    )
  }
  const move = (from: number, to: number, inlineOffset: number) => {
    const row = rows[from]
    if (!row) return
    const movedRows = from === to ? rows : moveRow(rows, from, to)
    const index = movedRows.findIndex(({ key }) => key === row.key)
    if (inlineOffset > depthChangePx) return changeAndAnnounce(indentRow(movedRows, index), row)
    if (inlineOffset < -depthChangePx) return changeAndAnnounce(outdentRow(movedRows, index), row)
    changeAndAnnounce(movedRows, row)
  }
  const indent = (row: MenuRow) => changeAndAnnounce(indentRow(rows, rows.indexOf(row)), row)
  const outdent = (row: MenuRow) => changeAndAnnounce(outdentRow(rows, rows.indexOf(row)), row)
  const handleKey = (event: KeyboardEvent, index: number) => {
    const row = rows[index]
    if (!row || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return false
    const isTowardsEnd = (event.key === 'ArrowRight') !== (document.documentElement.dir === 'rtl')
    if (isTowardsEnd) indent(row)
    else outdent(row)
    return true
  }
  const remove = (row: MenuRow) => {
    changeRows(() => removeRow(rows, rows.indexOf(row)))
    notify(
      <Translated text="config.menu.removed" name={<bdi>{nameOf(row)}</bdi>} />,
      () => changeRows((current) => restoreRow(current, rows, row)),
      'form',
    )
  }
  const add = (entry: Entry, open = false) => {
    const key = randomId()
    changeRows((current) => [...current, { key, depth: 0, entry }])
    if (open) setOpenKeys([key])
  }
  const addEmpty = () => {
    const { submenu: _, ...entry } = emptyEntry(field.fields)
    add(entry, true)
  }
  return (
    <fieldset className={styles.group} data-plain={plain || undefined}>
      <legend className={plain ? 'visually-hidden' : undefined}>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      <p className="quiet flush">{t(rows.length === 0 ? 'config.menu.none' : 'config.menu.help')}</p>
      <SortableList
        label={label}
        items={rows}
        keyOf={({ key }) => key}
        nameOf={nameOf}
        depthOf={({ depth }) => depth}
        onMove={move}
        onKey={handleKey}
        {...(depthAnnouncement && { announcement: depthAnnouncement })}
      >
        {(row, index) => {
          const path = pathOf(rows, index)
          const entryProblems = Object.fromEntries(
            Object.entries(problemsUnder(problems, path)).filter(([key]) => !key.startsWith('submenu.')),
          )
          const isInvalid = Object.keys(entryProblems).length > 0 || path in problems
          const isOpen = openKeys.includes(row.key) || isInvalid
          const changeEntry = (update: (entry: Entry) => Entry) => {
            // Keeps the form open when the user has mended the error.
            if (isInvalid) setOpenKeys([...openKeys, row.key])
            const updateRow = (current: MenuRow) =>
              current.key === row.key ? { ...current, entry: update(current.entry) } : current
            changeRows((current) => current.map(updateRow))
          }
          return (
            <div className={styles.form}>
              <div className={styles.menuRow}>
                <span className={styles.menuName} dir="auto">
                  {isInvalid && <TriangleAlert className={styles.mark} aria-label={t('blocks.problem')} />}
                  {nameOf(row)} {detail ? detail(row.entry) : <small dir="ltr">{String(row.entry.url ?? '')}</small>}
                </span>
                <span className={styles.menuTools}>
                  <IconButton
                    label={t('config.sort.out', { name: nameOf(row) })}
                    icon={<IndentDecrease className="flip-in-rtl" />}
                    disabled={row.depth === 0}
                    onClick={() => outdent(row)}
                  />
                  <IconButton
                    label={t('config.sort.in', { name: nameOf(row) })}
                    icon={<IndentIncrease className="flip-in-rtl" />}
                    disabled={!canIndentRow(rows, index)}
                    onClick={() => indent(row)}
                  />
                  <IconButton
                    label={`${t('config.offer.edit')}: ${nameOf(row)}`}
                    title={t('config.offer.edit')}
                    icon={<Pencil />}
                    aria-expanded={isOpen}
                    onClick={() => setOpenKeys(openKeys.includes(row.key) ? [] : [row.key])}
                  />
                  <IconButton
                    label={t('config.sort.remove', { name: nameOf(row) })}
                    icon={<Trash2 />}
                    className="danger"
                    onClick={() => remove(row)}
                  />
                </span>
              </div>
              {path in problems && <p className="wrong">{problems[path]}</p>}
              {isOpen && children(fields, row.entry, changeEntry, entryProblems)}
            </div>
          )
        }}
      </SortableList>
      {rows.filter(({ depth }) => depth === 0).length < field.maxItems &&
        (adders?.(add) ?? <AddButton onClick={addEmpty}>{t('config.menu.add')}</AddButton>)}
    </fieldset>
  )
}

/** Stores the rows with their keys. After a change of the items from outside, the keys stay with the positions. */
function useRowStore(): { rowsFor: (items: readonly Entry[]) => MenuRow[]; set: (rows: MenuRow[]) => void } {
  const stored = useRef<MenuRow[]>([])
  return {
    rowsFor(items) {
      const rows = rowsOf(items, (index) => stored.current[index]?.key ?? randomId())
      if (JSON.stringify(itemsOf(rows)) !== JSON.stringify(itemsOf(stored.current))) stored.current = rows
      return stored.current
    },
    set(rows) {
      stored.current = rows
    },
  }
}

/** One menu item in the flattened, sortable list. Its parent is the last row above it with a lower depth. */
export interface MenuRow {
  /** A React key, stable while the screen is open. */
  key: string
  /** 0 at the top level; at most one more than that of the previous row. */
  depth: number
  /** The item without its submenu. */
  entry: Record<string, unknown>
}

type Item = Record<string, unknown>

/** Flattens items: each is followed by those of its submenu. @param keyAt returns the key of a row by its index */
export function rowsOf(items: readonly Item[], keyAt: (index: number) => string): MenuRow[] {
  const flatten = (list: readonly Item[], depth: number): Omit<MenuRow, 'key'>[] =>
    list.flatMap(({ submenu, ...entry }) => [
      { depth, entry },
      ...flatten(Array.isArray(submenu) ? submenu : [], depth + 1),
    ])
  return flatten(items, 0).map((row, index) => ({ ...row, key: keyAt(index) }))
}

/** Nests rows to items: the inverse of `rowsOf`. Each item has a `submenu`, which may be empty. */
export function itemsOf(rows: readonly MenuRow[]): Item[] {
  const items: Item[] = []
  /** Per depth, the list that gets the next item. */
  const lists: Item[][] = [items]
  for (const { depth, entry } of rows) {
    const submenu: Item[] = []
    lists[depth]?.push({ ...entry, submenu })
    lists.splice(depth + 1, lists.length, submenu)
  }
  return items
}

/** The path of a row's item in error paths: `1.submenu.0`. */
export function pathOf(rows: readonly MenuRow[], index: number): string {
  const indexes: number[] = []
  for (const { depth } of rows.slice(0, index + 1)) {
    indexes.splice(depth + 1)
    indexes[depth] = (indexes[depth] ?? -1) + 1
  }
  return indexes.join('.submenu.')
}

/** The row whose submenu contains the row at an index; undefined at the top level. */
function findParent(rows: readonly MenuRow[], index: number): MenuRow | undefined {
  const depth = rows[index]?.depth ?? 0
  return rows.slice(0, index).findLast((row) => row.depth < depth)
}

/** The index of the last row in the submenu of a row; without a submenu, the index of the row itself. */
function lastIndexOf(rows: readonly MenuRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  let last = index
  while ((rows[last + 1]?.depth ?? -1) > depth) last++
  return last
}

/** Moves a row with its submenu to another index, at the depth of the row that then follows it. */
export function moveRow(rows: readonly MenuRow[], from: number, to: number): MenuRow[] {
  const row = rows[from]
  const last = lastIndexOf(rows, from)
  if (!row || (to > from && last + 1 >= rows.length)) return [...rows]
  const moved = rows.slice(from, last + 1)
  const rest = [...rows.slice(0, from), ...rows.slice(last + 1)]
  // A move down goes at least past the row after the submenu.
  const indexInRest = to > from ? Math.max(to, last + 1) - moved.length + 1 : to
  const at = Math.min(Math.max(indexInRest, 0), rest.length)
  const maxDepth = at === 0 ? 0 : (rest[at - 1]?.depth ?? 0) + 1
  const depth = Math.min(rest[at]?.depth ?? row.depth, maxDepth)
  return [...rest.slice(0, at), ...changeDepth(moved, depth - row.depth), ...rest.slice(at)]
}

/** Whether the row can be nested one level deeper: the row directly above must be at least as deep. */
const canIndentRow = (rows: readonly MenuRow[], index: number): boolean =>
  (rows[index]?.depth ?? 0) <= (rows[index - 1]?.depth ?? -1)

/** Nests a row with its submenu one level deeper, under the row above it; no change where that is impossible. */
export function indentRow(rows: readonly MenuRow[], index: number): MenuRow[] {
  if (!canIndentRow(rows, index)) return [...rows]
  const last = lastIndexOf(rows, index)
  return [...rows.slice(0, index), ...changeDepth(rows.slice(index, last + 1), 1), ...rows.slice(last + 1)]
}

/** Moves a row with its submenu out of its parent, to the position after the parent's submenu. */
export function outdentRow(rows: readonly MenuRow[], index: number): MenuRow[] {
  const parent = findParent(rows, index)
  if (!parent) return [...rows]
  const last = lastIndexOf(rows, index)
  const lastOfParent = lastIndexOf(rows, rows.indexOf(parent))
  return [
    ...rows.slice(0, index),
    ...rows.slice(last + 1, lastOfParent + 1),
    ...changeDepth(rows.slice(index, last + 1), -1),
    ...rows.slice(lastOfParent + 1),
  ]
}

/** Removes a row; the rows of its submenu move up one level. */
export const removeRow = (rows: readonly MenuRow[], index: number): MenuRow[] => [
  ...rows.slice(0, index),
  ...changeDepth(rows.slice(index + 1, lastIndexOf(rows, index) + 1), -1),
  ...rows.slice(lastIndexOf(rows, index) + 1),
]

/** Puts a removed row back after the row above it, and around the rows of its submenu that were not moved since. */
export function restoreRow(rows: readonly MenuRow[], before: readonly MenuRow[], row: MenuRow): MenuRow[] {
  const hasRow = (key: string) => rows.some((current) => current.key === key)
  if (hasRow(row.key)) return [...rows]
  const indexBefore = before.indexOf(row)
  const previous = before.slice(0, indexBefore).findLast(({ key }) => hasRow(key))
  let index = rows.findIndex(({ key }) => key === previous?.key) + 1
  const depth = Math.min(row.depth, index === 0 ? 0 : (rows[index - 1]?.depth ?? 0) + 1)
  // The submenu of another item stays in one piece.
  while ((rows[index]?.depth ?? 0) > depth) index++
  const submenu = before.slice(indexBefore + 1, lastIndexOf(before, indexBefore) + 1)
  const isInSubmenu = (current: MenuRow | undefined) =>
    current !== undefined && submenu.some(({ key }) => key === current.key)
  let end = index
  while (isInSubmenu(rows[end]) && (rows[end]?.depth ?? 0) >= depth) end++
  return [...rows.slice(0, index), { ...row, depth }, ...changeDepth(rows.slice(index, end), 1), ...rows.slice(end)]
}

const changeDepth = (rows: readonly MenuRow[], by: number): MenuRow[] =>
  rows.map((row) => (by === 0 ? row : { ...row, depth: row.depth + by }))
