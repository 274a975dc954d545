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

/** Names the other users who have this page open. */
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

/** Tells who saved the page while this user was typing; renders nothing for a save in another tab of the same user. */
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

const intervalMs = 10_000

/** Reports that the tab `tabId` has the page open; returns who else has. Never opens the reauthentication dialog. */
export function usePresence(id: number, locale: Locale, tabId: string, version: number): Presence | undefined {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['pages', 'presence', id, locale, tabId],
    queryFn: async (): Promise<Presence> =>
      parseResponse(
        apiWithoutReauthentication.pages[':id'][':locale'].presence.$put({
          param: { id: String(id), locale },
          json: { editor: tabId },
        }),
      ),
    refetchInterval: intervalMs,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const savedVersion = data?.version
  // Refetches the saved page; the form decides whether to show it or to report it.
  useEffect(() => {
    if (savedVersion !== undefined && savedVersion > version) {
      void queries.invalidateQueries({ queryKey: pageQuery(id, locale).queryKey })
    }
  }, [queries, savedVersion, version, id, locale])
  useEffect(() => {
    const reportLeaving = () => {
      const { presence } = apiWithoutReauthentication.pages[':id'][':locale']
      // If this request fails, the presence expires half a minute later.
      void presence
        .$delete({ param: { id: String(id), locale }, query: { editor: tabId } }, { init: { keepalive: true } })
        .catch(() => {})
    }
    addEventListener('pagehide', reportLeaving)
    return () => {
      removeEventListener('pagehide', reportLeaving)
      reportLeaving()
    }
  }, [id, locale, tabId])
  return data
}
