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

/** Dragging this far horizontally changes the depth. */
const sidewaysPixels = 40

/** The items of a menu and its submenus as one flat list: reordered and nested by dragging, keyboard and buttons. */
export default function MenuItems(
  props: EntriesProps & {
    /** Without a frame and a visible label, for a list that is the whole section. */
    plain?: boolean
    /** The title of an entry that has none of its own. */
    titleOf?: (entry: Entry) => string
    /** Shown beside the title, in place of the address. */
    detail?: (entry: Entry) => ReactNode
    /** The ways to add an item, in place of one button; `add` can open its form. */
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
  const rows = useRows()
  const now = rows.of(value)
  /** The keys of the rows whose form is open. */
  const [open, setOpen] = useState<readonly string[]>([])
  const [depthAnnouncement, setDepthAnnouncement] = useState<string>()
  const fields = field.fields.filter(({ kind }) => kind !== 'children')

  const put = (change: (rows: readonly MenuRow[]) => MenuRow[]) =>
    onChange((items) => {
      const next = change(rows.of(items))
      rows.set(next)
      return itemsOf(next)
    })
  const nameOf = ({ entry }: MenuRow) =>
    fill(titleOf?.(entry) ?? String(entry.title || '')) || t('config.offer.unnamed')
  /** Announces the depth when it changed, otherwise the position. */
  const putAndAnnounce = (next: MenuRow[], moved: MenuRow) => {
    const index = next.findIndex(({ key }) => key === moved.key)
    put(() => next)
    if (next[index]?.depth === moved.depth) return setDepthAnnouncement(undefined)
    const name = nameOf(moved)
    const parent = parentOf(next, index)
    setDepthAnnouncement(
      parent ? t('config.sort.movedIn', { name, parent: nameOf(parent) }) : t('config.sort.movedOut', { name }),
    )
  }
  const move = (from: number, to: number, sideways: number) => {
    const row = now[from]
    if (!row) return
    const next = from === to ? now : moveRow(now, from, to)
    const index = next.findIndex(({ key }) => key === row.key)
    if (sideways > sidewaysPixels) return putAndAnnounce(indentRow(next, index), row)
    if (sideways < -sidewaysPixels) return putAndAnnounce(outdentRow(next, index), row)
    putAndAnnounce(next, row)
  }
  const deeper = (index: number, inside: boolean) => {
    const row = now[index]
    if (row) putAndAnnounce(inside ? indentRow(now, index) : outdentRow(now, index), row)
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return false
    const turned = document.documentElement.dir === 'rtl'
    deeper(index, (event.key === 'ArrowRight') !== turned)
    return true
  }
  const remove = (row: MenuRow) => {
    put(() => removeRow(now, now.indexOf(row)))
    notify(<Translated text="config.menu.removed" name={<bdi>{nameOf(row)}</bdi>} />, () =>
      put((current) => restoreRow(current, now, row)),
    )
  }
  const add = (entry: Entry, opened = false) => {
    const key = randomId()
    put((current) => [...current, { key, depth: 0, entry }])
    if (opened) setOpen([key])
  }
  const addEmpty = () => {
    const { submenu: _, ...entry } = emptyEntry(field.fields)
    add(entry, true)
  }
  return (
    <fieldset className={styles.group} data-plain={plain || undefined}>
      <legend className={plain ? 'visually-hidden' : undefined}>{label}</legend>
      {problem && <p className="wrong">{problem}</p>}
      <p className="quiet flush">{t(now.length === 0 ? 'config.menu.none' : 'config.menu.help')}</p>
      <SortableList
        label={label}
        items={now}
        keyOf={({ key }) => key}
        nameOf={nameOf}
        depthOf={({ depth }) => depth}
        onMove={move}
        onKey={press}
        {...(depthAnnouncement && { announcement: depthAnnouncement })}
      >
        {(row, index) => {
          const path = pathOf(now, index)
          const own = Object.fromEntries(
            Object.entries(problemsUnder(problems, path)).filter(([key]) => !key.startsWith('submenu.')),
          )
          const wrong = Object.keys(own).length > 0 || path in problems
          const change = (update: (entry: Entry) => Entry) => {
            // Otherwise its form would close while the user mends the error.
            if (wrong) setOpen([...open, row.key])
            put((current) => current.map((one) => (one.key === row.key ? { ...one, entry: update(one.entry) } : one)))
          }
          return (
            <div className={styles.form}>
              <div className={styles.menuRow}>
                <span className={styles.menuName} dir="auto">
                  {wrong && <TriangleAlert className={styles.mark} aria-label={t('blocks.problem')} />}
                  {nameOf(row)} {detail ? detail(row.entry) : <small dir="ltr">{String(row.entry.url ?? '')}</small>}
                </span>
                <span className={styles.menuTools}>
                  <IconButton
                    label={t('config.sort.out', { name: nameOf(row) })}
                    icon={<IndentDecrease className="flip-in-rtl" />}
                    disabled={row.depth === 0}
                    onClick={() => deeper(index, false)}
                  />
                  <IconButton
                    label={t('config.sort.in', { name: nameOf(row) })}
                    icon={<IndentIncrease className="flip-in-rtl" />}
                    disabled={!canIndentRow(now, index)}
                    onClick={() => deeper(index, true)}
                  />
                  <IconButton
                    label={`${t('config.offer.edit')}: ${nameOf(row)}`}
                    title={t('config.offer.edit')}
                    icon={<Pencil />}
                    aria-expanded={open.includes(row.key) || wrong}
                    onClick={() => setOpen(open.includes(row.key) ? [] : [row.key])}
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
              {(open.includes(row.key) || wrong) && children(fields, row.entry, change, own)}
            </div>
          )
        }}
      </SortableList>
      {now.filter(({ depth }) => depth === 0).length < field.most &&
        (adders?.(add) ?? <AddButton onClick={addEmpty}>{t('config.menu.add')}</AddButton>)}
    </fieldset>
  )
}

/** The rows of items. They keep their keys until the items change from outside. */
function useRows(): { of: (items: readonly Entry[]) => MenuRow[]; set: (rows: MenuRow[]) => void } {
  const rows = useRef<MenuRow[]>([])
  return {
    of(items) {
      const fromItems = rowsOf(items, (index) => rows.current[index]?.key ?? randomId())
      if (JSON.stringify(itemsOf(fromItems)) !== JSON.stringify(itemsOf(rows.current))) rows.current = fromItems
      return rows.current
    },
    set(next) {
      rows.current = next
    },
  }
}

/** One menu item in the flattened, sortable list. Its parent is the last row before it that is one level less deep. */
export interface MenuRow {
  /** A React key, stable while the screen is open. */
  key: string
  /** 0 at the top level; at most one more than that of the previous row. */
  depth: number
  /** The item without its submenu. */
  entry: Record<string, unknown>
}

type Item = Record<string, unknown>

/** @param keyAt the key for the row at that index */
export function rowsOf(items: readonly Item[], keyAt: (index: number) => string): MenuRow[] {
  const flatten = (list: readonly Item[], depth: number): Omit<MenuRow, 'key'>[] =>
    list.flatMap(({ submenu, ...entry }) => [
      { depth, entry },
      ...flatten(Array.isArray(submenu) ? submenu : [], depth + 1),
    ])
  return flatten(items, 0).map((row, index) => ({ ...row, key: keyAt(index) }))
}

export function itemsOf(rows: readonly MenuRow[]): Item[] {
  const items: Item[] = []
  /** The list for new items, per depth. */
  const lists: Item[][] = [items]
  for (const { depth, entry } of rows) {
    const submenu: Item[] = []
    lists[depth]?.push({ ...entry, submenu })
    lists.splice(depth + 1, lists.length, submenu)
  }
  return items
}

/** The path of the row in the API: `1.submenu.0`. */
export function pathOf(rows: readonly MenuRow[], index: number): string {
  const counts: number[] = []
  for (const { depth } of rows.slice(0, index + 1)) {
    counts.splice(depth + 1)
    counts[depth] = (counts[depth] ?? -1) + 1
  }
  return counts.join('.submenu.')
}

/** The row whose submenu contains it. */
function parentOf(rows: readonly MenuRow[], index: number): MenuRow | undefined {
  const depth = rows[index]?.depth ?? 0
  return rows.slice(0, index).findLast((row) => row.depth < depth)
}

/** The index of the last row of its submenu, or its own index. */
function endOf(rows: readonly MenuRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  let end = index
  while ((rows[end + 1]?.depth ?? -1) > depth) end++
  return end
}

/** Moves a row with its submenu to another index, at the depth of the row that then follows it. */
export function moveRow(rows: readonly MenuRow[], from: number, to: number): MenuRow[] {
  const row = rows[from]
  const end = endOf(rows, from)
  if (!row || (to > from && end + 1 >= rows.length)) return [...rows]
  const block = rows.slice(from, end + 1)
  const rest = [...rows.slice(0, from), ...rows.slice(end + 1)]
  // The index in `rest`.
  const at = Math.min(Math.max(to > from ? Math.max(to, end + 1) - block.length + 1 : to, 0), rest.length)
  const deepest = at === 0 ? 0 : (rest[at - 1]?.depth ?? 0) + 1
  const depth = Math.min(rest[at]?.depth ?? row.depth, deepest)
  return [...rest.slice(0, at), ...shifted(block, depth - row.depth), ...rest.slice(at)]
}

/** Whether the row can be nested under the row before it. */
const canIndentRow = (rows: readonly MenuRow[], index: number): boolean =>
  (rows[index]?.depth ?? 0) <= (rows[index - 1]?.depth ?? -1)

/** Nests an item with its submenu under the item before it. */
export function indentRow(rows: readonly MenuRow[], index: number): MenuRow[] {
  if (!canIndentRow(rows, index)) return [...rows]
  const end = endOf(rows, index)
  return [...rows.slice(0, index), ...shifted(rows.slice(index, end + 1), 1), ...rows.slice(end + 1)]
}

/** Moves an item with its submenu out of its parent, to the position after the parent. */
export function outdentRow(rows: readonly MenuRow[], index: number): MenuRow[] {
  const parent = parentOf(rows, index)
  if (!parent) return [...rows]
  const end = endOf(rows, index)
  const last = endOf(rows, rows.indexOf(parent))
  return [
    ...rows.slice(0, index),
    ...rows.slice(end + 1, last + 1),
    ...shifted(rows.slice(index, end + 1), -1),
    ...rows.slice(last + 1),
  ]
}

/** Removes a row; the items of its submenu move up one level. */
export const removeRow = (rows: readonly MenuRow[], index: number): MenuRow[] => [
  ...rows.slice(0, index),
  ...shifted(rows.slice(index + 1, endOf(rows, index) + 1), -1),
  ...rows.slice(endOf(rows, index) + 1),
]

/** Puts a removed row back after the one that it followed, and its submenu into it, where that was not moved. */
export function restoreRow(rows: readonly MenuRow[], before: readonly MenuRow[], row: MenuRow): MenuRow[] {
  const isThere = (key: string) => rows.some((one) => one.key === key)
  if (isThere(row.key)) return [...rows]
  const index = before.indexOf(row)
  const previous = before.slice(0, index).findLast(({ key }) => isThere(key))
  let at = rows.findIndex(({ key }) => key === previous?.key) + 1
  const depth = Math.min(row.depth, at === 0 ? 0 : (rows[at - 1]?.depth ?? 0) + 1)
  // The submenu of another item stays in one piece.
  while ((rows[at]?.depth ?? 0) > depth) at++
  const submenu = before.slice(index + 1, endOf(before, index) + 1)
  const isOwn = (one: MenuRow | undefined) => one !== undefined && submenu.some(({ key }) => key === one.key)
  let end = at
  while (isOwn(rows[end]) && (rows[end]?.depth ?? 0) >= depth) end++
  return [...rows.slice(0, at), { ...row, depth }, ...shifted(rows.slice(at, end), 1), ...rows.slice(end)]
}

const shifted = (rows: readonly MenuRow[], by: number): MenuRow[] =>
  rows.map((row) => (by === 0 ? row : { ...row, depth: row.depth + by }))
