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
import { useSite, useSiteLanguages } from '../../site-languages.ts'
import { collectionName, useCollection, useCollections } from '../collections/collections.ts'
import { useRight } from '../sign-in/me.ts'
import { RowActions } from './page-actions.tsx'
import { DraftBadge, ReviewBadge, Schedule, StateBadge } from './page-badges.tsx'
import styles from './pages.module.css'
import { orderOf, type PageSearch, pagesQuery, statuses } from './pages.ts'

export function PageList({ search }: { search: PageSearch }) {
  const t = useText()
  const query = useQuery(pagesQuery(search))
  const reader = useLocale()
  const site = useSite()
  const titleOf = (page: ListedPage) => summaryOf(page, reader, site).title
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
  if (search.search || search.status || search.locale || search.collection !== undefined) {
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
  const reader = useLocale()
  const site = useSite()
  const languages = useSiteLanguages()
  const inLocale = ({ locale, name }: SiteLanguage): Column<ListedPage> => ({
    label: name,
    cell: (page) => <State page={page} locale={locale} inTrash={inTrash} />,
  })
  return [
    {
      label: t('pages.page'),
      sort: 'title',
      cell(page) {
        const { locale, title, address, isHome } = summaryOf(page, reader, site)
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
            <Kind page={page} />
            {!inTrash && <HiddenFromVisitors page={page} />}
            {isHome && <Badge>{t('pages.home')}</Badge>}
            {page.drafts.length > 0 && <DraftBadge />}
          </>
        )
      },
    },
    ...languages.map(inLocale),
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

/** The collection of an entry. */
function Kind({ page }: { page: ListedPage }) {
  const reader = useLocale()
  const collection = useCollection(page.collection)
  if (page.collection === null) return null
  return <Badge>{collection ? collectionName(collection, reader) : page.collection}</Badge>
}

/** The texts that visitors cannot reach because the site no longer has their collection or language. */
function HiddenFromVisitors({ page }: { page: ListedPage }) {
  const t = useText()
  const languageIn = useLanguageIn()
  const reader = useLocale()
  const texts = Object.entries(page.texts)
  const inLost = texts.filter(([, { hiddenBy }]) => hiddenBy === 'language').map(([locale]) => languageIn(locale))
  const ofLost = texts.some(([, { hiddenBy }]) => hiddenBy === 'collection')
  if (!ofLost && inLost.length === 0) return null
  return (
    <p className="quiet small flush">
      {ofLost
        ? t('pages.hidden.withoutCollection')
        : t('pages.hidden.texts', { languages: new Intl.ListFormat(reader).format(inLost) })}
    </p>
  )
}

/** The state in one language, with a link to its form. */
function State({ page, locale, inTrash }: { page: ListedPage; locale: Locale; inTrash: boolean }) {
  const t = useText()
  const reader = useLocale()
  const languageIn = useLanguageIn()
  const site = useSite()
  const text = page.texts[locale]
  const name = `${summaryOf(page, reader, site).title}, ${languageName(locale)}`
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

/** The title and address of a row, in the user's language if the page has it. */
function summaryOf(page: ListedPage, reader: Locale, site: SiteLanguages) {
  const locale = [reader, mainLocaleOf(site), ...Object.keys(page.texts)].find((one) => page.texts[one]) ?? reader
  const text = page.texts[locale]
  return {
    locale,
    title: text?.title ?? String(page.id),
    address: localizedPath(`/${text?.slug ?? ''}`, locale, site),
    isHome: page.fixed && text?.slug === '',
  }
}

/** The sort option for a search without a chosen order. */
const bestMatch = 'match'
const any = 'any'

/** Search, filters and sorting; their values are in the URL. */
function PageTools(props: { search: PageSearch; change: (changes: Partial<PageSearch>) => void; clear: () => void }) {
  const { search, change, clear } = props
  const t = useText()
  const languages = useSiteLanguages()
  const reader = useLocale()
  const collections = useCollections()
  return (
    <ListTools
      search={searchField(t('pages.search'), search, change)}
      filtered={(search.status ? 1 : 0) + (search.locale ? 1 : 0) + (search.collection === undefined ? 0 : 1)}
      onClear={clear}
      filters={
        !search.bin && (
          <>
            {collections.length > 0 && (
              <ChoiceGroup
                legend={t('pages.entry.kind')}
                options={[
                  { value: any, label: t('pages.entry.any') },
                  { value: '', label: t('pages.entry.page') },
                  ...collections.map((one) => ({ value: one.id, label: collectionName(one, reader) })),
                ]}
                chosen={[search.collection ?? any]}
                onChoose={([one]) => change({ collection: one === any ? undefined : one })}
              />
            )}
            <ChoiceGroup
              legend={t('pages.status')}
              options={[
                { value: any, label: t('pages.anyStatus') },
                ...statuses.map((value) => ({ value, label: t(`pages.statuses.${value}`) })),
              ]}
              chosen={[search.status ?? any]}
              onChoose={([one]) => change({ status: one === any ? undefined : (one as PageSearch['status']) })}
            />
            <ChoiceGroup
              legend={t('pages.language')}
              options={[
                { value: any, label: t('pages.anyLanguage') },
                ...languages.map(({ locale: value, name }) => ({ value, label: name })),
              ]}
              chosen={[search.locale ?? any]}
              onChoose={([one]) => change({ locale: one === any ? undefined : (one as PageSearch['locale']) })}
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
