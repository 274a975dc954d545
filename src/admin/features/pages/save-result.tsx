import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import type { PageInLocale, SavedPage, UndoState } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { currentLocale, type TextKey, translate, useText } from '../../i18n.ts'
import { pageQuery } from './pages.ts'

/** Reports a save: a link to what was published, merged changes of others, a cancelled schedule, and an undo button. */
export function notifySaved(
  { merged, droppedPlan, path, state }: SavedPage,
  me: Pick<Me, 'name'>,
  undo?: () => void,
): void {
  const own = merged?.by === me.name
  notify(
    <>
      {translate('pages.saved')}
      {merged && (
        <>
          {' '}
          <Translated text={own ? 'pages.mergedOwn' : 'pages.mergedWith'} name={<bdi>{merged.by}</bdi>} />
        </>
      )}
      {droppedPlan &&
        ` ${translate('pages.scheduleDropped', { date: siteTimeText(new Date(droppedPlan), currentLocale(), translate) })}`}{' '}
      {path !== null && state === 'published' && (
        <a href={path} target="_blank" rel="noopener">
          {translate('pages.view')}
        </a>
      )}
    </>,
    undo,
  )
}

/** The part of a save's response that undo needs. */
interface Undoable {
  undo: UndoState | null
}

/** Undoes a save, and its publication. Refused if the page was changed since. */
export function useUndoSave({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>): (saved: Undoable) => void {
  const t = useText()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (json: UndoState): Promise<PageInLocale> =>
      parseResponse(api.pages[':id'][':locale'].undo.$post({ param: { id: String(id), locale }, json })),
    onSuccess(now, undone) {
      queries.setQueryData(pageQuery(id, locale).queryKey, now)
      notify(describeResult(now, undone))
    },
    onError: (error) => notifyFailure(t('pages.undo.failed'), error),
    onSettled: () =>
      Promise.all([
        ...['revisions', 'list', 'detail', 'presence'].map((key) =>
          queries.invalidateQueries({ queryKey: ['pages', key] }),
        ),
        queries.invalidateQueries({ queryKey: ['redirects'] }),
      ]),
  })
  return ({ undo }) => undo && mutate(undo)
}

/** Describes the text, publication state and schedule after the undo. */
function describeResult(now: PageInLocale, { visitors }: UndoState): string {
  if (!visitors) return translate('pages.undo.saved')
  const texts: Record<PageInLocale['state'], TextKey> = {
    published: 'pages.undo.published',
    changed: 'pages.undo.changed',
    unpublished: 'pages.undo.unpublished',
  }
  const scheduledAt = visitors.planned && now.publishAt
  const rescheduled =
    scheduledAt &&
    translate('pages.undo.scheduled', { date: siteTimeText(new Date(scheduledAt), currentLocale(), translate) })
  return [translate(texts[now.state]), rescheduled].filter(Boolean).join(' ')
}
