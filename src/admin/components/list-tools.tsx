import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Search, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import type { ListOf } from '../../contract/list.ts'
import { type TextKey, type TFunction, useLocale, useText } from '../i18n.ts'
import { numberText } from './dates.tsx'
import styles from './list.module.css'
import { Empty, Loading } from './states.tsx'

interface Sorting {
  options: { value: string; label: string }[]
  by: string
  set: (by: string) => void
  /** The list has no column headers at any width, so the sort field is always shown. */
  always?: boolean
}

/** The tools above a list: search, collapsible filters, and sorting where there are no column headers. */
export function ListTools(props: {
  search: ReactNode
  /** The number of active filters. */
  filtered?: number
  onClear?: () => void
  filters?: ReactNode
  sorting?: Sorting
}) {
  const { search, filtered = 0, onClear, filters, sorting } = props
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const [open, setOpen] = useState(filtered > 0)
  return (
    <div className={styles.tools}>
      <div className={styles.search}>{search}</div>
      {sorting && (
        <NativeSelect
          className={sorting.always ? styles.always : styles.sorting}
          aria-label={t('form.list.sort')}
          data={sorting.options}
          value={sorting.by}
          onChange={(event) => sorting.set(event.currentTarget.value)}
        />
      )}
      {filters && (
        <>
          <Button
            leftSection={<SlidersHorizontal />}
            rightSection={filtered > 0 ? <span className={styles.count}>{numberText(filtered, locale)}</span> : null}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {t('form.list.filter')}
          </Button>
          <div id={id} className={styles.filters} hidden={!open}>
            {filters}
            {filtered > 0 && (
              <Button variant="subtle" onClick={onClear}>
                {t('form.list.noFilter')}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** Changes search parameters of the list at a path and shows its first page. Ignored after the user left the list. */
export function useSearchChange<Search extends object>(path: string): (changes: Partial<Search>) => void {
  const navigate = useNavigate()
  return (changes) => {
    if (location.pathname !== path) return
    void navigate({ to: '.', search: (before: object) => ({ ...before, page: undefined, ...changes }), replace: true })
  }
}

/** The empty state of a filtered list. */
export function NothingFound(props: { title: string; text?: string; clear: () => void; label?: string }) {
  const { title, text, clear, label } = props
  const t = useText()
  return (
    <Empty title={title} text={text} action={<Button onClick={clear}>{label ?? t('form.list.noFilter')}</Button>} />
  )
}

/** The search of a list, in the URL. */
export const searchField = (
  label: string,
  search: { search?: string | undefined },
  change: (changes: { search: string | undefined }) => void,
): ReactNode => (
  <SearchField label={label} value={search.search} onSearch={(text) => change({ search: text || undefined })} />
)

/** Sort orders named by the texts `{list}.sort.{field}`, with `Down` for a descending one. */
export const sortOptions = (t: TFunction, list: string, orders: readonly string[]) =>
  orders.map((value) => ({ value, label: t(`${list}.sort.${value.replace(/^-(.*)/, '$1Down')}` as TextKey) }))

/** Searches while typing (debounced), and at once on Enter. */
export function SearchField(props: { label: string; value: string | undefined; onSearch: (text: string) => void }) {
  const { label, value = '', onSearch } = props
  const t = useText()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = (text: string) => {
    sent.current = text
    onSearch(text)
  }
  const sendSoon = useDebouncedCallback(send, 250)
  // The URL may also change from outside: by the back button or a link.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])

  const type = (text: string) => {
    setTyped(text)
    sendSoon(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sendSoon.cancel()
    send(typed)
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          name="search"
          maxLength={limits.searchChars}
          aria-label={label}
          placeholder={label}
          leftSection={<Search />}
          rightSection={typed && <CloseButton size={36} aria-label={t('form.list.clear')} onClick={() => type('')} />}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}

type Meta = ListOf<unknown>['meta']

/** Pagination. The page number is in the URL. */
export function Pager({ meta }: { meta: Meta }) {
  const t = useText()
  const locale = useLocale()
  const { page, pageSize, total, more } = meta
  const last = lastOf(meta)
  const from = (page - 1) * pageSize + 1
  const to = Math.min(page * pageSize, total)
  const range = more ? 'form.list.rangeMore' : 'form.list.range'
  return (
    <div className={styles.pager}>
      <p role="status">{t(range, { from, to, total })}</p>
      {last > 1 && (
        <nav aria-label={t('form.list.pages')}>
          <PagerLink to={page - 1} enabled={page > 1} label={t('form.list.previous')}>
            <ChevronLeft size={20} className="flip-in-rtl" />
          </PagerLink>
          {pagesAround(page, last).map((number, index, all) => (
            <span key={number}>
              {index > 0 && number - (all[index - 1] ?? 0) > 1 && <span aria-hidden>…</span>}
              <Link
                to="."
                search={(before: object) => ({ ...before, page: number === 1 ? undefined : number })}
                aria-label={t('form.list.page', { page: number })}
                activeOptions={{ exact: true }}
              >
                {numberText(number, locale)}
              </Link>
            </span>
          ))}
          <PagerLink to={page + 1} enabled={page < last} label={t('form.list.next')}>
            <ChevronRight size={20} className="flip-in-rtl" />
          </PagerLink>
        </nav>
      )}
    </div>
  )
}

/** An old link or a deletion may leave the page number beyond the end of the list. */
export const isPastTheEnd = (list: { data: unknown[]; meta: Meta }): boolean =>
  list.data.length === 0 && list.meta.page > 1

/**
 * Redirects to the last page of the list.
 * @param old true while that page is loading
 */
export function RedirectToLastPage({ meta, old }: { meta: Meta; old: boolean }) {
  const last = lastOf(meta)
  if (old) return <Loading />
  return <Navigate to="." search={(before: object) => ({ ...before, page: last === 1 ? undefined : last })} replace />
}

function PagerLink(props: { to: number; enabled: boolean; label: string; children: ReactNode }) {
  const { to, enabled, label, children } = props
  if (!enabled) return null
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, page: to === 1 ? undefined : to })}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  )
}

const lastOf = ({ total, pageSize }: Meta) => Math.max(1, Math.ceil(total / pageSize))

/** The first and last page, and those next to the current one. */
const pagesAround = (page: number, last: number) =>
  [...new Set([1, page - 1, page, page + 1, last])].filter((one) => one >= 1 && one <= last).sort((a, b) => a - b)

/** The number of selected rows, and the actions for them. */
export function SelectionBar(props: {
  label: string
  count: number
  done: () => void
  /** A text beside the number. */
  remark?: string | undefined
  children: ReactNode
}) {
  const { label, count, done, remark, children } = props
  const t = useText()
  return (
    <section className={styles.chosen} aria-label={label}>
      <p role="status">
        {t('form.list.selected', { count })}
        {remark && ` – ${remark}`}
      </p>
      <div className={styles.acts}>
        {children}
        <Button variant="subtle" onClick={done}>
          {t('form.list.deselect')}
        </Button>
      </div>
    </section>
  )
}
