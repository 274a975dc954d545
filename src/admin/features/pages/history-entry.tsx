import { Badge, Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DraftText, PageInLocale, RestoredText, RevisionGroup } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { momentText, timeText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { Difference } from './difference.tsx'
import styles from './history.module.css'
import { PageTextView } from './page-text-view.tsx'
import { pageQuery, revisionQuery, savesQuery } from './pages.ts'
import { useUndoSave } from './save-result.tsx'

/**
 * Consecutive saves by one person, expandable to the single saves.
 * @param props.nested whether it is one of those single saves
 * @param props.initiallyOpen whether the changes are initially expanded
 */
export function HistoryEntry(props: {
  page: PageInLocale
  group: RevisionGroup
  nested?: boolean
  initiallyOpen?: boolean
}) {
  const { page, group, nested = false, initiallyOpen = false } = props
  const t = useText()
  const locale = useLocale()
  const [showsChanges, setShowsChanges] = useState(initiallyOpen)
  const [showsSaves, setShowsSaves] = useState(false)
  const [viewing, setViewing] = useState(false)
  const restore = useRestoreRevision(page)
  const [from, until] = [new Date(group.from), new Date(group.until)]
  const when =
    momentText(from, locale) !== momentText(until, locale)
      ? t('pages.history.between', { from: momentText(from, locale), until: timeText(until, locale) })
      : momentText(until, locale, nested ? 'exact' : 'medium')
  const Heading = nested ? 'h3' : 'h2'
  // Unicode isolates, so that the direction of the name does not change that of the label.
  const labelValues = { name: `\u2068${group.by.name}\u2069`, when }
  return (
    <article className={styles.entry} data-nested={nested || undefined}>
      <header>
        <Heading>
          <time dateTime={group.until}>{when}</time>
        </Heading>
        {!nested && (
          <p className="flush">
            <bdi>{group.by.name}</bdi>
            {group.saves > 1 && <span className="quiet"> · {t('pages.history.saves', { count: group.saves })}</span>}
          </p>
        )}
        <p className="row">
          {group.current && <StatusBadge>{t('pages.history.current')}</StatusBadge>}
          {group.live && <StatusBadge color="brand">{t('pages.history.live')}</StatusBadge>}
          {group.published && !group.live && <StatusBadge>{t('pages.history.wasLive')}</StatusBadge>}
          {group.restoredFrom !== null && <StatusBadge>{t('pages.history.wasRestored')}</StatusBadge>}
        </p>
      </header>
      <div className="row">
        <Button
          variant="default"
          aria-expanded={showsChanges}
          aria-label={`${t('pages.history.whatChanged')}: ${labelValues.name}, ${when}`}
          onClick={() => setShowsChanges(!showsChanges)}
        >
          {t('pages.history.whatChanged')}
        </Button>
        <Button variant="default" aria-label={t('pages.history.viewOf', labelValues)} onClick={() => setViewing(true)}>
          {t('pages.history.view')}
        </Button>
        {!group.current && page.can.change && (
          <Button
            variant="default"
            aria-label={t('pages.history.restoreOf', labelValues)}
            loading={restore.isPending}
            onClick={() => restore.mutate({ revision: group.id, version: page.version })}
          >
            {t('pages.history.restore')}
          </Button>
        )}
        {group.saves > 1 && (
          <Button
            variant="default"
            aria-expanded={showsSaves}
            aria-label={t('pages.history.expandOf', labelValues)}
            onClick={() => setShowsSaves(!showsSaves)}
          >
            {t('pages.history.expand')}
          </Button>
        )}
      </div>
      {showsChanges && <Changes page={page} group={group} />}
      {showsSaves && <Saves page={page} line={group.id} />}
      {viewing && (
        <Dialog title={t('pages.history.textOf', { when })} wide onClose={() => setViewing(false)}>
          <RevisionLoader page={page} id={group.id}>
            {(text) => <PageTextView text={text} contentLocale={page.locale} collection={page.collection} />}
          </RevisionLoader>
          <DialogActions onClose={() => setViewing(false)} close={t('form.close')} />
        </Dialog>
      )}
    </article>
  )
}

/** The saves of a group, the newest first. */
function Saves({ page, line }: { page: PageInLocale; line: number }) {
  const t = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    savesQuery(page.id, page.locale, line),
  )
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={2} />
  return (
    <>
      <ol className={styles.entries}>
        {data.pages
          .flatMap((part) => part.data)
          .map((save) => (
            <li key={save.id}>
              <HistoryEntry page={page} group={save} nested />
            </li>
          ))}
      </ol>
      {hasNextPage && (
        <div className="row">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('pages.history.more')}
          </Button>
        </div>
      )}
    </>
  )
}

function StatusBadge({ color = 'gray', children }: { color?: string; children: ReactNode }) {
  return (
    <Badge size="lg" variant="light" color={color}>
      {children}
    </Badge>
  )
}

export const emptyText: DraftText = {
  title: '',
  slug: '',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
}

function Changes({ page, group }: { page: PageInLocale; group: RevisionGroup }) {
  const difference = (before: DraftText, after: DraftText) => (
    <Difference before={before} after={after} contentLocale={page.locale} collection={page.collection} />
  )
  return (
    <RevisionLoader page={page} id={group.id}>
      {(after) =>
        group.before === null ? (
          difference(emptyText, after)
        ) : (
          <RevisionLoader page={page} id={group.before}>
            {(before) => difference(before, after)}
          </RevisionLoader>
        )
      }
    </RevisionLoader>
  )
}

export function RevisionLoader(props: { page: PageInLocale; id: number; children: (text: DraftText) => ReactNode }) {
  const { page, id, children } = props
  const { data, error, refetch } = useQuery(revisionQuery(page.id, page.locale, id))
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={2} />
  return children(data.text)
}

/** Restores a revision as a new, unpublished version. Refused if somebody else saved meanwhile. */
function useRestoreRevision({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>) {
  const t = useText()
  const queries = useQueryClient()
  const undoSave = useUndoSave({ id, locale })
  return useMutation({
    mutationFn: ({ revision, version }: { revision: number; version: number }): Promise<RestoredText> =>
      parseResponse(
        api.pages[':id'][':locale'].revisions[':revision'].restore.$post({
          param: { id: String(id), locale, revision: String(revision) },
          json: { version },
        }),
      ),
    onSuccess(restored) {
      queries.setQueryData(pageQuery(id, locale).queryKey, restored)
      notify(t('pages.history.restored'), restored.undo ? () => undoSave(restored) : undefined)
    },
    onError: (error) => notifyFailure(t('pages.history.notRestored'), error),
    onSettled: () =>
      Promise.all(
        ['revisions', 'list', 'detail'].map((key) => queries.invalidateQueries({ queryKey: ['pages', key] })),
      ),
  })
}
