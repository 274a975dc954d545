import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DraftText, PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { momentText, timeText } from '../../components/dates.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { Difference } from './difference.tsx'
import styles from './history.module.css'
import { PageSight } from './page-sight.tsx'
import { revisionQuery } from './pages.ts'
import { useRestoreRevision } from './restore-revision.ts'

/** What one person did in one go. */
export function HistoryEntry(props: { page: PageInLocale; group: RevisionGroup; newest: boolean }) {
  const { page, group, newest } = props
  const t = useText()
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  const [looking, setLooking] = useState(false)
  const restore = useRestoreRevision(page)
  const [from, until] = [new Date(group.from), new Date(group.until)]
  const when =
    group.saves > 1 && group.from !== group.until
      ? t('pages.history.between', { from: momentText(from, locale), until: timeText(until, locale) })
      : momentText(until, locale)
  const name = { name: `\u2068${group.by.name}\u2069`, when }
  return (
    <article className={styles.entry}>
      <header>
        <h2>
          <time dateTime={group.until}>{when}</time>
        </h2>
        <p className="flush">
          <bdi>{group.by.name}</bdi>
          {group.saves > 1 && <span className="quiet"> · {t('pages.history.saves', { count: group.saves })}</span>}
        </p>
        <p className="row">
          {newest && <Mark>{t('pages.history.now')}</Mark>}
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
        {!newest && page.can.change && (
          <Button
            variant="default"
            aria-label={t('pages.history.restoreOf', name)}
            loading={restore.isPending}
            onClick={() => restore.mutate({ revision: group.id, version: page.version })}
          >
            {t('pages.history.restore')}
          </Button>
        )}
      </div>
      {open && <Changed page={page} group={group} />}
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
