import { Alert } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { Fragment, useEffect } from 'react'
import type { Presence } from '../../../contract/drafts.ts'
import { intlTagOf, type Locale } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { apiWithoutReauthentication, parseResponse } from '../../client.ts'
import { momentText } from '../../components/dates.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale } from '../../i18n.ts'
import styles from '../pages/editor-screen.module.css'
import { pageQuery } from '../pages/pages.ts'
import { useMe } from '../sign-in/me.ts'

/** Names the others who have this page open. */
export function OtherEditors({ presence }: { presence: Presence | undefined }) {
  const locale = useLocale()
  const others = presence?.others ?? []
  return (
    <div role="status">
      {others.length > 0 && (
        <p className={styles.others}>
          <Users />
          <span>
            <Translated
              text={others.length === 1 ? 'pages.others.one' : 'pages.others.several'}
              names={<Names names={others.map(({ name }) => name)} locale={locale} />}
            />
          </span>
        </p>
      )}
    </div>
  )
}

function Names({ names, locale }: { names: string[]; locale: string }) {
  const parts = new Intl.ListFormat(intlTagOf(locale)).formatToParts(names)
  return parts.map(({ type, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is fixed
    <Fragment key={index}>{type === 'element' ? <bdi>{value}</bdi> : value}</Fragment>
  ))
}

/** Shown when somebody else saved while the user was typing; not for another tab of the same user. */
export function SavedMeanwhile({ page, version }: { page: PageInLocale; version: number }) {
  const me = useMe()
  const locale = useLocale()
  if (page.version <= version || !page.savedBy || page.savedBy.id === me.id) return null
  return (
    <Alert role="alert">
      <Translated
        text="pages.others.saved"
        name={<bdi>{page.savedBy.name}</bdi>}
        date={page.savedAt ? momentText(new Date(page.savedAt), locale) : ''}
      />
    </Alert>
  )
}

const everyMs = 10_000

/**
 * Reports that this tab has the page open; returns who else has, and whether somebody saved. Never opens the
 * reauthentication dialog.
 */
export function usePresence(id: number, locale: Locale, editor: string, version: number): Presence | undefined {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['pages', 'presence', id, locale, editor],
    queryFn: async (): Promise<Presence> =>
      parseResponse(
        apiWithoutReauthentication.pages[':id'][':locale'].presence.$put({
          param: { id: String(id), locale },
          json: { editor },
        }),
      ),
    refetchInterval: everyMs,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const now = data?.version
  // Refetch the saved page; the form decides whether to show it or to report it.
  useEffect(() => {
    if (now !== undefined && now > version) {
      void queries.invalidateQueries({ queryKey: pageQuery(id, locale).queryKey })
    }
  }, [queries, now, version, id, locale])
  useEffect(() => {
    const leave = () => {
      const call = apiWithoutReauthentication.pages[':id'][':locale'].presence
      // If this request fails, the presence expires half a minute later.
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
