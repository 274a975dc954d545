import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { AuditRow } from '../../../contract/audit.ts'
import { Choices } from '../../components/choices.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { TextLink } from '../../components/link-button.tsx'
import { ListTools } from '../../components/list-tools.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { isPastTheEnd, Pager, ToLastPage } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { Changed } from './changed.tsx'
import { type AuditSearch, areas, changesQuery } from './changes.ts'
import { Subject } from './subject.tsx'

export function AuditPage() {
  const t = useText()
  const maySee = useRight('audit.read')
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      {maySee ? <Changes /> : <NoRight />}
    </Page>
  )
}

function Changes() {
  const t = useText()
  const search = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate({ from: '/admin/audit' })
  const { data, error, refetch, isPlaceholderData } = useQuery(changesQuery(search))
  const columns = useColumns()
  const change = (changes: Partial<AuditSearch>) => {
    if (!isAt('/admin/audit')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }
  const clear = () => void navigate({ search: {}, replace: true })

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (data && isPastTheEnd(data)) return <ToLastPage meta={data.meta} old={isPlaceholderData} />
  const { page, search: words, ...filters } = search
  const filtered = Object.values(filters).filter((value) => value !== undefined).length
  return (
    <>
      <AuditTools {...{ search, change, filtered, clear }} rows={data?.data ?? []} />
      {!data && <Waiting />}
      {data?.data.length === 0 && filtered === 0 && !words && (
        <Empty icon={ScrollText} title={t('audit.empty')} text={t('audit.emptyText')} />
      )}
      {data?.data.length === 0 && (filtered > 0 || words) && (
        <Empty
          title={t('audit.none')}
          text={t('audit.noneText')}
          action={
            <Button variant="default" onClick={clear}>
              {t('form.list.noFilter')}
            </Button>
          }
        />
      )}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t('audit.title')}
            columns={columns}
            rows={data.data}
            nameOf={(row) => row.label}
            old={isPlaceholderData}
          />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

function AuditTools(props: {
  search: AuditSearch
  change: (changes: Partial<AuditSearch>) => void
  filtered: number
  clear: () => void
  rows: AuditRow[]
}) {
  const { search, change, filtered, clear, rows } = props
  const t = useText()
  const { actorId } = search
  return (
    <ListTools
      search={
        <SearchField
          label={t('audit.search')}
          value={search.search}
          onSearch={(text) => change({ search: text || undefined })}
        />
      }
      filtered={filtered}
      onClear={clear}
      filters={
        <>
          <Choices
            legend={t('audit.area')}
            options={[
              { value: 'all', label: t('audit.areas.all') },
              ...areas.map((area) => ({ value: area, label: t(`audit.areas.${area}`) })),
            ]}
            chosen={[search.area ?? 'all']}
            onChoose={([area]) => change({ area: area === 'all' ? undefined : (area as AuditSearch['area']) })}
          />
          {actorId !== undefined && (
            <Choices
              legend={t('audit.who')}
              options={[
                { value: 0, label: t('audit.everyone') },
                {
                  value: actorId,
                  label:
                    rows.find(({ actor }) => actor.id === actorId)?.actor.name ?? t('audit.oneUser', { id: actorId }),
                },
              ]}
              chosen={[actorId]}
              onChoose={([id]) => change({ actorId: id || undefined })}
            />
          )}
          <TextInput
            type="date"
            label={t('audit.from')}
            value={search.from ?? ''}
            max={search.until}
            onChange={(event) => change({ from: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('audit.until')}
            value={search.until ?? ''}
            min={search.from}
            onChange={(event) => change({ until: event.currentTarget.value || undefined })}
          />
        </>
      }
    />
  )
}

function useColumns(): Column<AuditRow>[] {
  const t = useText()
  return [
    {
      key: 'what',
      label: t('audit.what'),
      cell: (row) => (
        <>
          <strong>{row.label}</strong>
          <div>
            <Subject row={row} />
          </div>
        </>
      ),
    },
    { key: 'change', label: t('audit.change'), wide: true, cell: (row) => <Changed row={row} /> },
    { key: 'who', label: t('audit.who'), cell: (row) => <Actor row={row} /> },
    { key: 'when', label: t('audit.when'), cell: (row) => <Moment at={row.at} /> },
  ]
}

/** Who did it; by their name the log shows what they alone did. */
function Actor({ row }: { row: AuditRow }) {
  const t = useText()
  const { id, name } = row.actor
  if (id === null) return <bdi>{name}</bdi>
  return (
    <TextLink
      to="/admin/audit"
      search={(before) => ({ ...before, page: undefined, actorId: id })}
      title={t('audit.onlyBy', { name })}
    >
      <bdi>{name}</bdi>
    </TextLink>
  )
}
