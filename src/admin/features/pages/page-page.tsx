import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { type Locale, localeNames } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { isRefused } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { Empty, Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useMe, useRight } from '../sign-in/me.ts'
import { usePageActions } from './change-pages.tsx'
import { offeredDraft } from './open-draft.ts'
import { PageForm } from './page-form.tsx'
import { draftQuery, pageQuery, readLocale, toSeePages } from './pages.ts'
import { leftDrafts } from './tab-drafts.ts'

/** A page in one language. */
export function PagePage() {
  const { id, locale } = useParams({ from: '/admin/pages/$id/$locale' })
  const spoken = readLocale(locale)
  // Each language of each page is a work of its own.
  return <OnePage key={`${id}/${spoken}`} id={Number(id)} locale={spoken} />
}

function OnePage({ id, locale }: { id: number; locale: Locale }) {
  const t = useText()
  const maySee = useRight(...toSeePages)
  // What was kept of it may know nothing of a draft that was written a second ago.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...pageQuery(id, locale),
    enabled: maySee,
    refetchOnMount: 'always',
  })
  const page = isFetchedAfterMount ? data : undefined
  if (isRefused(error, 'not_found') && !page) return <NotFound />
  const title = data?.text.title || t('pages.untitled')
  return (
    <Page
      title={data ? `${title} · ${localeNames[locale]}` : t('pages.page')}
      heading={data ? <bdi>{title}</bdi> : t('pages.page')}
      back={{ to: '/admin/pages', label: t('pages.title') }}
      actions={page && !page.deletedAt && <Actions page={page} title={title} />}
    >
      {!maySee && <NoRight />}
      {maySee && !page && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={6} />)}
      {page && (page.deletedAt ? <InBin page={page} title={title} /> : <WithDraft page={page} />)}
    </Page>
  )
}

/** The form comes when it is known whether there is a draft. */
function WithDraft({ page }: { page: PageInLocale }) {
  const me = useMe()
  const { id, locale } = page
  const place = { user: me.id, page: id, locale }
  const { data, error, refetch } = useQuery({
    queryKey: ['pages', 'offered', id, locale, me.id],
    queryFn: async ({ client }) => {
      const draft = page.draft ? await client.fetchQuery(draftQuery(id, locale)).catch(noneWhenGone) : undefined
      return { offered: offeredDraft(page, draft, await leftDrafts(place)) ?? null }
    },
    enabled: page.can.change,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (page.can.change && !data) {
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={6} />
  }
  return <PageForm page={page} offered={data?.offered ?? undefined} />
}

function noneWhenGone(error: unknown): undefined {
  if (!isRefused(error, 'not_found')) throw error
}

function Actions({ page, title }: { page: PageInLocale; title: string }) {
  const t = useText()
  const navigate = useNavigate()
  const { duplicate, bin, busy } = usePageActions()
  const some = { id: page.id, title }
  return (
    <>
      {page.can.change && (
        <Button
          variant="default"
          leftSection={<Copy size={18} aria-hidden />}
          disabled={busy}
          onClick={() => duplicate(some)}
        >
          {t('pages.duplicate')}
        </Button>
      )}
      {page.can.delete && (
        <Button
          variant="default"
          className="danger"
          leftSection={<Trash2 size={18} aria-hidden />}
          disabled={busy}
          onClick={() => bin(some, () => navigate({ to: '/admin/pages', ignoreBlocker: true }))}
        >
          {t('pages.toBin')}
        </Button>
      )}
    </>
  )
}

function InBin({ page, title }: { page: PageInLocale; title: string }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  const { restore } = usePageActions()
  return (
    <Empty
      icon={Trash2}
      title={t('pages.inBin')}
      text={t('pages.inBinText')}
      action={mayWrite && <Button onClick={() => restore({ id: page.id, title })}>{t('pages.restore')}</Button>}
    />
  )
}
