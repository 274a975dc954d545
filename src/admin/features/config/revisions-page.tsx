import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { History, RotateCcw } from 'lucide-react'
import { configChanges } from '../../../contract/config-parts.ts'
import type { ConfigRevision, Configuration, RevisionWithConfig } from '../../../contract/configuration.ts'
import { api, isApiRefusal, parseAs } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Facts, NotFound, Page, Section } from '../../components/page.tsx'
import { Empty, Unloaded } from '../../components/states.tsx'
import { type TFunction, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { Changes, changeLabel } from './changed-value.tsx'
import {
  configQuery,
  configReadRights,
  revisionQuery,
  revisionsQuery,
  storeConfiguration,
  storeCurrent,
} from './config.ts'

/** The history of the configuration. */
export function RevisionsPage() {
  const t = useText()
  return (
    <Page
      title={t('config.revisions.title')}
      lead={t('config.revisions.lead')}
      back={{ to: '/admin/config', label: t('config.title') }}
      allowed={useRight(...configReadRights)}
    >
      <Revisions />
    </Page>
  )
}

function Revisions() {
  const t = useText()
  const search = useSearch({ from: '/admin/config/revisions' })
  const query = useQuery(revisionsQuery(search))
  const { data } = query
  return (
    <QueryList
      query={query}
      caption={t('config.revisions.title')}
      columns={columnsOf(t, data?.meta.page === 1 ? data.data[0]?.id : undefined)}
      nameOf={({ id }) => t('config.revisions.number', { id })}
      empty={<Empty icon={History} title={t('config.revisions.empty')} text={t('config.revisions.emptyText')} />}
    />
  )
}

const columnsOf = (t: TFunction, inForce: number | undefined): Column<ConfigRevision>[] => [
  {
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
  { label: t('config.revisions.who'), cell: (revision) => <bdi>{authorOf(revision, t)}</bdi> },
  { label: t('config.revisions.when'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

export const authorOf = ({ author, kind }: ConfigRevision, t: TFunction): string =>
  author.name || (kind === 'file' ? '' : t('config.revisions.operator'))

export const kindText = ({ kind, restoredId }: ConfigRevision, t: TFunction): string =>
  restoredId === null ? t(`config.revisions.kinds.${kind}`) : t('config.revisions.restoredFrom', { id: restoredId })

/** One earlier revision: its changes, the differences with the current configuration, and a restore button. */
export function RevisionPage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/config/revisions/$id' })
  const maySee = useRight(...configReadRights)
  const { data: found, error, refetch } = useQuery({ ...revisionQuery(Number(id)), enabled: maySee })
  const { data: now } = useQuery({ ...configQuery, enabled: maySee })
  if (isApiRefusal(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={t('config.revisions.number', { id })}
      back={{ to: '/admin/config/revisions', label: t('config.revisions.title') }}
      actions={found && now && <RestoreActions found={found} now={now} />}
      allowed={maySee}
      narrow
    >
      {found ? <Revision found={found} now={now} /> : <Unloaded error={error} refetch={refetch} rows={4} />}
    </Page>
  )
}

function Revision({ found, now }: { found: RevisionWithConfig; now: Configuration | undefined }) {
  const t = useText()
  const { revision, config, before } = found
  const own = before && configChanges(before, config)
  const since = now && configChanges(config, now.config)
  return (
    <>
      <Section title={kindText(revision, t)}>
        <Facts
          facts={[
            { label: t('config.revisions.when'), value: <Moment at={revision.createdAt} /> },
            ...(authorOf(revision, t)
              ? [{ label: t('config.revisions.who'), value: <bdi>{authorOf(revision, t)}</bdi> }]
              : []),
          ]}
        />
        {revision.note && (
          <p className="flush">
            <bdi>{revision.note}</bdi>
          </p>
        )}
      </Section>
      <Section title={t('config.revisions.changes')}>
        {!own && <p className="flush quiet">{t('config.revisions.first')}</p>}
        {own?.length === 0 && <p className="flush quiet">{t('config.revisions.nothing')}</p>}
        {before && own && own.length > 0 && (
          <Changes
            changes={own}
            configs={[before, config]}
            before={t('config.revisions.before')}
            after={t('config.revisions.after')}
          />
        )}
      </Section>
      {since && now.version !== revision.id && (
        <Section title={t('config.revisions.since')}>
          {since.length === 0 ? (
            <p className="flush quiet">{t('config.revisions.same')}</p>
          ) : (
            <Changes
              changes={since}
              configs={[config, now.config]}
              before={t('config.revisions.inThat', { id: revision.id })}
              after={t('config.revisions.now')}
            />
          )}
        </Section>
      )}
    </>
  )
}

/** Restores this revision, or for the current one the revision before it. */
function RestoreActions({ found, now }: { found: RevisionWithConfig; now: Configuration }) {
  const isNow = now.version === found.revision.id
  const id = isNow ? found.beforeId : found.revision.id
  return id === null ? null : <Restore id={id} now={now} label={isNow ? 'restoreBefore' : 'restore'} />
}

/** Restores without confirmation: the replaced configuration is a revision too. */
function Restore(props: { id: number; now: Configuration; label: 'restore' | 'restoreBefore' }) {
  const { now, label } = props
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const restore = useMutation({
    mutationFn: ({ id, version }: { id: number; version: number }): Promise<Configuration> =>
      parseAs(api.config.revisions[':id'].restore.$post({ param: { id: String(id) }, json: { version } })),
    async onSuccess(saved, { id }) {
      storeConfiguration(queries, saved)
      await queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      const before = now.version
      notify(
        t('config.revisions.restored', { id }),
        id === props.id && before > 0 ? () => restore.mutate({ id: before, version: saved.version }) : undefined,
      )
      await navigate({ to: '/admin/config/revisions' })
    },
    onError(error) {
      storeCurrent(queries, error)
      notifyFailure(t('config.revisions.notRestored'), error)
    },
  })
  return (
    <Button
      variant="filled"
      leftSection={<RotateCcw />}
      loading={restore.isPending}
      onClick={() => restore.mutate({ id: props.id, version: now.version })}
    >
      {t(`config.revisions.${label}`)}
    </Button>
  )
}
