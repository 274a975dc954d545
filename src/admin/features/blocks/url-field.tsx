import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListOf } from '../../../contract/list.ts'
import { type Locale, localizedPath, mainLocaleOf, type SiteLanguages } from '../../../contract/locales.ts'
import type { ListedPage } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import { useLanguageSettings } from '../../site-languages.ts'
import { pageReadRights } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './blocks.module.css'
import type { LinkedPage } from './choose-page.tsx'

const ChoosePage = lazyPart(async () => (await import('./choose-page.tsx')).ChoosePage)

/** The URL of a link: typed, or chosen from the pages and overviews of the site by users who may read them. */
export function UrlField(props: {
  label: string
  value: string
  /** The locale of the content. */
  locale: Locale
  onChange: (value: string) => void
  problem: string | undefined
}) {
  const { label, value, locale, onChange, problem } = props
  const t = useText()
  const maySeePages = useRight(...pageReadRights)
  const [choosing, setChoosing] = useState(false)
  return (
    <div className={styles.address}>
      <TextInput
        label={label}
        description={t('blocks.urlHelp')}
        error={problem}
        dir="ltr"
        inputMode="url"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {maySeePages && (
        <>
          <HiddenPageWarning value={value} locale={locale} />
          <Button
            className="own"
            aria-label={t('blocks.page.chooseFor', { name: label })}
            onClick={() => setChoosing(true)}
          >
            {t('blocks.page.choose')}
          </Button>
        </>
      )}
      {choosing && (
        <ChoosePage
          locale={locale}
          title={t('blocks.page.title')}
          onChoose={({ address }) => {
            onChange(address)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

/** Warns that visitors cannot see the linked page. No error, because it may be published later. */
function HiddenPageWarning({ value, locale }: { value: string; locale: Locale }) {
  const t = useText()
  const [debouncedUrl] = useDebouncedValue(value, 400)
  const { data } = useQuery(pageAtQuery(debouncedUrl, locale, useLanguageSettings()))
  // While a new URL is typed, the result is still that of the old one.
  const isResultCurrent = debouncedUrl === value
  const isInvisible = isResultCurrent && data && (!data.isLive || data.isHidden)
  return (
    <p role="status" className={styles.unseenPage} hidden={!isInvisible}>
      {isInvisible && t(data.isHidden ? 'blocks.page.unreachable' : 'blocks.page.unpublished', { name: data.title })}
    </p>
  )
}

/** The page of this site at a URL; null if there is none. Disabled for the home page and for URLs that lead elsewhere. */
const pageAtQuery = (url: string, locale: Locale, site: SiteLanguages) => {
  const slug = /^\/([^/?#.][^?#.]*)/.exec(url)?.[1]
  return queryOptions({
    queryKey: ['pages', 'at', locale, slug],
    queryFn: async (): Promise<Pick<LinkedPage, 'title' | 'isLive' | 'isHidden'> | null> => {
      const { data }: ListOf<ListedPage> = await parseResponse(api.pages.$get({ query: { search: slug ?? '' } }))
      for (const page of data) {
        const textLocale: Locale = page.texts[locale] ? locale : mainLocaleOf(site)
        const text = page.texts[textLocale]
        if (text && text.slug === slug) {
          const isLive = text.path === localizedPath(`/${slug}`, textLocale, site)
          return { title: text.title, isLive, isHidden: text.hiddenBy !== null }
        }
      }
      return null
    },
    enabled: slug !== undefined,
    staleTime: 10_000,
  })
}
