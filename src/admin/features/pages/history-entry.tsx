import { Button } from '@mantine/core'
import { type UseMutationOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { emptyText } from '../../../contract/empty-text.ts'
import type { DraftText, RevisionGroup } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Unloaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { Difference } from './difference.tsx'
import styles from './history.module.css'
import { BlockTextView, PageTextView } from './page-text-view.tsx'
import { revisionQuery, savesQuery, type TextHistory } from './pages.ts'
import { RevisionBadges, SavedBy, useSavedWhen } from './revision-facts.tsx'

/** A history on its screen. */
export interface ShownHistory extends TextHistory {
  /** Of an entry. */
  collection?: string | null
  /** A section has no address or title. */
  blocksOnly?: boolean
  /** Saves an earlier text as a new version; none: the user may not. */
  restore?: UseMutationOptions<unknown, Error, number> | undefined
}

/**
 * Consecutive saves by one person, expandable to the single saves.
 * @param props.nested whether it is one of those single saves
 * @param props.initiallyOpen whether the changes are initially expanded
 */
export function HistoryEntry(props: {
  history: ShownHistory
  group: RevisionGroup
  nested?: boolean
  initiallyOpen?: boolean
}) {
  const { history, group, nested = false, initiallyOpen = false } = props
  const t = useText()
  const [showsChanges, setShowsChanges] = useState(initiallyOpen)
  const [showsSaves, setShowsSaves] = useState(false)
  const [viewing, setViewing] = useState(false)
  const restore = useMutation<unknown, Error, number>(history.restore ?? {})
  const when = useSavedWhen(group, nested)
  const Heading = nested ? 'h3' : 'h2'
  // Unicode isolates, so that the direction of the name does not change that of the label.
  // To the second, so that each button of a list has a name of its own.
  const labelValues = { name: `\u2068${group.by.name}\u2069`, when: useSavedWhen(group, true) }
  return (
    <article className={styles.entry} data-nested={nested || undefined}>
      <header>
        <Heading>
          <time dateTime={group.until}>{when}</time>
        </Heading>
        {!nested && <SavedBy group={group} />}
        <RevisionBadges group={group} />
      </header>
      <div className="row">
        <Button
          aria-expanded={showsChanges}
          aria-label={`${t('pages.history.whatChanged')}: ${labelValues.name}, ${labelValues.when}`}
          onClick={() => setShowsChanges(!showsChanges)}
        >
          {t('pages.history.whatChanged')}
        </Button>
        <Button aria-label={t('pages.history.viewOf', labelValues)} onClick={() => setViewing(true)}>
          {t('pages.history.view')}
        </Button>
        {!group.current && history.restore && (
          <Button
            aria-label={t('pages.history.restoreOf', labelValues)}
            loading={restore.isPending}
            onClick={() => restore.mutate(group.id)}
          >
            {t('pages.history.restore')}
          </Button>
        )}
        {group.saves > 1 && (
          <Button
            aria-expanded={showsSaves}
            aria-label={t('pages.history.expandOf', labelValues)}
            onClick={() => setShowsSaves(!showsSaves)}
          >
            {t('pages.history.expand')}
          </Button>
        )}
      </div>
      {showsChanges && <Changes history={history} group={group} />}
      {showsSaves && <Saves history={history} line={group.id} />}
      {viewing && (
        <Dialog title={t('pages.history.textOf', { when })} wide onClose={() => setViewing(false)}>
          <RevisionLoader history={history} id={group.id}>
            {(text) => <EarlierText history={history} text={text} />}
          </RevisionLoader>
          <DialogActions onClose={() => setViewing(false)} close={t('form.close')} />
        </Dialog>
      )}
    </article>
  )
}

/** The saves of a group, the newest first. */
function Saves({ history, line }: { history: ShownHistory; line: number }) {
  const t = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    savesQuery(history, line),
  )
  if (!data) return <Unloaded error={error} refetch={refetch} rows={2} />
  return (
    <>
      <ol className={styles.entries}>
        {data.pages
          .flatMap((part) => part.data)
          .map((save) => (
            <li key={save.id}>
              <HistoryEntry history={history} group={save} nested />
            </li>
          ))}
      </ol>
      {hasNextPage && (
        <div className="row">
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('pages.history.more')}
          </Button>
        </div>
      )}
    </>
  )
}

function EarlierText({ history, text }: { history: ShownHistory; text: DraftText }) {
  const { locale, blocksOnly, collection } = history
  if (!blocksOnly) return <PageTextView text={text} contentLocale={locale} collection={collection ?? null} />
  return (
    <div className={styles.text}>
      {(text.body as StoredBlock[]).map((block, index) => (
        <BlockTextView key={block.id ?? `#${index}`} block={block} contentLocale={locale} />
      ))}
    </div>
  )
}

function Changes({ history, group }: { history: ShownHistory; group: RevisionGroup }) {
  const difference = (before: DraftText, after: DraftText) => (
    <Difference before={before} after={after} contentLocale={history.locale} collection={history.collection ?? null} />
  )
  return (
    <RevisionLoader history={history} id={group.id}>
      {(after) =>
        group.before === null ? (
          difference(emptyText, after)
        ) : (
          <RevisionLoader history={history} id={group.before}>
            {(before) => difference(before, after)}
          </RevisionLoader>
        )
      }
    </RevisionLoader>
  )
}

export function RevisionLoader(props: { history: TextHistory; id: number; children: (text: DraftText) => ReactNode }) {
  const { history, id, children } = props
  const { data, error, refetch } = useQuery(revisionQuery(history, id))
  if (!data) return <Unloaded error={error} refetch={refetch} rows={2} />
  return children(data.text)
}
