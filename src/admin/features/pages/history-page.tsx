import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { type Locale, languageName, localizedPath } from '../../../contract/locales.ts'
import type { PageInLocale, RestoredText } from '../../../contract/pages.ts'
import { api, isApiRefusal, parseResponse } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { confirmInDialog } from '../../components/dialog.tsx'
import { isPastTheEnd, Pager, RedirectToLastPage } from '../../components/list-tools.tsx'
import { notify, notifyFailure, showNotificationsOf } from '../../components/notify.tsx'
import { NotFound, Page } from '../../components/page.tsx'
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useLanguageSettings } from '../../site-languages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './history.module.css'
import { HistoryEntry, type HistoryView } from './history-entry.tsx'
import {
  type HistorySearch,
  pageHistory,
  pageQuery,
  pageReadRights,
  readLocale,
  revisionQuery,
  revisionsQuery,
  singleSaveQuery,
} from './pages.ts'
import { HistoryLink } from './revision-facts.tsx'
import { notificationKeyOf, useUndoSave } from './save-result.tsx'

/** The history of a page, with differences and restore. */
export function HistoryPage() {
  const t = useText()
  const params = useParams({ from: '/admin/pages/$id/$locale/history' })
  const [id, locale] = [Number(params.id), readLocale(params.locale)]
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
      allowed={maySee}
      narrow
    >
      {page ? <PageHistory page={page} /> : <LoadingOrError error={error} refetch={refetch} rows={5} />}
    </Page>
  )
}

function PageHistory({ page }: { page: PageInLocale }) {
  const t = useText()
  const search = useSearch({ from: '/admin/pages/$id/$locale/history' })
  const restore = useRestoreRevision(page)
  const confirmRestore = useConfirmRestore(page)
  const { collection } = page
  const history = {
    ...pageHistory(page.id, page.locale),
    collection,
    ...(page.can.change && { restore, confirmRestore }),
  }
  const params = { id: String(page.id), locale: page.locale }
  const entries = (
    <HistoryEntries
      history={history}
      search={search}
      emptyText={t('pages.history.emptyText')}
      back={
        <LinkButton variant="filled" to="/admin/pages/$id/$locale" params={params}>
          {t('pages.history.back')}
        </LinkButton>
      }
    />
  )
  if (!search.revision) return entries
  return (
    <SingleSave history={history} id={search.revision} fallback={entries}>
      <HistoryLink page={page} />
    </SingleSave>
  )
}

/** One save with its changes, when the URL names it. @param props.fallback shown if the save no longer exists */
function SingleSave(props: { history: HistoryView; id: number; fallback: ReactNode; children: ReactNode }) {
  const { history, id, fallback, children } = props
  const { data, error, refetch } = useQuery(singleSaveQuery(history, id))
  if (isApiRefusal(error, 'not_found')) return fallback
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={3} />
  return (
    <>
      <HistoryEntry history={history} group={data} initiallyOpen />
      <div className="row">{children}</div>
    </>
  )
}

/** The groups of a history, paginated. */
export function HistoryEntries(props: {
  history: HistoryView
  search: HistorySearch
  emptyText: string
  back: ReactNode
}) {
  const { history, search, emptyText, back } = props
  const t = useText()
  const { data, error, refetch, isPlaceholderData } = useQuery(revisionsQuery(history, search))
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={5} />
  if (isPastTheEnd(data)) return <RedirectToLastPage meta={data.meta} isPlaceholderData={isPlaceholderData} />
  if (data.data.length === 0) {
    return <Empty icon={History} title={t('pages.history.empty')} text={emptyText} action={back} />
  }
  return (
    <>
      <ol className={styles.entries} aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
        {data.data.map((group) => (
          <li key={group.id}>
            <HistoryEntry history={history} group={group} />
          </li>
        ))}
      </ol>
      <Pager meta={data.meta} />
    </>
  )
}

/**
 * Restores a revision as a new, unpublished version, and says so if the server kept the current address, because the earlier
 * one is taken. Refused if somebody else saved meanwhile.
 */
function useRestoreRevision({ id, locale, version }: PageInLocale): HistoryView['restore'] {
  const t = useText()
  const queries = useQueryClient()
  const pathOf = usePathOf(locale)
  const undoSave = useUndoSave({ id, locale })
  const pageKey = notificationKeyOf({ id, locale })
  useEffect(() => showNotificationsOf(pageKey), [pageKey])
  return {
    async mutationFn(revision) {
      const { text: earlier } = await queries.fetchQuery(revisionQuery(pageHistory(id, locale), revision))
      const restored: RestoredText = await parseResponse(
        api.pages[':id'][':locale'].revisions[':revision'].restore.$post({
          param: { id: String(id), locale, revision: String(revision) },
          json: { version },
        }),
      )
      queries.setQueryData(pageQuery(id, locale).queryKey, restored)
      const { slug } = restored.text
      notify(
        <>
          {t('pages.history.restored')}
          {!restored.fixed && slug !== earlier.slug && (
            <>
              {' '}
              <Translated
                text="pages.history.addressKept"
                from={pathElement(pathOf(slug))}
                to={pathElement(pathOf(earlier.slug))}
              />
            </>
          )}
        </>,
        restored.undo ? () => undoSave(restored) : undefined,
        pageKey,
      )
    },
    onError: (error) => notifyFailure(t('pages.history.notRestored'), error),
    onSettled: () =>
      Promise.all(
        ['revisions', 'list', 'detail'].map((key) => queries.invalidateQueries({ queryKey: ['pages', key] })),
      ),
  }
}

/** Asks before a restore that also changes the address. The server keeps the current one if the earlier one is taken. */
function useConfirmRestore(page: PageInLocale): (revision: number) => Promise<boolean> {
  const t = useText()
  const queries = useQueryClient()
  const { id, locale } = page
  const pathOf = usePathOf(locale)
  return async (revision) => {
    try {
      const { text } = await queries.fetchQuery(revisionQuery(pageHistory(id, locale), revision))
      if (page.fixed || text.slug === page.text.slug) return true
      const to = pathOf(text.slug)
      return await confirmInDialog({
        title: t('pages.history.otherAddress'),
        text: (
          <>
            <Translated
              text="pages.history.addressChange"
              from={pathElement(pathOf(page.text.slug))}
              to={pathElement(to)}
            />
            {page.path !== null && page.path !== to && (
              <>
                {' '}
                <Translated text="pages.history.addressMoves" from={pathElement(page.path)} to={pathElement(to)} />
              </>
            )}
          </>
        ),
        yes: t('pages.history.restore'),
      })
    } catch (error) {
      notifyFailure(t('pages.history.notRestored'), error)
      return false
    }
  }
}

function usePathOf(locale: Locale): (slug: string) => string {
  const languages = useLanguageSettings()
  return (slug) => localizedPath(`/${slug}`, locale, languages)
}

const pathElement = (path: string) => <bdi dir="ltr">{path}</bdi>
