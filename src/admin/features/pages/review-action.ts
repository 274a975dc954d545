import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale } from '../../../contract/pages.ts'
import { isRefused } from '../../client.ts'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import type { PageEditor } from './page-editor.ts'

/** A change of the review. When somebody else was first, the page is shown as it is now, with what happened. */
export function useReviewAction<Input = void>(
  work: PageEditor,
  action: { send: (input: Input) => Promise<PageInLocale>; done: TextKey; onEnd?: () => void },
) {
  const t = useText()
  const queries = useQueryClient()
  const settle = (now: PageInLocale) => {
    work.updateCache(now)
    void queries.invalidateQueries({ queryKey: ['dashboard'] })
    action.onEnd?.()
  }
  return useMutation({
    mutationFn: action.send,
    onSuccess(now) {
      settle(now)
      notify(t(action.done))
    },
    onError(error) {
      if (isRefused(error, 'review_ended')) settle(error.problem.current as PageInLocale)
      notifyFailure(t('pages.review.failed'), error)
    },
  })
}
