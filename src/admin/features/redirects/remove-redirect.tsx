import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Redirect } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'

/** Removes a redirect at once, with a way back. */
export function useRemoveRedirect(): (redirect: Redirect) => void {
  const t = useText()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: ['redirects'] })
  const back = useMutation({
    mutationFn: ({ from, to }: Redirect): Promise<Redirect> => answer(api.redirects.$post({ json: { from, to } })),
    onSuccess: () => tell(t('redirects.back')),
    onError: (error) => tellFailure(t('redirects.notSaved'), error),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: async ({ id }: Redirect): Promise<void> =>
      void (await answer(api.redirects[':id'].$delete({ param: { id: String(id) } }))),
    onSuccess: (_done, redirect) =>
      tell(<Said text="redirects.deleted" from={<bdi dir="ltr">{redirect.from}</bdi>} />, () => back.mutate(redirect)),
    onError: (error) => tellFailure(t('redirects.notDeleted'), error),
    onSettled,
  })
  return remove.mutate
}
