import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { AuditRow } from '../../../contract/audit.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Choices } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { ListTools, NothingFound, searchField, useSearchChange } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, NoRight } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { type AuditSearch, areas, auditQuery } from './audit.ts'
import { ChangedFields } from './changed-fields.tsx'
import { AuditSubject } from './subject.tsx'

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
  const query = useQuery(auditQuery(search))
  const columns = useColumns()
  const change = useSearchChange<AuditSearch>('/admin/audit')
  const clear = () => void navigate({ search: {}, replace: true })

  const { page, search: words, ...filters } = search
  const filtered = Object.values(filters).filter((value) => value !== undefined).length
  return (
    <QueryList
      query={query}
      tools={<AuditTools {...{ search, change, filtered, clear }} rows={query.data?.data ?? []} />}
      empty={
        filtered > 0 || words ? (
          <NothingFound title={t('audit.none')} text={t('audit.noneText')} clear={clear} />
        ) : (
          <Empty icon={ScrollText} title={t('audit.empty')} text={t('audit.emptyText')} />
        )
      }
      caption={t('audit.title')}
      columns={columns}
      nameOf={(row) => row.label}
    />
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
      search={searchField(t('audit.search'), search, change)}
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
            <AuditSubject row={row} />
          </div>
        </>
      ),
    },
    { key: 'change', label: t('audit.change'), wide: true, cell: (row) => <ChangedFields row={row} /> },
    { key: 'who', label: t('audit.who'), cell: (row) => <Actor row={row} /> },
    { key: 'when', label: t('audit.when'), cell: (row) => <Moment at={row.at} /> },
  ]
}

/** The user who did it, as a link that filters the log by that user. */
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
