import { useMutation } from '@tanstack/react-query'
import { api, refuseUnlessOk } from '../../client.ts'
import { tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { type UserSearch, userFilters } from './users.ts'

/** Saves as a file those who are given, or the list that is shown, all its pages. */
export function useExport() {
  const t = useText()
  return useMutation({
    async mutationFn(which: { ids: number[] } | { search: UserSearch }) {
      const response = await ('ids' in which
        ? api.users.export.$post({ json: { ids: which.ids } })
        : api.users.export.$get({ query: userFilters(which.search) }))
      await refuseUnlessOk(response)
      const url = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = url
      link.download = fileName(response.headers.get('content-disposition'))
      link.click()
      // The browser has taken the bytes by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    onError: (error) => tellFailure(t('users.notExported'), error),
  })
}

const fileName = (disposition: string | null) =>
  decodeURIComponent(disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1] ?? 'users.csv')
