import { Link, Navigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../i18n.ts'
import { numberText } from './dates.ts'
import styles from './pager.module.css'
import { Waiting } from './states.tsx'

interface Meta {
  page: number
  pageSize: number
  total: number
  /** There are more than were counted. */
  more?: true | undefined
}

/** Where one is in a long list, and the way to its other parts. The page stands in the address. */
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
          <Step to={page - 1} known={page > 1} label={t('form.list.previous')}>
            <ChevronLeft size={20} className="turns" aria-hidden />
          </Step>
          {near(page, last).map((number, index, all) => (
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
          <Step to={page + 1} known={page < last} label={t('form.list.next')}>
            <ChevronRight size={20} className="turns" aria-hidden />
          </Step>
        </nav>
      )}
    </div>
  )
}

/** An old link, or what was deleted meanwhile, may lead past the end of a list. */
export const isPastTheEnd = (list: { data: unknown[]; meta: Meta }): boolean =>
  list.data.length === 0 && list.meta.page > 1

/**
 * Leads from there to the last page that there is.
 * @param old while that one is on its way
 */
export function ToLastPage({ meta, old }: { meta: Meta; old: boolean }) {
  const last = lastOf(meta)
  if (old) return <Waiting />
  return <Navigate to="." search={(before: object) => ({ ...before, page: last === 1 ? undefined : last })} replace />
}

function Step(props: { to: number; known: boolean; label: string; children: ReactNode }) {
  const { to, known, label, children } = props
  if (!known) return null
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

/** The first, the last, and what is beside the page that is shown. */
const near = (page: number, last: number) =>
  [...new Set([1, page - 1, page, page + 1, last])].filter((one) => one >= 1 && one <= last).sort((a, b) => a - b)
