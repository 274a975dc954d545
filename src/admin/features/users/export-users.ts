import { useMutation } from '@tanstack/react-query'
import { api } from '../../client.ts'
import { tellFailure } from '../../components/notify.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useText } from '../../i18n.ts'
import { type UserSearch, userFilters } from './users.ts'

/** Saves as a file those who are given, or the list that is shown, all its pages. */
export function useExport() {
  const t = useText()
  return useMutation({
    mutationFn: (which: { ids: number[] } | { search: UserSearch }) =>
      saveFile(
        'ids' in which
          ? api.users.export.$post({ json: { ids: which.ids } })
          : api.users.export.$get({ query: userFilters(which.search) }),
      ),
    onError: (error) => tellFailure(t('users.notExported'), error),
  })
}
