import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale, SaveToUndo } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { siteTimeText } from '../../components/dates.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { say, spokenLocale, type TextKey, useText } from '../../i18n.ts'
import { pageQuery } from './pages.ts'

/** What a save answered. */
interface Undoable {
  undo: SaveToUndo | null
}

/** Takes a save back, for visitors too when it was published; over what somebody did since it is refused. */
export function useUndoSave({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>): (saved: Undoable) => void {
  const t = useText()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (json: SaveToUndo): Promise<PageInLocale> =>
      answer(api.pages[':id'][':locale'].undo.$post({ param: { id: String(id), locale }, json })),
    onSuccess(now, undone) {
      queries.setQueryData(pageQuery(id, locale).queryKey, now)
      tell(whatStands(now, undone))
    },
    onError: (error) => tellFailure(t('pages.undo.failed'), error),
    onSettled: () =>
      Promise.all([
        ...['revisions', 'list', 'one', 'presence'].map((key) =>
          queries.invalidateQueries({ queryKey: ['pages', key] }),
        ),
        queries.invalidateQueries({ queryKey: ['redirects'] }),
      ]),
  })
  return ({ undo }) => undo && mutate(undo)
}

/** What the form and visitors show now, and what is planned again. */
function whatStands(now: PageInLocale, { visitors }: SaveToUndo): string {
  if (!visitors) return say('pages.undo.saved')
  const seen: Record<PageInLocale['state'], TextKey> = {
    published: 'pages.undo.published',
    changed: 'pages.undo.changed',
    unpublished: 'pages.undo.unpublished',
  }
  const planned = visitors.planned && now.publishAt
  const again = planned && say('pages.undo.planned', { date: siteTimeText(new Date(planned), spokenLocale(), say) })
  return [say(seen[now.state]), again].filter(Boolean).join(' ')
}
