import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { configChanges } from '../../../contract/config-changes.ts'
import type { Configuration, RevisionWithConfig } from '../../../contract/configuration.ts'
import { answer, api, isRefused } from '../../client.ts'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { Changes } from './changed-value.tsx'
import { configQuery, revisionQuery, toSeeConfig } from './config.ts'
import { authorOf, kindText } from './revisions-page.tsx'

/** One earlier state: what it changed, what is different now, and the way back to it. */
export function RevisionPage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/config/revisions/$id' })
  const maySee = useRight(...toSeeConfig)
  const { data: found, error, refetch } = useQuery({ ...revisionQuery(Number(id)), enabled: maySee })
  const { data: now } = useQuery({ ...configQuery, enabled: maySee })
  if (isRefused(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={t('config.revisions.number', { id })}
      back={{ to: '/admin/config/revisions', label: t('config.revisions.title') }}
      actions={found && now && <WayBack found={found} now={now} />}
      narrow
    >
      {!maySee && <NoRight />}
      {maySee && !found && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={4} />)}
      {found && <Revision found={found} now={now} />}
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
        {own && own.length > 0 && (
          <Changes changes={own} before={t('config.revisions.before')} after={t('config.revisions.after')} />
        )}
      </Section>
      {since && now.version !== revision.id && (
        <Section title={t('config.revisions.since')}>
          {since.length === 0 ? (
            <p className="flush quiet">{t('config.revisions.same')}</p>
          ) : (
            <Changes
              changes={since}
              before={t('config.revisions.inThat', { id: revision.id })}
              after={t('config.revisions.now')}
            />
          )}
        </Section>
      )}
    </>
  )
}

/** To this state, or from the one in force to the one before it. */
function WayBack({ found, now }: { found: RevisionWithConfig; now: Configuration }) {
  const isNow = now.version === found.revision.id
  const id = isNow ? found.beforeId : found.revision.id
  return id === null ? null : <Restore id={id} now={now} label={isNow ? 'restoreBefore' : 'restore'} />
}

/** One click, and a way back: the state before is a revision too. */
function Restore(props: { id: number; now: Configuration; label: 'restore' | 'restoreBefore' }) {
  const { now, label } = props
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const restore = useMutation({
    mutationFn: ({ id, version }: { id: number; version: number }): Promise<Configuration> =>
      answer(api.config.revisions[':id'].restore.$post({ param: { id: String(id) }, json: { version } })),
    async onSuccess(saved, { id }) {
      queries.setQueryData(configQuery.queryKey, saved)
      await queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      const before = now.version
      tell(
        t('config.revisions.restored', { id }),
        id === props.id && before > 0 ? () => restore.mutate({ id: before, version: saved.version }) : undefined,
      )
      await navigate({ to: '/admin/config/revisions' })
    },
    onError: (error) => tellFailure(t('config.revisions.notRestored'), error),
  })
  return (
    <Button
      leftSection={<RotateCcw size={18} aria-hidden />}
      loading={restore.isPending}
      onClick={() => restore.mutate({ id: props.id, version: now.version })}
    >
      {t(`config.revisions.${label}`)}
    </Button>
  )
}
