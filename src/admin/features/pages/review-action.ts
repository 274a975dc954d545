import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale, PublishedPage } from '../../../contract/pages.ts'
import { isApiRefusal } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { type TextKey, useLocale, useText } from '../../i18n.ts'
import type { PageEditor } from './page-editor.ts'

/**
 * A mutation of the review of a page, with notifications. The page is also updated if somebody else ended the review or
 * offered the page.
 * @param action.done the text of the notification, unless it reports the schedule that publishing dropped
 * @param action.onEnd called after success, or when somebody else ended the review; not when another writer offered the page
 */
export function useReviewAction<Input = void>(
  editor: PageEditor,
  action: { send: (input: Input) => Promise<PageInLocale | PublishedPage>; done: TextKey; onEnd?: () => void },
) {
  const t = useText()
  const locale = useLocale()
  const queries = useQueryClient()
  const applyPage = (page: PageInLocale) => {
    editor.updateCache(page)
    void queries.invalidateQueries({ queryKey: ['dashboard'] })
    action.onEnd?.()
  }
  return useMutation({
    mutationFn: action.send,
    onSuccess(page) {
      applyPage(page)
      const droppedPlan = 'droppedPlan' in page && page.droppedPlan
      notify(
        droppedPlan
          ? t('pages.scheduleDropped', { date: siteTimeText(new Date(droppedPlan), locale, t) })
          : t(action.done),
      )
    },
    onError(error) {
      if (isApiRefusal(error, 'review_ended')) applyPage(error.problem.current as PageInLocale)
      // The dialog, which stays open, then shows the offer of another writer, and asks how to continue it.
      if (isApiRefusal(error, 'review_waits')) editor.updateCache(error.problem.current as PageInLocale)
      notifyFailure(t('pages.review.failed'), error)
    },
  })
}
