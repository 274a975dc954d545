import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { languageName } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { isApiRefusal } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { isPastTheEnd, Pager, RedirectToLastPage } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, Failed, Loading, NoRight, NotFound } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './history.module.css'
import { HistoryEntry } from './history-entry.tsx'
import { pageQuery, pageReadRights, readLocale, revisionsQuery, saveQuery } from './pages.ts'

/** The history of a page, with differences and restore. */
export function HistoryPage() {
  const t = useText()
  const params = useParams({ from: '/admin/pages/$id/$locale/history' })
  const [id, locale] = [Number(params.id), readLocale(params.locale)]
  const { revision } = useSearch({ from: '/admin/pages/$id/$locale/history' })
  const maySee = useRight(...pageReadRights)
  const { data: page, error, refetch } = useQuery({ ...pageQuery(id, locale), enabled: maySee })
  if (isApiRefusal(error, 'not_found')) return <NotFound />
  const title = page?.text.title || t('pages.untitled')
  return (
    <Page
      title={page ? `${t('pages.history.title')}: ${title}` : t('pages.history.title')}
      lead={page && `${title} · ${languageName(locale)}`}
      heading={t('pages.history.title')}
      back={{ to: `/admin/pages/${id}/${locale}`, label: t('pages.history.back') }}
      narrow
    >
      {!maySee && <NoRight />}
      {maySee && !page && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={5} />)}
      {page && (revision ? <OneSave page={page} id={revision} /> : <Entries page={page} />)}
    </Page>
  )
}

/** One save, for a link to its changes. */
function OneSave({ page, id }: { page: PageInLocale; id: number }) {
  const t = useText()
  const { data, error, refetch } = useQuery(saveQuery(page.id, page.locale, id))
  if (isApiRefusal(error, 'not_found')) return <Entries page={page} />
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={3} />
  return (
    <>
      <HistoryEntry page={page} group={data} initiallyOpen />
      <div className="row">
        <LinkButton
          to="/admin/pages/$id/$locale/history"
          params={{ id: String(page.id), locale: page.locale }}
          variant="default"
          leftSection={<History size={18} aria-hidden />}
        >
          {t('pages.history.whole')}
        </LinkButton>
      </div>
    </>
  )
}

function Entries({ page }: { page: PageInLocale }) {
  const t = useText()
  const search = useSearch({ from: '/admin/pages/$id/$locale/history' })
  const { data, error, refetch, isPlaceholderData } = useQuery(revisionsQuery(page.id, page.locale, search))
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={5} />
  if (isPastTheEnd(data)) return <RedirectToLastPage meta={data.meta} old={isPlaceholderData} />
  if (data.data.length === 0) {
    return (
      <Empty
        icon={History}
        title={t('pages.history.empty')}
        text={t('pages.history.emptyText')}
        action={
          <LinkButton to="/admin/pages/$id/$locale" params={{ id: String(page.id), locale: page.locale }}>
            {t('pages.history.back')}
          </LinkButton>
        }
      />
    )
  }
  return (
    <>
      <ol className={styles.entries} aria-busy={isPlaceholderData}>
        {data.data.map((group) => (
          <li key={group.id}>
            <HistoryEntry page={page} group={group} />
          </li>
        ))}
      </ol>
      <Pager meta={data.meta} />
    </>
  )
}
