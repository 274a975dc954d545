import { Badge, Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DraftText, PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { momentText, timeText } from '../../components/dates.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { Difference } from './difference.tsx'
import styles from './history.module.css'
import { PageSight } from './page-sight.tsx'
import { revisionQuery, savesQuery } from './pages.ts'
import { useRestoreRevision } from './restore-revision.ts'

/**
 * What one person did in one go; the saves in it are unfolded one by one.
 * @param props.within it is one of those
 * @param props.opened what it changed is shown from the start
 */
export function HistoryEntry(props: { page: PageInLocale; group: RevisionGroup; within?: boolean; opened?: boolean }) {
  const { page, group, within = false, opened = false } = props
  const t = useText()
  const locale = useLocale()
  const [open, setOpen] = useState(opened)
  const [apart, setApart] = useState(false)
  const [looking, setLooking] = useState(false)
  const restore = useRestoreRevision(page)
  const [from, until] = [new Date(group.from), new Date(group.until)]
  const when =
    momentText(from, locale) !== momentText(until, locale)
      ? t('pages.history.between', { from: momentText(from, locale), until: timeText(until, locale) })
      : momentText(until, locale, within ? 'exact' : 'medium')
  const Heading = within ? 'h3' : 'h2'
  const name = { name: `\u2068${group.by.name}\u2069`, when }
  return (
    <article className={styles.entry} data-within={within || undefined}>
      <header>
        <Heading>
          <time dateTime={group.until}>{when}</time>
        </Heading>
        {!within && (
          <p className="flush">
            <bdi>{group.by.name}</bdi>
            {group.saves > 1 && <span className="quiet"> · {t('pages.history.saves', { count: group.saves })}</span>}
          </p>
        )}
        <p className="row">
          {group.current && <Mark>{t('pages.history.now')}</Mark>}
          {group.live && <Mark color="brand">{t('pages.history.live')}</Mark>}
          {group.published && !group.live && <Mark>{t('pages.history.wasLive')}</Mark>}
          {group.restoredFrom !== null && <Mark>{t('pages.history.wasRestored')}</Mark>}
        </p>
      </header>
      <div className="row">
        <Button
          variant="default"
          aria-expanded={open}
          aria-label={`${t('pages.history.whatChanged')}: ${name.name}, ${when}`}
          onClick={() => setOpen(!open)}
        >
          {t('pages.history.whatChanged')}
        </Button>
        <Button variant="default" aria-label={t('pages.history.lookAt', name)} onClick={() => setLooking(true)}>
          {t('pages.history.look')}
        </Button>
        {!group.current && page.can.change && (
          <Button
            variant="default"
            aria-label={t('pages.history.restoreOf', name)}
            loading={restore.isPending}
            onClick={() => restore.mutate({ revision: group.id, version: page.version })}
          >
            {t('pages.history.restore')}
          </Button>
        )}
        {group.saves > 1 && (
          <Button
            variant="default"
            aria-expanded={apart}
            aria-label={t('pages.history.apartOf', name)}
            onClick={() => setApart(!apart)}
          >
            {t('pages.history.apart')}
          </Button>
        )}
      </div>
      {open && <Changed page={page} group={group} />}
      {apart && <Saves page={page} line={group.id} />}
      {looking && (
        <Dialog title={t('pages.history.textOf', { when })} wide onClose={() => setLooking(false)}>
          <WithRevision page={page} id={group.id}>
            {(text) => <PageSight text={text} contentLocale={page.locale} />}
          </WithRevision>
          <DialogActions>
            <Button variant="default" onClick={() => setLooking(false)}>
              {t('form.close')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </article>
  )
}

/** The saves of a line, the newest first. */
function Saves({ page, line }: { page: PageInLocale; line: number }) {
  const t = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    savesQuery(page.id, page.locale, line),
  )
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={2} />
  return (
    <>
      <ol className={styles.entries}>
        {data.pages
          .flatMap((part) => part.data)
          .map((save) => (
            <li key={save.id}>
              <HistoryEntry page={page} group={save} within />
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

function Mark({ color = 'gray', children }: { color?: string; children: ReactNode }) {
  return (
    <Badge size="lg" variant="light" color={color}>
      {children}
    </Badge>
  )
}

const nothing: DraftText = { title: '', slug: '', seoTitle: '', description: '', picture: '', noindex: false, body: [] }

function Changed({ page, group }: { page: PageInLocale; group: RevisionGroup }) {
  const difference = (before: DraftText, after: DraftText) => (
    <Difference before={before} after={after} contentLocale={page.locale} />
  )
  return (
    <WithRevision page={page} id={group.id}>
      {(after) =>
        group.before === null ? (
          difference(nothing, after)
        ) : (
          <WithRevision page={page} id={group.before}>
            {(before) => difference(before, after)}
          </WithRevision>
        )
      }
    </WithRevision>
  )
}

function WithRevision(props: { page: PageInLocale; id: number; children: (text: DraftText) => ReactNode }) {
  const { page, id, children } = props
  const { data, error, refetch } = useQuery(revisionQuery(page.id, page.locale, id))
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={2} />
  return children(data.text)
}
