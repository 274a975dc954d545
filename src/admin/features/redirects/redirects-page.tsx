import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CornerDownRight, PencilLine, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Redirect } from '../../../contract/pages.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { ListTools } from '../../components/list-tools.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { isPastTheEnd, Pager, ToLastPage } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { RedirectDialog } from './redirect-dialog.tsx'
import { type RedirectSearch, redirectsQuery, toSeeRedirects } from './redirects.ts'
import { useRemoveRedirect } from './remove-redirect.tsx'

/** Old addresses, and where they lead. */
export function RedirectsPage() {
  const t = useText()
  const maySee = useRight(...toSeeRedirects)
  const mayWrite = useRight('pages.publish')
  const [adding, setAdding] = useState(false)
  const add = mayWrite && (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {t('redirects.add')}
    </Button>
  )
  return (
    <Page
      title={t('redirects.title')}
      lead={t('redirects.lead')}
      back={{ to: '/admin/pages', label: t('pages.title') }}
      actions={add}
    >
      {maySee ? <RedirectList mayWrite={mayWrite} add={add} /> : <NoRight />}
      {adding && <RedirectDialog close={() => setAdding(false)} />}
    </Page>
  )
}

function RedirectList({ mayWrite, add }: { mayWrite: boolean; add: ReactNode }) {
  const t = useText()
  const search = useSearch({ from: '/admin/redirects' })
  const navigate = useNavigate({ from: '/admin/redirects' })
  const { data, error, refetch, isPlaceholderData } = useQuery(redirectsQuery(search))
  const [changing, setChanging] = useState<Redirect>()
  const remove = useRemoveRedirect()
  const columns = useColumns()
  const change = (changes: Partial<RedirectSearch>) => {
    if (!isAt('/admin/redirects')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }
  const by = search.sort ?? '-createdAt'
  const sort = (one: string) => change({ sort: one as RedirectSearch['sort'] })

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (data && isPastTheEnd(data)) return <ToLastPage meta={data.meta} old={isPlaceholderData} />
  return (
    <>
      <ListTools
        search={
          <SearchField
            label={t('redirects.search')}
            value={search.search}
            onSearch={(text) => change({ search: text || undefined })}
          />
        }
        sorting={{
          options: [
            { value: '-createdAt', label: t('redirects.sort.createdAtDown') },
            { value: 'createdAt', label: t('redirects.sort.createdAt') },
            { value: 'from', label: t('redirects.sort.from') },
            { value: '-from', label: t('redirects.sort.fromDown') },
          ],
          by,
          set: sort,
        }}
      />
      {!data && <Waiting />}
      {data?.data.length === 0 && !search.search && (
        <Empty icon={CornerDownRight} title={t('redirects.empty')} text={t('redirects.emptyText')} action={add} />
      )}
      {data?.data.length === 0 && search.search && (
        <Empty
          title={t('redirects.none')}
          action={
            <Button variant="default" onClick={() => change({ search: undefined })}>
              {t('form.list.clear')}
            </Button>
          }
        />
      )}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t('redirects.title')}
            columns={columns}
            rows={data.data}
            nameOf={({ from }) => from}
            sort={{ by, set: sort }}
            old={isPlaceholderData}
            {...(mayWrite && {
              actions: (redirect: Redirect) => (
                <>
                  <ActionIcon
                    {...named(t('redirects.changeOne', { from: redirect.from }))}
                    color="gray"
                    onClick={() => setChanging(redirect)}
                  >
                    <PencilLine size={20} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    {...named(t('redirects.deleteOne', { from: redirect.from }))}
                    color="gray"
                    onClick={() => remove(redirect)}
                  >
                    <Trash2 size={20} aria-hidden />
                  </ActionIcon>
                </>
              ),
            })}
          />
          <Pager meta={data.meta} />
        </>
      )}
      {changing && <RedirectDialog known={changing} close={() => setChanging(undefined)} />}
    </>
  )
}

const named = (label: string) => ({ 'aria-label': label, title: label })

function useColumns(): Column<Redirect>[] {
  const t = useText()
  return [
    {
      key: 'from',
      label: t('redirects.from'),
      sort: 'from',
      cell: ({ from }) => (
        <strong>
          <bdi dir="ltr">{from}</bdi>
        </strong>
      ),
    },
    { key: 'to', label: t('redirects.to'), cell: ({ to }) => <bdi dir="ltr">{to}</bdi> },
    {
      key: 'how',
      label: t('redirects.how'),
      cell: ({ automatic }) => t(automatic ? 'redirects.automatic' : 'redirects.byHand'),
    },
    {
      key: 'created',
      label: t('redirects.created'),
      sort: 'createdAt',
      cell: ({ createdAt, by }) => (
        <>
          <Moment at={createdAt} />
          <div className="quiet small">
            <bdi>{by.name}</bdi>
          </div>
        </>
      ),
    },
  ]
}
