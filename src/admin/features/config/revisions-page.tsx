import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ConfigRevision } from '../../../contract/configuration.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { isPastTheEnd, Pager, ToLastPage } from '../../components/pager.tsx'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { type Say, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { changeLabel } from './changed-value.tsx'
import { revisionsQuery, toSeeConfig } from './config.ts'

/** Everything that was ever in force. */
export function RevisionsPage() {
  const t = useText()
  const maySee = useRight(...toSeeConfig)
  return (
    <Page
      title={t('config.revisions.title')}
      lead={t('config.revisions.lead')}
      back={{ to: '/admin/config', label: t('config.title') }}
    >
      {maySee ? <Revisions /> : <NoRight />}
    </Page>
  )
}

function Revisions() {
  const t = useText()
  const search = useSearch({ from: '/admin/config/revisions' })
  const { data, error, refetch, isPlaceholderData } = useQuery(revisionsQuery(search))
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting />
  if (isPastTheEnd(data)) return <ToLastPage meta={data.meta} old={isPlaceholderData} />
  if (data.data.length === 0) {
    return <Empty icon={History} title={t('config.revisions.empty')} text={t('config.revisions.emptyText')} />
  }
  return (
    <>
      <DataList
        caption={t('config.revisions.title')}
        columns={columnsOf(t, data.meta.page === 1 ? data.data[0]?.id : undefined)}
        rows={data.data}
        nameOf={({ id }) => t('config.revisions.number', { id })}
        old={isPlaceholderData}
      />
      <Pager meta={data.meta} />
    </>
  )
}

const columnsOf = (t: Say, inForce: number | undefined): Column<ConfigRevision>[] => [
  {
    key: 'what',
    label: t('config.revisions.what'),
    cell: (revision) => (
      <>
        <TextLink to="/admin/config/revisions/$id" params={{ id: String(revision.id) }}>
          {t('config.revisions.number', { id: revision.id })}
        </TextLink>
        <div className="quiet small">
          {kindText(revision, t)}
          {revision.id === inForce && ` · ${t('config.revisions.inForce')}`}
        </div>
      </>
    ),
  },
  {
    key: 'parts',
    label: t('config.revisions.parts'),
    wide: true,
    cell: ({ parts, note }) => (
      <>
        {parts.map((part) => changeLabel([part], t)).join(', ')}
        {note && (
          <div className="quiet small">
            <bdi>{note}</bdi>
          </div>
        )}
      </>
    ),
  },
  { key: 'who', label: t('config.revisions.who'), cell: (revision) => <bdi>{authorOf(revision, t)}</bdi> },
  { key: 'when', label: t('config.revisions.when'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

export const authorOf = ({ author, kind }: ConfigRevision, t: Say): string =>
  author.name || (kind === 'file' ? '' : t('config.revisions.operator'))

export const kindText = ({ kind, restoredId }: ConfigRevision, t: Say): string =>
  restoredId === null ? t(`config.revisions.kinds.${kind}`) : t('config.revisions.restoredFrom', { id: restoredId })
