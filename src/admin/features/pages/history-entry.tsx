import { Button } from '@mantine/core'
import { type UseMutationOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { emptyText } from '../../../contract/empty-text.ts'
import type { DraftText, RevisionGroup } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { TextDiff } from './difference.tsx'
import styles from './history.module.css'
import { BlockTextView, PageTextView } from './page-text-view.tsx'
import { groupSavesQuery, revisionQuery, type TextHistory } from './pages.ts'
import { RevisionBadges, SavedBy, useSavedWhen } from './revision-facts.tsx'

/** A history, and how its screen shows it. */
export interface HistoryView extends TextHistory {
  /** The id of the collection of an entry. */
  collection?: string | null
  /** Whether a text is shown without its title and address, which a section lacks. */
  blocksOnly?: boolean
  /** Saves a revision's text as a new version; undefined: the user may not. */
  restore?: UseMutationOptions<unknown, Error, number> | undefined
  /** Asks before a restore that changes more than the text. @returns whether to restore */
  confirmRestore?: (revision: number) => Promise<boolean>
}

/**
 * A group of consecutive saves by one user, with buttons to show its changes, its text and the single saves.
 * @param props.nested whether `group` is one of those single saves
 * @param props.initiallyOpen whether the changes are shown at first
 */
export function HistoryEntry(props: {
  history: HistoryView
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
  // `isPending` is false while the confirmation is prepared, so a second click would restore again.
  const isRestoring = useRef(false)
  const confirmAndRestore = async () => {
    if (isRestoring.current) return
    isRestoring.current = true
    const end = () => {
      isRestoring.current = false
    }
    if (history.confirmRestore && !(await history.confirmRestore(group.id))) return end()
    restore.mutate(group.id, { onSettled: end })
  }
  const when = useSavedWhen(group, nested)
  const Heading = nested ? 'h3' : 'h2'
  // U+2068 and U+2069 isolate the direction of the name from that of the label.
  // The time is exact to the second, so that each button of a list has its own label.
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
            onClick={() => void confirmAndRestore()}
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
      {showsSaves && <SingleSaves history={history} groupId={group.id} />}
      {viewing && (
        <Dialog title={t('pages.history.textOf', { when })} wide onClose={() => setViewing(false)}>
          <RevisionLoader history={history} id={group.id}>
            {(text) => <RevisionText history={history} text={text} />}
          </RevisionLoader>
          <DialogActions onClose={() => setViewing(false)} close={t('form.close')} />
        </Dialog>
      )}
    </article>
  )
}

/** The saves of a group one by one, the newest first. */
function SingleSaves({ history, groupId }: { history: HistoryView; groupId: number }) {
  const t = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    groupSavesQuery(history, groupId),
  )
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={2} />
  return (
    <>
      <ol className={styles.entries}>
        {data.pages
          .flatMap((listPage) => listPage.data)
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

function RevisionText({ history, text }: { history: HistoryView; text: DraftText }) {
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

/** The difference between the last text of a group and the text before the group. */
function Changes({ history, group }: { history: HistoryView; group: RevisionGroup }) {
  const renderDifference = (before: DraftText, after: DraftText) => (
    <TextDiff before={before} after={after} contentLocale={history.locale} collection={history.collection ?? null} />
  )
  return (
    <RevisionLoader history={history} id={group.id}>
      {(after) =>
        group.before === null ? (
          renderDifference(emptyText, after)
        ) : (
          <RevisionLoader history={history} id={group.before}>
            {(before) => renderDifference(before, after)}
          </RevisionLoader>
        )
      }
    </RevisionLoader>
  )
}

/** Loads the text of a revision, and renders it with `children`. */
export function RevisionLoader(props: { history: TextHistory; id: number; children: (text: DraftText) => ReactNode }) {
  const { history, id, children } = props
  const { data, error, refetch } = useQuery(revisionQuery(history, id))
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={2} />
  return children(data.text)
}
