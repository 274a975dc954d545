import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionSlug } from '../../../contract/collections.ts'
import type { ListOf } from '../../../contract/list.ts'
import { type Locale, mainLocaleOf, type SiteLanguages, splitLocale } from '../../../contract/locales.ts'
import type { ListedPage } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SearchField } from '../../components/list-tools.tsx'
import { matchesSearch } from '../../components/matches-search.ts'
import { ErrorState, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useLanguageSettings } from '../../site-languages.ts'
import { collectionName, useCollections } from '../collections/collections.ts'
import choices from './choices.module.css'

/** A dialog to choose a page or the overview of a collection, with a search. */
export function ChoosePage(props: {
  title: string
  locale: Locale
  onChoose: (target: LinkTarget) => void
  onClose: () => void
}) {
  const { title, locale, onChoose, onClose } = props
  const t = useText()
  const site = useLanguageSettings()
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery({
    ...linkablePagesQuery(search, locale, site),
    placeholderData: keepPreviousData,
  })
  const overviews = useOverviews(search, locale)
  return (
    <Dialog title={title} onClose={onClose}>
      <SearchField label={t('blocks.page.search')} value={search} onSearch={setSearch} />
      {error ? <ErrorState error={error} retry={refetch} /> : !data && <Loading rows={4} />}
      {data && (
        <>
          <p role="status" className={choices.found}>
            {t('blocks.page.found', { count: data.meta.total + overviews.length })}
          </p>
          <ul className={choices.pages}>
            {overviews.map(({ name, ...overview }) => (
              <li key={overview.address}>
                <button type="button" onClick={() => onChoose(overview)}>
                  <bdi>{name}</bdi>
                  <small className="quiet">
                    <bdi dir="ltr">{overview.address}</bdi>
                    <span>{t('blocks.page.overview')}</span>
                  </small>
                </button>
              </li>
            ))}
            {data.data.map((page) => (
              <li key={page.id}>
                <button type="button" onClick={() => onChoose(page)}>
                  <bdi>{page.title}</bdi>
                  <small className="quiet">
                    <bdi dir="ltr">{page.address}</bdi>
                    {page.isHidden && <span>{t('blocks.page.hidden')}</span>}
                    {!page.isHidden && !page.isLive && <span>{t('blocks.page.notYet')}</span>}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

/** The overviews of the collections whose name or address matches a search, with the name in the user's language. */
function useOverviews(search: string, locale: Locale): (LinkTarget & { name: string })[] {
  const uiLocale = useLocale()
  return useCollections()
    .map((collection) => ({
      name: collectionName(collection, uiLocale),
      title: collectionName(collection, locale),
      address: `/${collectionSlug(collection, locale)}`,
    }))
    .filter(({ name, address }) => matchesSearch(`${name} ${address}`, search.trim()))
}

/** A page or an overview that a link in one language leads to. */
export interface LinkTarget {
  /** Undefined for an overview. */
  id?: number
  title: string
  /** The path as stored in content: without the prefix of the language. */
  address: string
}

/** A page as a link target in one language, or in the main one if the page has no text in that language. */
export interface LinkedPage extends LinkTarget {
  id: number
  /** Whether it is published. */
  isLive: boolean
  /** Whether visitors cannot reach the page because the site no longer has its collection or language. */
  isHidden: boolean
}

/** Undefined for a page with a text neither in that language nor in the main one. */
function linkedPage(page: ListedPage, locale: Locale, site: SiteLanguages): LinkedPage | undefined {
  const text = page.texts[locale] ?? page.texts[mainLocaleOf(site)]
  if (!text) return undefined
  const { path, slug, title, hiddenBy } = text
  const address = path === null ? `/${slug}` : splitLocale(path, { ...site, locales: Object.keys(page.texts) }).path
  return { id: page.id, title, address, isLive: path !== null, isHidden: hiddenBy !== null }
}

/** The pages whose title or address matches a search; without a search the last saved ones. */
const linkablePagesQuery = (search: string, locale: Locale, site: SiteLanguages) =>
  queryOptions({
    queryKey: ['pages', 'linkable', locale, search],
    queryFn: async (): Promise<ListOf<LinkedPage>> => {
      const query = {
        ...(search ? { search } : { sort: '-updatedAt' as const }),
        ...(locale === mainLocaleOf(site) && { locale }),
      }
      const { data, meta }: ListOf<ListedPage> = await parseResponse(api.pages.$get({ query }))
      return { data: data.flatMap((page) => linkedPage(page, locale, site) ?? []), meta }
    },
    staleTime: 10_000,
  })
