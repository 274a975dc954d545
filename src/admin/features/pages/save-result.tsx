import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import type { PageInLocale, SavedPage, UndoState } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { currentLocale, type TextKey, translate, useText } from '../../i18n.ts'
import { pageQuery } from './pages.ts'

/** Notifies of a save: changes of others that were merged, a schedule that publishing dropped, a link, and undo. */
export function notifySaved(saved: SavedPage, user: Pick<Me, 'name'>, undo?: () => void): void {
  const { merged, droppedPlan, path, state } = saved
  const isOwnSave = merged?.by === user.name
  const scheduleDate = droppedPlan && siteTimeText(new Date(droppedPlan), currentLocale(), translate)
  notify(
    <>
      {translate('pages.saved')}
      {merged && (
        <>
          {' '}
          <Translated text={isOwnSave ? 'pages.mergedOwn' : 'pages.mergedWith'} name={<bdi>{merged.by}</bdi>} />
        </>
      )}
      {scheduleDate && ` ${translate('pages.scheduleDropped', { date: scheduleDate })}`}{' '}
      {path !== null && state === 'published' && (
        <a href={path} target="_blank" rel="noopener">
          {translate('pages.view')}
        </a>
      )}
    </>,
    undo,
    notificationKeyOf(saved),
  )
}

/** The key of a page in one language, whose notifications no other page shows. */
export const notificationKeyOf = ({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>) => `${id}/${locale}` as const

/** The part of a save's response that undo sends. Null: the save cannot be undone. */
interface Undoable {
  undo: UndoState | null
}

/** @returns a function that undoes a save, and its publication; refused if the page was changed since */
export function useUndoSave({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>): (saved: Undoable) => void {
  const t = useText()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (json: UndoState): Promise<PageInLocale> =>
      parseResponse(api.pages[':id'][':locale'].undo.$post({ param: { id: String(id), locale }, json })),
    onSuccess(page, undone) {
      queries.setQueryData(pageQuery(id, locale).queryKey, page)
      notify(describeResult(page, undone))
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

/** Describes the page after an undo. The publication state and schedule are named only if the save had published it. */
function describeResult(page: PageInLocale, { visitors }: UndoState): string {
  if (!visitors) return translate('pages.undo.saved')
  const texts: Record<PageInLocale['state'], TextKey> = {
    published: 'pages.undo.published',
    changed: 'pages.undo.changed',
    unpublished: 'pages.undo.unpublished',
  }
  const scheduledAt = visitors.planned && page.publishAt
  const rescheduled =
    scheduledAt &&
    translate('pages.undo.scheduled', { date: siteTimeText(new Date(scheduledAt), currentLocale(), translate) })
  return [translate(texts[page.state]), rescheduled].filter(Boolean).join(' ')
}
