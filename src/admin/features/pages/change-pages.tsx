import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListedPage, RestoredPage } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'

export interface Some {
  id: number
  title: string
}

interface Binning {
  page: Some
  after: (() => unknown) | undefined
}

/** What is done with a whole page, in all its languages. */
export function usePageActions() {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const settle = () => Promise.all(['pages', 'redirects'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
  const param = ({ id }: Some) => ({ param: { id: String(id) } })
  const named = ({ title }: Some): ReactNode => <bdi>{title}</bdi>

  const duplicating = useMutation({
    mutationFn: (page: Some): Promise<ListedPage> => answer(api.pages[':id'].duplicate.$post(param(page))),
    onSuccess(copy, page) {
      tell(<Said text="pages.duplicated" name={named(page)} />)
      const locale = copy.nl ? 'nl' : 'fa'
      return navigate({ to: '/admin/pages/$id/$locale', params: { id: String(copy.id), locale } })
    },
    onError: (error) => tellFailure(t('pages.notDuplicated'), error),
    onSettled: settle,
  })
  const restoring = useMutation({
    mutationFn: (page: Some): Promise<RestoredPage> => answer(api.pages[':id'].restore.$post(param(page))),
    onSuccess({ renamed: [first], unplanned }, page) {
      const to = first && <bdi dir="ltr">/{first.to}</bdi>
      tell(
        <>
          {to ? (
            <Said text="pages.restoredRenamed" name={named(page)} to={to} />
          ) : (
            <Said text="pages.restored" name={named(page)} />
          )}
          {unplanned.length > 0 && ` ${t('pages.unplanned')}`}
        </>,
      )
    },
    onError: (error) => tellFailure(t('pages.notRestored'), error),
    onSettled: settle,
  })
  const binning = useMutation({
    mutationFn: async ({ page }: Binning): Promise<void> =>
      void (await answer(api.pages[':id'].bin.$post(param(page)))),
    async onSuccess(_done, { page, after }) {
      tell(<Said text="pages.wasBinned" name={named(page)} />, () => restoring.mutate(page))
      await after?.()
    },
    onError: (error) => tellFailure(t('pages.notBinned'), error),
    onSettled: settle,
  })
  const removing = useMutation({
    mutationFn: async (page: Some): Promise<void> => void (await answer(api.pages[':id'].$delete(param(page)))),
    onSuccess: (_done, page) => tell(<Said text="pages.deleted" name={named(page)} />),
    onError: (error) => tellFailure(t('pages.notDeleted'), error),
    onSettled: settle,
  })
  return {
    duplicate: (page: Some) => duplicating.mutate(page),
    restore: (page: Some) => restoring.mutate(page),
    /** @param after what comes when it lies in the bin */
    bin: (page: Some, after?: () => unknown) => binning.mutate({ page, after }),
    /** What cannot be undone is asked. */
    async remove(page: Some) {
      const sure = await ask({
        title: t('form.deleteQuestion', { type: t('pages.type') }),
        text: <Said text="pages.deleteText" name={named(page)} />,
        yes: t('form.delete'),
        danger: true,
      })
      if (sure) removing.mutate(page)
    },
    busy: duplicating.isPending || binning.isPending,
  }
}
