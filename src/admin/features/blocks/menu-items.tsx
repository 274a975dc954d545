import { ActionIcon, Button } from '@mantine/core'
import { IndentDecrease, IndentIncrease, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { emptyEntry, type Field } from '../../../blocks/fields.ts'
import type { Locale } from '../../../contract/locales.ts'
import { tell } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import { useText } from '../../i18n.ts'
import styles from './blocks.module.css'
import { useFill } from './fill.ts'
import { itemsOf, type MenuRow, movedRow, pathOf, rowIn, rowOut, rowsOf } from './menu-rows.ts'
import { hasProblem, type Problems, problemsUnder } from './problems.ts'

type Entry = Record<string, unknown>
/** Dragged so far along the line it changes its depth. */
const sidewaysPixels = 40
const newKey = () => crypto.randomUUID()

/** The items of a menu with their submenus, as one list: put in order and in and out of submenus by dragging, keys and buttons. */
export default function MenuItems(props: {
  field: Extract<Field, { kind: 'objects' }>
  label: string
  value: readonly Entry[]
  onChange: (value: Entry[]) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
  children: (fields: readonly Field[], entry: Entry, change: (entry: Entry) => void, problems: Problems) => ReactNode
}) {
  const { field, label, value, onChange, problem, problems, locale, children } = props
  const t = useText()
  const fill = useFill(locale)
  const rows = useRows(value)
  const [open, setOpen] = useState<string>()
  const [said, setSaid] = useState<string>()
  const fields = field.fields.filter(({ name }) => name !== 'submenu')

  const put = (next: MenuRow[]) => {
    rows.keep(next)
    onChange(itemsOf(next))
  }
  const nameOf = ({ entry }: MenuRow) => fill(String(entry.title || '')) || t('config.offer.unnamed')
  const parentOf = (list: MenuRow[], index: number) => {
    const root = list.slice(0, index).findLast(({ depth }) => depth === 0)
    return root ? nameOf(root) : ''
  }
  /** Another depth is more to tell than another place. */
  const putAndTell = (next: MenuRow[], moved: MenuRow) => {
    const index = next.findIndex(({ key }) => key === moved.key)
    const depth = next[index]?.depth
    put(next)
    if (depth === moved.depth) return setSaid(undefined)
    const name = nameOf(moved)
    setSaid(
      depth === 1
        ? t('config.sort.movedIn', { name, parent: parentOf(next, index) })
        : t('config.sort.movedOut', { name }),
    )
  }
  const move = (from: number, to: number, sideways: number) => {
    const row = rows.now[from]
    if (!row) return
    const next = from === to ? rows.now : movedRow(rows.now, from, to)
    const index = next.findIndex(({ key }) => key === row.key)
    if (sideways > sidewaysPixels && next[index]?.depth === 0) return putAndTell(rowIn(next, index), row)
    if (sideways < -sidewaysPixels && next[index]?.depth === 1) return putAndTell(rowOut(next, index), row)
    putAndTell(next, row)
  }
  const deeper = (index: number, inside: boolean) => {
    const row = rows.now[index]
    if (row) putAndTell(inside ? rowIn(rows.now, index) : rowOut(rows.now, index), row)
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return false
    const turned = document.documentElement.dir === 'rtl'
    deeper(index, (event.key === 'ArrowRight') !== turned)
    return true
  }
  const remove = (row: MenuRow) => {
    const before = rows.now
    put(before.filter(({ key }) => key !== row.key).map((one, index) => (index === 0 ? { ...one, depth: 0 } : one)))
    tell(<Said text="config.menu.removed" name={<bdi>{nameOf(row)}</bdi>} />, () => put(before))
  }
  const add = () => {
    const key = newKey()
    const { submenu: _, ...entry } = emptyEntry(field.fields)
    put([...rows.now, { key, depth: 0, entry }])
    setOpen(key)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {problem && <p className={styles.wrong}>{problem}</p>}
      <p className={styles.quiet}>{t(rows.now.length === 0 ? 'config.menu.none' : 'config.menu.help')}</p>
      <SortableList
        label={label}
        items={rows.now}
        keyOf={({ key }) => key}
        nameOf={nameOf}
        depthOf={({ depth }) => depth}
        onMove={move}
        onKey={press}
        {...(said && { said })}
      >
        {(row, index) => {
          const path = pathOf(rows.now, index)
          const own = Object.fromEntries(
            Object.entries(problemsUnder(problems, path)).filter(([key]) => !key.startsWith('submenu.')),
          )
          const wrong = Object.keys(own).length > 0 || (row.depth === 1 && hasProblem(problems, path))
          return (
            <div className={styles.form}>
              <div className={styles.menuRow}>
                <span className={styles.menuName} dir="auto">
                  {wrong && <TriangleAlert size={18} className={styles.mark} aria-label={t('blocks.problem')} />}
                  {nameOf(row)} <small dir="ltr">{String(row.entry.url ?? '')}</small>
                </span>
                <span className={styles.menuTools}>
                  <ActionIcon
                    aria-label={t(row.depth === 0 ? 'config.sort.in' : 'config.sort.out', { name: nameOf(row) })}
                    title={t(row.depth === 0 ? 'config.sort.in' : 'config.sort.out', { name: nameOf(row) })}
                    disabled={index === 0}
                    onClick={() => deeper(index, row.depth === 0)}
                  >
                    {row.depth === 0 ? (
                      <IndentIncrease size={20} className="turns" aria-hidden />
                    ) : (
                      <IndentDecrease size={20} className="turns" aria-hidden />
                    )}
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`${t('config.offer.edit')}: ${nameOf(row)}`}
                    title={t('config.offer.edit')}
                    aria-expanded={open === row.key}
                    onClick={() => setOpen(open === row.key ? undefined : row.key)}
                  >
                    <Pencil size={20} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    className="danger"
                    aria-label={t('config.sort.remove', { name: nameOf(row) })}
                    title={t('config.sort.remove', { name: nameOf(row) })}
                    onClick={() => remove(row)}
                  >
                    <Trash2 size={20} aria-hidden />
                  </ActionIcon>
                </span>
              </div>
              {(open === row.key || wrong) &&
                children(
                  fields,
                  row.entry,
                  (entry) => put(rows.now.map((one) => (one.key === row.key ? { ...one, entry } : one))),
                  own,
                )}
            </div>
          )
        }}
      </SortableList>
      {rows.now.length < field.most && (
        <Button variant="default" leftSection={<Plus size={18} aria-hidden />} onClick={add}>
          {t('config.menu.add')}
        </Button>
      )}
    </fieldset>
  )
}

/** The rows keep their keys for as long as nobody else changes what they show. */
function useRows(value: readonly Entry[]): { now: MenuRow[]; keep: (rows: MenuRow[]) => void } {
  const rows = useRef<MenuRow[]>([])
  const given = rowsOf(value, (index) => rows.current[index]?.key ?? newKey())
  if (JSON.stringify(itemsOf(given)) !== JSON.stringify(itemsOf(rows.current))) rows.current = given
  return {
    now: rows.current,
    keep: (next) => {
      rows.current = next
    },
  }
}
