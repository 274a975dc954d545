import { Checkbox, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListOf } from '../../contract/list.ts'
import { useText } from '../i18n.ts'
import styles from './list.module.css'
import { isPastTheEnd, Pager, RedirectToLastPage } from './list-tools.tsx'
import { ErrorState, Loading } from './states.tsx'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** The sort key of the API. */
  sort?: string
  /** On a card: full width, below its label. */
  wide?: boolean
}

interface Selection<Row> {
  /** The selected rows by id. They may also be of other pages of the list. */
  rows: ReadonlyMap<number, Row>
  select: (rows: ReadonlyMap<number, Row>) => void
}

interface DataListProps<Row extends { id: number }> {
  /** The table caption, for screen readers. */
  caption: string
  /** The first column is the row header. */
  columns: Column<Row>[]
  rows: Row[]
  nameOf: (row: Row) => string
  /** `by`: a sort key, with a minus before it for descending order. */
  sort?: { by: string | undefined; set: (by: string) => void }
  selection?: Selection<Row>
  actions?: (row: Row) => ReactNode
  /** The rows are from the previous query while the next one loads. */
  isStale?: boolean
}

/** Rows as a table, or as cards on a narrow screen. */
export function DataList<Row extends { id: number }>(props: DataListProps<Row>) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  return (
    <div className={styles.list} aria-busy={props.isStale ?? false} data-stale={props.isStale ?? false}>
      {narrow ? <Cards {...props} /> : <RowTable {...props} />}
    </div>
  )
}

/** The list of a query with its tools: rows and pagination, or that it is loading, failed to load or is empty. */
export function QueryList<Row extends { id: number }>(
  props: Omit<DataListProps<Row>, 'rows' | 'isStale'> & {
    query: Pick<UseQueryResult<ListOf<Row>>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>
    /** Search, filters and actions; also shown while the rows load, and when that fails. */
    tools?: ReactNode
    empty: ReactNode
  },
) {
  const { query, tools, empty, ...list } = props
  const { data, error, refetch, isPlaceholderData } = query
  if (data && isPastTheEnd(data)) return <RedirectToLastPage meta={data.meta} isPlaceholderData={isPlaceholderData} />
  return (
    <>
      {tools}
      {!data && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading />)}
      {data?.data.length === 0 && empty}
      {data && data.data.length > 0 && (
        <>
          <DataList {...list} rows={data.data} isStale={isPlaceholderData} />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

function RowTable<Row extends { id: number }>(props: DataListProps<Row>) {
  const { caption, columns, rows, nameOf, sort, selection, actions } = props
  const t = useText()
  return (
    <Table className={styles.table} verticalSpacing="xs">
      <caption className="visually-hidden">{caption}</caption>
      <Table.Thead>
        <Table.Tr>
          {selection && (
            <Table.Th className={styles.select}>
              <SelectAll rows={rows} selection={selection} />
            </Table.Th>
          )}
          {columns.map((column) => (
            <Table.Th key={column.label} aria-sort={sortDirectionOf(column, sort?.by)}>
              {column.sort && sort ? <SortButton column={column} sort={sort} /> : column.label}
            </Table.Th>
          ))}
          {actions && (
            <Table.Th>
              <span className="visually-hidden">{t('form.list.actions')}</span>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id} data-selected={selection?.rows.has(row.id) || undefined}>
            {selection && (
              <Table.Td className={styles.select}>
                <SelectRow row={row} name={nameOf(row)} selection={selection} />
              </Table.Td>
            )}
            {columns.map((column, index) =>
              index === 0 ? (
                <Table.Th key={column.label} scope="row" className={styles.name}>
                  {column.cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={column.label}>{column.cell(row)}</Table.Td>
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
  const { caption, columns, rows, nameOf, selection, actions } = props
  const [nameColumn, ...otherColumns] = columns
  const t = useText()
  return (
    <>
      {selection && (
        <div className={styles.all}>
          <SelectAll rows={rows} selection={selection} label={t('form.list.selectAll')} />
        </div>
      )}
      <ul className={styles.cards} aria-label={caption}>
        {rows.map((row) => (
          <li key={row.id} data-selected={selection?.rows.has(row.id) || undefined}>
            <div className={styles.cardHead}>
              {selection && <SelectRow row={row} name={nameOf(row)} selection={selection} />}
              <div className={styles.name}>{nameColumn?.cell(row)}</div>
              {actions && <div className={styles.actions}>{actions(row)}</div>}
            </div>
            <dl>
              {otherColumns.map((column) => (
                <div key={column.label} data-wide={column.wide || undefined}>
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

function SelectAll<Row extends { id: number }>(props: { rows: Row[]; selection: Selection<Row>; label?: string }) {
  const { rows, selection, label } = props
  const t = useText()
  const selectedCount = rows.filter((row) => selection.rows.has(row.id)).length
  return (
    <Checkbox
      label={label}
      aria-label={t('form.list.selectAll')}
      checked={selectedCount > 0 && selectedCount === rows.length}
      indeterminate={selectedCount > 0 && selectedCount < rows.length}
      onChange={(event) => {
        const next = new Map(selection.rows)
        for (const row of rows) {
          if (event.currentTarget.checked) next.set(row.id, row)
          else next.delete(row.id)
        }
        selection.select(next)
      }}
    />
  )
}

function SelectRow<Row extends { id: number }>(props: { row: Row; name: string; selection: Selection<Row> }) {
  const { row, name, selection } = props
  const t = useText()
  return (
    <Checkbox
      aria-label={t('form.list.select', { name })}
      checked={selection.rows.has(row.id)}
      onChange={(event) => {
        const next = new Map(selection.rows)
        if (event.currentTarget.checked) next.set(row.id, row)
        else next.delete(row.id)
        selection.select(next)
      }}
    />
  )
}

/** A column header that sorts by the column: ascending at first, then descending. */
function SortButton<Row>({ column, sort }: { column: Column<Row>; sort: NonNullable<DataListProps<never>['sort']> }) {
  const direction = sortDirectionOf(column, sort.by)
  const Icon = direction ? { ascending: ArrowUp, descending: ArrowDown }[direction] : ArrowUpDown
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => sort.set(direction === 'ascending' ? `-${column.sort}` : (column.sort ?? ''))}
    >
      {column.label}
      <Icon size={15} />
    </button>
  )
}

function sortDirectionOf<Row>({ sort }: Column<Row>, by: string | undefined): 'ascending' | 'descending' | undefined {
  if (!sort || !by) return undefined
  if (by === sort) return 'ascending'
  return by === `-${sort}` ? 'descending' : undefined
}
