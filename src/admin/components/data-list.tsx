import { Checkbox, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../i18n.ts'
import styles from './data-list.module.css'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** The API's name for sorting by it. */
  sort?: string
  /** On a card it has all the width, below its label. */
  wide?: boolean
}

interface Chosen<Row> {
  rows: ReadonlyMap<number, Row>
  choose: (rows: ReadonlyMap<number, Row>) => void
}

export interface DataListProps<Row extends { id: number }> {
  /** What the list is of, for who does not see it. */
  caption: string
  /** The first one names the row. */
  columns: Column<Row>[]
  rows: Row[]
  nameOf: (row: Row) => string
  sort?: { by: string | undefined; set: (by: string) => void }
  chosen?: Chosen<Row>
  actions?: (row: Row) => ReactNode
  /** These are the rows of before, while the next are on their way. */
  old?: boolean
}

/** Rows as a table, and where that would be squeezed as cards. */
export function DataList<Row extends { id: number }>(props: DataListProps<Row>) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  return (
    <div className={styles.list} aria-busy={props.old ?? false}>
      {narrow ? <Cards {...props} /> : <Rows {...props} />}
    </div>
  )
}

function Rows<Row extends { id: number }>(props: DataListProps<Row>) {
  const { caption, columns, rows, nameOf, sort, chosen, actions } = props
  const t = useText()
  return (
    <Table className={styles.table} verticalSpacing="xs">
      <caption className="unseen">{caption}</caption>
      <Table.Thead>
        <Table.Tr>
          {chosen && (
            <Table.Th className={styles.choose}>
              <ChooseAll rows={rows} chosen={chosen} />
            </Table.Th>
          )}
          {columns.map((column) => (
            <Table.Th key={column.key} aria-sort={sortedBy(column, sort?.by)}>
              {column.sort && sort ? <SortButton column={column} sort={sort} /> : column.label}
            </Table.Th>
          ))}
          {actions && (
            <Table.Th>
              <span className="unseen">{t('form.list.actions')}</span>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id} data-chosen={chosen?.rows.has(row.id) || undefined}>
            {chosen && (
              <Table.Td className={styles.choose}>
                <ChooseOne row={row} name={nameOf(row)} chosen={chosen} />
              </Table.Td>
            )}
            {columns.map((column, index) =>
              index === 0 ? (
                <Table.Th key={column.key} scope="row" className={styles.name}>
                  {column.cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={column.key}>{column.cell(row)}</Table.Td>
              ),
            )}
            {actions && (
              <Table.Td>
                <div className={styles.actions}>{actions(row)}</div>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Cards<Row extends { id: number }>(props: DataListProps<Row>) {
  const { caption, columns, rows, nameOf, chosen, actions } = props
  const [first, ...others] = columns
  const t = useText()
  return (
    <>
      {chosen && (
        <div className={styles.all}>
          <ChooseAll rows={rows} chosen={chosen} label={t('form.list.selectAll')} />
        </div>
      )}
      <ul className={styles.cards} aria-label={caption}>
        {rows.map((row) => (
          <li key={row.id} data-chosen={chosen?.rows.has(row.id) || undefined}>
            <div className={styles.cardHead}>
              {chosen && <ChooseOne row={row} name={nameOf(row)} chosen={chosen} />}
              <div className={styles.name}>{first?.cell(row)}</div>
              {actions && <div className={styles.actions}>{actions(row)}</div>}
            </div>
            <dl>
              {others.map((column) => (
                <div key={column.key} data-wide={column.wide || undefined}>
                  <dt>{column.label}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

function ChooseAll<Row extends { id: number }>(props: { rows: Row[]; chosen: Chosen<Row>; label?: string }) {
  const { rows, chosen, label } = props
  const t = useText()
  const here = rows.filter((row) => chosen.rows.has(row.id)).length
  return (
    <Checkbox
      label={label}
      aria-label={t('form.list.selectAll')}
      checked={here > 0 && here === rows.length}
      indeterminate={here > 0 && here < rows.length}
      onChange={(event) => {
        const next = new Map(chosen.rows)
        for (const row of rows) {
          if (event.currentTarget.checked) next.set(row.id, row)
          else next.delete(row.id)
        }
        chosen.choose(next)
      }}
    />
  )
}

function ChooseOne<Row extends { id: number }>(props: { row: Row; name: string; chosen: Chosen<Row> }) {
  const { row, name, chosen } = props
  const t = useText()
  return (
    <Checkbox
      aria-label={t('form.list.select', { name })}
      checked={chosen.rows.has(row.id)}
      onChange={(event) => {
        const next = new Map(chosen.rows)
        if (event.currentTarget.checked) next.set(row.id, row)
        else next.delete(row.id)
        chosen.choose(next)
      }}
    />
  )
}

/** Once up, once more down. */
function SortButton<Row>({ column, sort }: { column: Column<Row>; sort: NonNullable<DataListProps<never>['sort']> }) {
  const sorted = sortedBy(column, sort.by)
  const Icon = sorted === 'ascending' ? ArrowUp : sorted === 'descending' ? ArrowDown : ArrowUpDown
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => sort.set(sorted === 'ascending' ? `-${column.sort}` : (column.sort ?? ''))}
    >
      {column.label}
      <Icon size={15} aria-hidden />
    </button>
  )
}

function sortedBy<Row>({ sort }: Column<Row>, by: string | undefined) {
  if (!sort || !by) return undefined
  return by === sort ? 'ascending' : by === `-${sort}` ? 'descending' : undefined
}
