import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { Presence } from '../../../contract/pages.ts'
import { answer, bareApi } from '../../client.ts'
import { pageQuery } from './pages.ts'

const everyMs = 10_000

/** Says that this tab is here, and learns who else is and whether somebody saved. It asks nobody for a password. */
export function usePresence(id: number, locale: Locale, editor: string, version: number): Presence | undefined {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['pages', 'presence', id, locale, editor],
    queryFn: async (): Promise<Presence> =>
      answer(bareApi.pages[':id'][':locale'].presence.$put({ param: { id: String(id), locale }, json: { editor } })),
    refetchInterval: everyMs,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const now = data?.version
  // What was saved is fetched; whether it is shown or told of, the form decides.
  useEffect(() => {
    if (now !== undefined && now > version) {
      void queries.invalidateQueries({ queryKey: pageQuery(id, locale).queryKey })
    }
  }, [queries, now, version, id, locale])
  useEffect(() => {
    const leave = () => {
      const call = bareApi.pages[':id'][':locale'].presence
      // Who is not told of it sees this tab go half a minute later.
      void call
        .$delete({ param: { id: String(id), locale }, query: { editor } }, { init: { keepalive: true } })
        .catch(() => {})
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [id, locale, editor])
  return data
}
