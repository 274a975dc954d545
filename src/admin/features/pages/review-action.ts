import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale, PublishedPage } from '../../../contract/pages.ts'
import { isApiRefusal } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { type TextKey, useLocale, useText } from '../../i18n.ts'
import type { PageEditor } from './page-editor.ts'

/**
 * A change of the review. When somebody else was first, the page is shown as it is now, with what happened. A schedule
 * that was dropped is reported.
 */
export function useReviewAction<Input = void>(
  work: PageEditor,
  action: { send: (input: Input) => Promise<PageInLocale | PublishedPage>; done: TextKey; onEnd?: () => void },
) {
  const t = useText()
  const locale = useLocale()
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
      const droppedPlan = 'droppedPlan' in now && now.droppedPlan
      notify(
        droppedPlan
          ? t('pages.scheduleDropped', { date: siteTimeText(new Date(droppedPlan), locale, t) })
          : t(action.done),
      )
    },
    onError(error) {
      if (isApiRefusal(error, 'review_ended')) settle(error.problem.current as PageInLocale)
      // The dialog shows the other offer, and asks how to go on.
      if (isApiRefusal(error, 'review_waits')) work.updateCache(error.problem.current as PageInLocale)
      notifyFailure(t('pages.review.failed'), error)
    },
  })
}
