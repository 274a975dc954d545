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
  /** Shows the sort field at each width, for a list without column headers. */
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

/** Returns a function that changes search parameters of the list at `path`, on page 1; a no-op after leaving it. */
export function useSearchChange<Search extends object>(path: string): (changes: Partial<Search>) => void {
  const navigate = useNavigate()
  return (changes) => {
    if (location.pathname !== path) return
    void navigate({ to: '.', search: (prev: object) => ({ ...prev, page: undefined, ...changes }), replace: true })
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

/** Renders the search field of a list whose search text is in the URL. */
export const searchField = (
  label: string,
  search: { search?: string | undefined },
  change: (changes: { search: string | undefined }) => void,
): ReactNode => (
  <SearchField label={label} value={search.search} onSearch={(text) => change({ search: text || undefined })} />
)

/** Options of a sort field, labelled by the texts `{list}.sort.{field}`; for `-field` with `Down` after it. */
export const sortOptions = (t: TFunction, list: string, orders: readonly string[]) =>
  orders.map((value) => ({ value, label: t(`${list}.sort.${value.replace(/^-(.*)/, '$1Down')}` as TextKey) }))

/** A search field that searches while the user types (debounced), and at once on Enter. */
export function SearchField(props: { label: string; value: string | undefined; onSearch: (text: string) => void }) {
  const { label, value = '', onSearch } = props
  const t = useText()
  const [text, setText] = useState(value)
  const lastSearch = useRef(value)
  const search = (searchText: string) => {
    lastSearch.current = searchText
    onSearch(searchText)
  }
  const searchSoon = useDebouncedCallback(search, 250)
  // The URL may also change from outside: by the back button or a link.
  useEffect(() => {
    if (value === lastSearch.current) return
    lastSearch.current = value
    setText(value)
  }, [value])

  const change = (newText: string) => {
    setText(newText)
    searchSoon(newText)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    searchSoon.cancel()
    search(text)
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
          rightSection={text && <CloseButton size={36} aria-label={t('form.list.clear')} onClick={() => change('')} />}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}

type Meta = ListOf<unknown>['meta']

/** The range of the shown rows, and links to other pages of the list. The page number is in the URL. */
export function Pager({ meta }: { meta: Meta }) {
  const t = useText()
  const locale = useLocale()
  const { page, pageSize, total, more } = meta
  const lastPage = lastPageOf(meta)
  const firstRow = (page - 1) * pageSize + 1
  const lastRow = Math.min(page * pageSize, total)
  const rangeText = more ? 'form.list.rangeMore' : 'form.list.range'
  return (
    <div className={styles.pager}>
      <p role="status">{t(rangeText, { from: firstRow, to: lastRow, total })}</p>
      {lastPage > 1 && (
        <nav aria-label={t('form.list.pages')}>
          <PagerLink page={page - 1} enabled={page > 1} label={t('form.list.previous')}>
            <ChevronLeft size={20} className="flip-in-rtl" />
          </PagerLink>
          {linkedPages(page, lastPage).map((number, index, numbers) => (
            <span key={number}>
              {index > 0 && number - (numbers[index - 1] ?? 0) > 1 && <span aria-hidden>…</span>}
              <Link
                to="."
                search={(prev: object) => ({ ...prev, page: number === 1 ? undefined : number })}
                aria-label={t('form.list.page', { page: number })}
                activeOptions={{ exact: true }}
              >
                {numberText(number, locale)}
              </Link>
            </span>
          ))}
          <PagerLink page={page + 1} enabled={page < lastPage} label={t('form.list.next')}>
            <ChevronRight size={20} className="flip-in-rtl" />
          </PagerLink>
        </nav>
      )}
    </div>
  )
}

/** Whether the page number is beyond the last page, as after a deletion or from an old link. */
export const isPastTheEnd = (list: { data: unknown[]; meta: Meta }): boolean =>
  list.data.length === 0 && list.meta.page > 1

/**
 * Redirects to the last page of the list.
 * @param props.isPlaceholderData whether `meta` is of the previous query: the redirect is done, and its page is loading
 */
export function RedirectToLastPage({ meta, isPlaceholderData }: { meta: Meta; isPlaceholderData: boolean }) {
  const lastPage = lastPageOf(meta)
  if (isPlaceholderData) return <Loading />
  const page = lastPage === 1 ? undefined : lastPage
  return <Navigate to="." search={(prev: object) => ({ ...prev, page })} replace />
}

function PagerLink(props: { page: number; enabled: boolean; label: string; children: ReactNode }) {
  const { page, enabled, label, children } = props
  if (!enabled) return null
  return (
    <Link
      to="."
      search={(prev: object) => ({ ...prev, page: page === 1 ? undefined : page })}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  )
}

const lastPageOf = ({ total, pageSize }: Meta) => Math.max(1, Math.ceil(total / pageSize))

/** The page numbers that get a link, ascending: the first, the last, the current one and its neighbours. */
const linkedPages = (page: number, lastPage: number) =>
  [...new Set([1, page - 1, page, page + 1, lastPage])].filter((p) => p >= 1 && p <= lastPage).sort((a, b) => a - b)

/** The number of selected rows, and the actions for them. */
export function SelectionBar(props: {
  label: string
  count: number
  /** Clears the selection. */
  done: () => void
  /** A text after the number. */
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
