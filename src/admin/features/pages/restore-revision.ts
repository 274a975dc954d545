import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale, RestoredText } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { pageQuery } from './pages.ts'
import { useUndoSave } from './undo-save.ts'

/** Brings back what a page said once, as a new version; visitors see it when it is published. Over what somebody saved meanwhile it is refused. */
export function useRestoreRevision({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>) {
  const t = useText()
  const queries = useQueryClient()
  const undoSave = useUndoSave({ id, locale })
  return useMutation({
    mutationFn: ({ revision, version }: { revision: number; version: number }): Promise<RestoredText> =>
      answer(
        api.pages[':id'][':locale'].revisions[':revision'].restore.$post({
          param: { id: String(id), locale, revision: String(revision) },
          json: { version },
        }),
      ),
    onSuccess(now) {
      queries.setQueryData(pageQuery(id, locale).queryKey, now)
      tell(t('pages.history.restored'), now.undo ? () => undoSave(now) : undefined)
    },
    onError: (error) => tellFailure(t('pages.history.notRestored'), error),
    onSettled: () =>
      Promise.all(['revisions', 'list', 'one'].map((key) => queries.invalidateQueries({ queryKey: ['pages', key] }))),
  })
}
