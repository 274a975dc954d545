import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FileText, Trash2 } from 'lucide-react'
import {
  type Locale,
  languageName,
  localizedPath,
  mainLocaleOf,
  type SiteLanguage,
  type SiteLanguages,
} from '../../../contract/locales.ts'
import type { ListedPage } from '../../../contract/pages.ts'
import { LinkButton, TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { ListTools, NothingFound, searchField, sortOptions, useSearchChange } from '../../components/list-tools.tsx'
import { Empty } from '../../components/states.tsx'
import { useLanguageIn, useLocale, useText } from '../../i18n.ts'
import { useLanguageSettings, useSiteLanguages } from '../../site-languages.ts'
import { collectionName, useCollection, useCollections } from '../collections/collections.ts'
import { useRight } from '../sign-in/me.ts'
import { RowActions } from './page-actions.tsx'
import { DraftBadge, ReviewBadge, Schedule, StateBadge } from './page-badges.tsx'
import styles from './pages.module.css'
import { noCollection, orderOf, type PageSearch, pagesQuery, statusFilters } from './pages.ts'

/** The pages, with search and filters, or those in the trash, with search only. */
export function PageList({ search }: { search: PageSearch }) {
  const t = useText()
  const query = useQuery(pagesQuery(search))
  const uiLocale = useLocale()
  const site = useLanguageSettings()
  const titleOf = (page: ListedPage) => summaryOf(page, uiLocale, site).title
  const columns = useColumns(search.bin === true)
  const change = useSearchChange<PageSearch>('/admin/pages')

  const clear = () => change({ search: undefined, status: undefined, locale: undefined, collection: undefined })
  return (
    <QueryList
      query={query}
      tools={<PageTools search={search} change={change} clear={clear} />}
      empty={<NoResults search={search} clear={clear} />}
      caption={t(search.bin ? 'pages.trash' : 'pages.title')}
      columns={columns}
      nameOf={titleOf}
      sort={{ by: orderOf(search), set: (sort) => change({ sort: sort as PageSearch['sort'] }) }}
      actions={(page) => <RowActions page={page} title={titleOf(page)} />}
    />
  )
}

/** The empty state depends on the filters. */
function NoResults({ search, clear }: { search: PageSearch; clear: () => void }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  if (search.search || search.status || search.locale || search.collection) {
    return <NothingFound title={t('pages.none')} text={t('pages.noneText')} clear={clear} />
  }
  if (search.bin) return <Empty icon={Trash2} title={t('pages.trashEmpty')} text={t('pages.trashEmptyText')} />
  return (
    <Empty
      icon={FileText}
      title={t('pages.empty')}
      text={t(mayWrite ? 'pages.emptyText' : 'pages.emptyRead')}
      action={
        mayWrite && (
          <LinkButton variant="filled" to="/admin/pages/new">
            {t('pages.add')}
          </LinkButton>
        )
      }
    />
  )
}

function useColumns(inTrash: boolean): Column<ListedPage>[] {
  const t = useText()
  const uiLocale = useLocale()
  const site = useLanguageSettings()
  const languages = useSiteLanguages()
  const languageColumn = ({ locale, name }: SiteLanguage): Column<ListedPage> => ({
    label: name,
    cell: (page) => <TextState page={page} locale={locale} inTrash={inTrash} />,
  })
  return [
    {
      label: t('pages.page'),
      sort: 'title',
      cell(page) {
        const { locale, title, address, isHome } = summaryOf(page, uiLocale, site)
        return (
          <>
            {inTrash ? (
              <strong>
                <bdi>{title}</bdi>
              </strong>
            ) : (
              <TextLink to="/admin/pages/$id/$locale" params={{ id: String(page.id), locale }} fw={600}>
                <bdi>{title}</bdi>
              </TextLink>
            )}
            <div className="quiet small">
              <bdi dir="ltr" className={styles.address}>
                {address}
              </bdi>
            </div>
            <CollectionBadge page={page} />
            {!inTrash && <HiddenFromVisitors page={page} />}
            {isHome && <Badge>{t('pages.home')}</Badge>}
            {page.drafts.length > 0 && <DraftBadge />}
          </>
        )
      },
    },
    ...languages.map(languageColumn),
    {
      label: t(inTrash ? 'pages.trashedAt' : 'pages.updated'),
      ...(!inTrash && { sort: 'updatedAt' }),
      cell: (page) => (
        <>
          <Moment at={(inTrash && page.deletedAt) || page.updatedAt} />
          {!inTrash && (
            <div className="quiet small">
              <bdi>{page.updatedBy.name}</bdi>
            </div>
          )}
        </>
      ),
    },
  ]
}

/** The name of an entry's collection, or its id when the collection was removed. */
function CollectionBadge({ page }: { page: ListedPage }) {
  const uiLocale = useLocale()
  const collection = useCollection(page.collection)
  if (page.collection === null) return null
  return <Badge>{collection ? collectionName(collection, uiLocale) : page.collection}</Badge>
}

/** The texts that visitors cannot reach because the site no longer has their collection or language. */
function HiddenFromVisitors({ page }: { page: ListedPage }) {
  const t = useText()
  const languageIn = useLanguageIn()
  const uiLocale = useLocale()
  const texts = Object.entries(page.texts)
  const hiddenLanguages = texts
    .filter(([, { hiddenBy }]) => hiddenBy === 'language')
    .map(([locale]) => languageIn(locale))
  const isWithoutCollection = texts.some(([, { hiddenBy }]) => hiddenBy === 'collection')
  if (!isWithoutCollection && hiddenLanguages.length === 0) return null
  return (
    <p className="quiet small flush">
      {isWithoutCollection
        ? t('pages.hidden.withoutCollection')
        : t('pages.hidden.texts', { languages: new Intl.ListFormat(uiLocale).format(hiddenLanguages) })}
    </p>
  )
}

/** The state of the text in one language, with a link to its editor. */
function TextState({ page, locale, inTrash }: { page: ListedPage; locale: Locale; inTrash: boolean }) {
  const t = useText()
  const uiLocale = useLocale()
  const languageIn = useLanguageIn()
  const site = useLanguageSettings()
  const text = page.texts[locale]
  const name = `${summaryOf(page, uiLocale, site).title}, ${languageName(locale)}`
  const params = { id: String(page.id), locale }
  if (!text && (inTrash || !page.can.change)) return <span className="quiet">{t('pages.noText')}</span>
  if (!text) {
    return (
      <TextLink to="/admin/pages/$id/$locale" params={params} aria-label={t('pages.addTextTo', { name })}>
        {t('pages.addText')}
      </TextLink>
    )
  }
  if (inTrash) return <span className="quiet">{t('pages.hasText')}</span>
  return (
    <>
      <TextLink to="/admin/pages/$id/$locale" params={params} aria-label={`${name}: ${t(`pages.state.${text.state}`)}`}>
        <StateBadge state={text.state} />
      </TextLink>
      <Schedule text={text} />
      {page.reviews.includes(locale) && <ReviewBadge />}
      {text.isOlder && (
        <p className="quiet small flush">{t('pages.older', { main: languageIn(mainLocaleOf(site)) })}</p>
      )}
    </>
  )
}

/** The title and address of a page in the user's language, else in the site's main language, else in any. */
function summaryOf(page: ListedPage, uiLocale: Locale, site: SiteLanguages) {
  const candidates = [uiLocale, mainLocaleOf(site), ...Object.keys(page.texts)]
  const locale = candidates.find((candidate) => page.texts[candidate]) ?? uiLocale
  const text = page.texts[locale]
  return {
    locale,
    title: text?.title ?? String(page.id),
    address: localizedPath(`/${text?.slug ?? ''}`, locale, site),
    isHome: page.fixed && text?.slug === '',
  }
}

/** The sort option that stands for no chosen order in a search. */
const bestMatch = 'match'
/** The filter option that stands for no filter. */
const any = ''

/** Search, filters and sorting; their values are in the URL. */
function PageTools(props: { search: PageSearch; change: (changes: Partial<PageSearch>) => void; clear: () => void }) {
  const { search, change, clear } = props
  const t = useText()
  const languages = useSiteLanguages()
  const uiLocale = useLocale()
  const collections = useCollections()
  return (
    <ListTools
      search={searchField(t('pages.search'), search, change)}
      filtered={(search.status ? 1 : 0) + (search.locale ? 1 : 0) + (search.collection ? 1 : 0)}
      onClear={clear}
      filters={
        !search.bin && (
          <>
            {collections.length > 0 && (
              <ChoiceGroup
                legend={t('pages.entry.kind')}
                options={[
                  { value: any, label: t('pages.entry.any') },
                  { value: noCollection, label: t('pages.entry.page') },
                  ...collections.map((item) => ({ value: item.id, label: collectionName(item, uiLocale) })),
                ]}
                chosen={[search.collection ?? any]}
                onChoose={([chosen]) => change({ collection: chosen === any ? undefined : chosen })}
              />
            )}
            <ChoiceGroup
              legend={t('pages.status')}
              options={[
                { value: any, label: t('pages.anyStatus') },
                ...statusFilters.map((value) => ({ value, label: t(`pages.statuses.${value}`) })),
              ]}
              chosen={[search.status ?? any]}
              onChoose={([chosen]) => change({ status: chosen === any ? undefined : (chosen as PageSearch['status']) })}
            />
            <ChoiceGroup
              legend={t('pages.language')}
              options={[
                { value: any, label: t('pages.anyLanguage') },
                ...languages.map(({ locale: value, name }) => ({ value, label: name })),
              ]}
              chosen={[search.locale ?? any]}
              onChoose={([chosen]) => change({ locale: chosen === any ? undefined : (chosen as PageSearch['locale']) })}
            />
          </>
        )
      }
      sorting={{
        options: [
          ...(search.search ? [{ value: bestMatch, label: t('pages.sort.match') }] : []),
          ...sortOptions(t, 'pages', ['-updatedAt', 'updatedAt', 'title', '-title']),
        ],
        by: orderOf(search) ?? bestMatch,
        set: (sort) => change({ sort: sort === bestMatch ? undefined : (sort as PageSearch['sort']) }),
      }}
    />
  )
}
