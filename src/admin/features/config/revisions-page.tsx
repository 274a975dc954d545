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
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { type TFunction, useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { ChangesTable, configPathLabel } from './changed-value.tsx'
import {
  configQuery,
  configReadRights,
  revisionQuery,
  revisionsQuery,
  storeConfiguration,
  storeStaleConfiguration,
} from './config.ts'

/** The screen with the history of the configuration. */
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
      columns={createColumns(t, data?.meta.page === 1 ? data.data[0]?.id : undefined)}
      nameOf={({ id }) => t('config.revisions.number', { id })}
      empty={<Empty icon={History} title={t('config.revisions.empty')} text={t('config.revisions.emptyText')} />}
    />
  )
}

/** @param currentId of the revision with the current configuration, if it is in the list */
const createColumns = (t: TFunction, currentId: number | undefined): Column<ConfigRevision>[] => [
  {
    label: t('config.revisions.what'),
    cell: (revision) => (
      <>
        <TextLink to="/admin/config/revisions/$id" params={{ id: String(revision.id) }}>
          {t('config.revisions.number', { id: revision.id })}
        </TextLink>
        <div className="quiet small">
          {kindText(revision, t)}
          {revision.id === currentId && ` · ${t('config.revisions.inForce')}`}
        </div>
      </>
    ),
  },
  {
    label: t('config.revisions.parts'),
    wide: true,
    cell: ({ parts, note }) => (
      <>
        {parts.map((part) => configPathLabel([part], t)).join(', ')}
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

/** Empty for a configuration from a file, which has no author. */
const authorOf = ({ author, kind }: ConfigRevision, t: TFunction): string =>
  author.name || (kind === 'file' ? '' : t('config.revisions.operator'))

/** What made the revision, such as a change or an import. */
const kindText = ({ kind, restoredId }: ConfigRevision, t: TFunction): string =>
  restoredId === null ? t(`config.revisions.kinds.${kind}`) : t('config.revisions.restoredFrom', { id: restoredId })

/** The screen of a revision: its changes, the differences from the current configuration, and a restore button. */
export function RevisionPage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/config/revisions/$id' })
  const maySee = useRight(...configReadRights)
  const { data, error, refetch } = useQuery({ ...revisionQuery(Number(id)), enabled: maySee })
  const { data: current } = useQuery({ ...configQuery, enabled: maySee })
  if (isApiRefusal(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={t('config.revisions.number', { id })}
      back={{ to: '/admin/config/revisions', label: t('config.revisions.title') }}
      actions={data && current && <RestoreActions data={data} current={current} />}
      allowed={maySee}
      narrow
    >
      {data ? <Revision data={data} current={current} /> : <LoadingOrError error={error} refetch={refetch} rows={4} />}
    </Page>
  )
}

function Revision({ data, current }: { data: RevisionWithConfig; current: Configuration | undefined }) {
  const t = useText()
  const { revision, config, before } = data
  const author = authorOf(revision, t)
  const changes = before && configChanges(before, config)
  const changesSince = current && configChanges(config, current.config)
  return (
    <>
      <Section title={kindText(revision, t)}>
        <Facts
          facts={[
            { label: t('config.revisions.when'), value: <Moment at={revision.createdAt} /> },
            ...(author ? [{ label: t('config.revisions.who'), value: <bdi>{author}</bdi> }] : []),
          ]}
        />
        {revision.note && (
          <p className="flush">
            <bdi>{revision.note}</bdi>
          </p>
        )}
      </Section>
      <Section title={t('config.revisions.changes')}>
        {!changes && <p className="flush quiet">{t('config.revisions.first')}</p>}
        {changes?.length === 0 && <p className="flush quiet">{t('config.revisions.nothing')}</p>}
        {before && changes && changes.length > 0 && (
          <ChangesTable
            changes={changes}
            configs={[before, config]}
            before={t('config.revisions.before')}
            after={t('config.revisions.after')}
          />
        )}
      </Section>
      {changesSince && current.version !== revision.id && (
        <Section title={t('config.revisions.since')}>
          {changesSince.length === 0 ? (
            <p className="flush quiet">{t('config.revisions.same')}</p>
          ) : (
            <ChangesTable
              changes={changesSince}
              configs={[config, current.config]}
              before={t('config.revisions.inThat', { id: revision.id })}
              after={t('config.revisions.now')}
            />
          )}
        </Section>
      )}
    </>
  )
}

/** Restores the shown revision, or, if that is the current one, the revision before it. */
function RestoreActions({ data, current }: { data: RevisionWithConfig; current: Configuration }) {
  // The version of a configuration is the id of its revision.
  const isCurrent = current.version === data.revision.id
  const id = isCurrent ? data.beforeId : data.revision.id
  if (id === null) return null
  return <RestoreButton id={id} current={current} label={isCurrent ? 'restoreBefore' : 'restore'} />
}

/** Restores without confirmation, because the replaced configuration can be restored in the same way. */
function RestoreButton(props: { id: number; current: Configuration; label: 'restore' | 'restoreBefore' }) {
  const { current, label } = props
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const restore = useMutation({
    mutationFn: ({ id, version }: { id: number; version: number }): Promise<Configuration> =>
      parseAs(api.config.revisions[':id'].restore.$post({ param: { id: String(id) }, json: { version } })),
    async onSuccess(saved, { id }) {
      storeConfiguration(queries, saved)
      await queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      const replaced = current.version
      // An undo, which restores another revision than that of the button, has no undo.
      const canUndo = id === props.id && replaced > 0
      notify(
        t('config.revisions.restored', { id }),
        canUndo ? () => restore.mutate({ id: replaced, version: saved.version }) : undefined,
      )
      await navigate({ to: '/admin/config/revisions' })
    },
    onError(error) {
      storeStaleConfiguration(queries, error)
      const [problem] = isApiRefusal(error, 'invalid') ? error.problem.errors : []
      notifyFailure(t('config.revisions.notRestored'), error, problem?.message)
    },
  })
  return (
    <Button
      variant="filled"
      leftSection={<RotateCcw />}
      loading={restore.isPending}
      onClick={() => restore.mutate({ id: props.id, version: current.version })}
    >
      {t(`config.revisions.${label}`)}
    </Button>
  )
}
