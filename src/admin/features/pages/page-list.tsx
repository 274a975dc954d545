import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileText, Trash2 } from 'lucide-react'
import { type Locale, localeNames, localizedPath } from '../../../contract/locales.ts'
import type { ListedPage } from '../../../contract/pages.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { LinkButton, TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { isPastTheEnd, Pager, ToLastPage } from '../../components/pager.tsx'
import { Empty, Failed, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { DraftMark, type InLocale, Plans, StateBadge } from './page-bits.tsx'
import { RowActions } from './page-row-actions.tsx'
import { PageTools } from './page-tools.tsx'
import styles from './pages.module.css'
import { orderOf, type PageSearch, pagesQuery } from './pages.ts'

export function PageList({ search }: { search: PageSearch }) {
  const t = useText()
  const navigate = useNavigate({ from: '/admin/pages' })
  const { data, error, refetch, isPlaceholderData } = useQuery(pagesQuery(search))
  const columns = useColumns(search.bin === true)
  const change = (changes: Partial<PageSearch>) => {
    if (!isAt('/admin/pages')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (data && isPastTheEnd(data)) return <ToLastPage meta={data.meta} old={isPlaceholderData} />
  const clear = () => change({ search: undefined, status: undefined, locale: undefined })
  return (
    <>
      <PageTools search={search} change={change} clear={clear} />
      {!data && <Waiting />}
      {data?.data.length === 0 && <Nothing search={search} clear={clear} />}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t(search.bin ? 'pages.bin' : 'pages.title')}
            columns={columns}
            rows={data.data}
            nameOf={titleOf}
            sort={{ by: orderOf(search), set: (sort) => change({ sort: sort as PageSearch['sort'] }) }}
            old={isPlaceholderData}
            actions={(page) => <RowActions page={page} title={titleOf(page)} />}
          />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

/** An empty list says what it is for, and what to do next. */
function Nothing({ search, clear }: { search: PageSearch; clear: () => void }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  if (search.search || search.status || search.locale) {
    return (
      <Empty
        title={t('pages.none')}
        text={t('pages.noneText')}
        action={
          <Button variant="default" onClick={clear}>
            {t('form.list.noFilter')}
          </Button>
        }
      />
    )
  }
  if (search.bin) return <Empty icon={Trash2} title={t('pages.binEmpty')} text={t('pages.binEmptyText')} />
  return (
    <Empty
      icon={FileText}
      title={t('pages.empty')}
      text={t(mayWrite ? 'pages.emptyText' : 'pages.emptyRead')}
      action={mayWrite && <LinkButton to="/admin/pages/new">{t('pages.add')}</LinkButton>}
    />
  )
}

function useColumns(bin: boolean): Column<ListedPage>[] {
  const t = useText()
  const inLocale = (locale: Locale): Column<ListedPage> => ({
    key: locale,
    label: localeNames[locale],
    cell: (page) => <State page={page} locale={locale} bin={bin} />,
  })
  return [
    {
      key: 'title',
      label: t('pages.page'),
      sort: 'title',
      cell: (page) => (
        <>
          <PageTitle page={page} bin={bin} />
          <div className="quiet small">
            <bdi dir="ltr" className={styles.address}>
              {addressOf(page)}
            </bdi>
          </div>
          {page.fixed && addressOf(page) === '/' && <Badge variant="light">{t('pages.home')}</Badge>}
          {page.drafts.length > 0 && <DraftMark />}
        </>
      ),
    },
    inLocale('nl'),
    inLocale('fa'),
    {
      key: 'updated',
      label: t(bin ? 'pages.binned' : 'pages.updated'),
      ...(!bin && { sort: 'updatedAt' }),
      cell: (page) => (
        <>
          <Moment at={(bin && page.deletedAt) || page.updatedAt} />
          {!bin && (
            <div className="quiet small">
              <bdi>{page.updatedBy.name}</bdi>
            </div>
          )}
        </>
      ),
    },
  ]
}

function PageTitle({ page, bin }: { page: ListedPage; bin: boolean }) {
  const title = <bdi>{titleOf(page)}</bdi>
  if (bin) return <strong>{title}</strong>
  return (
    <TextLink to="/admin/pages/$id/$locale" params={{ id: String(page.id), locale: firstLocale(page) }} fw={600}>
      {title}
    </TextLink>
  )
}

/** What visitors see in one language, and the way to its form. */
function State({ page, locale, bin }: { page: ListedPage; locale: Locale; bin: boolean }) {
  const t = useText()
  const text = page[locale]
  const name = `${titleOf(page)}, ${localeNames[locale]}`
  const params = { id: String(page.id), locale }
  if (!text && (bin || !page.can.change)) return <span className="quiet">{t('pages.noText')}</span>
  if (!text) {
    return (
      <TextLink to="/admin/pages/$id/$locale" params={params} aria-label={t('pages.addTextTo', { name })}>
        {t('pages.addText')}
      </TextLink>
    )
  }
  if (bin) return <span className="quiet">{t('pages.hasText')}</span>
  return (
    <>
      <TextLink to="/admin/pages/$id/$locale" params={params} aria-label={`${name}: ${t(`pages.state.${text.state}`)}`}>
        <StateBadge state={text.state} />
      </TextLink>
      <Plans text={text} />
    </>
  )
}

const firstLocale = (page: ListedPage): Locale => (page.nl ? 'nl' : 'fa')
const firstText = (page: ListedPage): InLocale | null => page.nl ?? page.fa
const titleOf = (page: ListedPage) => firstText(page)?.title ?? String(page.id)
const addressOf = (page: ListedPage) => localizedPath(`/${firstText(page)?.slug ?? ''}`, firstLocale(page))
