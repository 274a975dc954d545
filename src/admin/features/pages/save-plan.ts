import { useMutation } from '@tanstack/react-query'
import type { PageInLocale, PagePlan } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { tell } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import type { PageWork } from './page-work.ts'

export function useSavePlan({ page, know }: Pick<PageWork, 'page' | 'know'>) {
  const t = useText()
  return useMutation({
    mutationFn: (json: PagePlan): Promise<PageInLocale> =>
      answer(api.pages[':id'][':locale'].plan.$put({ param: { id: String(page.id), locale: page.locale }, json })),
    onSuccess(now) {
      know(now)
      tell(t(now.publishAt || now.unpublishAt ? 'pages.plan.saved' : 'pages.plan.removed'))
    },
  })
}
