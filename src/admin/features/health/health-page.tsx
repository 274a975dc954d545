import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { type HealthAlarms, type HealthArea, healthAreas } from '../../../contract/health.ts'
import { api, parseResponse } from '../../client.ts'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { problemsQuery, Unloaded } from '../../components/states.tsx'
import { useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './health.module.css'
import { alarmsQuery, healthQuery, loadHealth } from './health.ts'
import { HealthLines } from './health-lines.tsx'

/** Whether everything works, and what to do where it does not. */
export function HealthPage() {
  const t = useText()
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () => loadHealth('yes'),
    onSuccess(found) {
      queries.setQueryData(healthQuery.queryKey, found)
      void queries.invalidateQueries({ queryKey: problemsQuery.queryKey })
    },
    onError: (error) => notifyFailure(t('states.failed'), error),
  })
  return (
    <Page
      title={t('shell.health')}
      lead={t('health.lead')}
      allowed={useRight(...configReadRights)}
      actions={
        <Button leftSection={<RefreshCw />} loading={again.isPending} onClick={() => again.mutate()}>
          {t('health.again')}
        </Button>
      }
    >
      <Areas />
      <AlarmsSection />
    </Page>
  )
}

function Areas() {
  const t = useText()
  const { data, error, refetch } = useQuery(healthQuery)
  if (!data) return <Unloaded error={error} refetch={refetch} rows={6} />
  const count = data.lines.filter(({ outcome }) => outcome === 'failed' || outcome === 'attention').length
  const unseen = data.lines.filter(({ outcome }) => outcome === 'unknown').length
  return (
    <>
      <p className={styles.summary} role="status">
        {count > 0
          ? t('health.problems', { count })
          : unseen > 0
            ? t('health.unseen', { count: unseen })
            : t('health.good')}
      </p>
      {(Object.keys(healthAreas) as HealthArea[]).map((area) => (
        <Section key={area} title={t(`health.areas.${area}`)}>
          <HealthLines lines={data.lines.filter((line) => line.area === area)} />
        </Section>
      ))}
    </>
  )
}

/** The recipients of alerts and of the monthly email. */
function AlarmsSection() {
  const t = useText()
  const { data, error, refetch } = useQuery(alarmsQuery)
  return (
    <Section title={t('health.alarms.title')} lead={t('health.alarms.lead')}>
      {data ? <AlarmsForm alarms={data} /> : <Unloaded error={error} refetch={refetch} rows={3} />}
    </Section>
  )
}

interface Values extends Record<string, unknown> {
  /** Ids, as the checkboxes have them. */
  people: string[]
  reports: string[]
  webhook: string
}

const valuesOf = (alarms: HealthAlarms | undefined): Values => ({
  people: alarms?.people.filter(({ isNotified }) => isNotified).map(({ id }) => String(id)) ?? [],
  reports: alarms?.people.filter(({ getsReport }) => getsReport).map(({ id }) => String(id)) ?? [],
  webhook: alarms?.webhook ?? '',
})

function AlarmsForm({ alarms }: { alarms: HealthAlarms }) {
  const t = useText()
  const queries = useQueryClient()
  // A user may have been blocked or deleted since the form was filled in.
  const known = (ids: string[]) => alarms.people.map(({ id }) => id).filter((id) => ids.includes(String(id)))
  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number }): Promise<HealthAlarms> =>
      parseResponse(
        api.health.alarms.$put({
          json: {
            people: known(values.people),
            reports: known(values.reports),
            webhook: values.webhook.trim() || null,
            version,
          },
        }),
      ),
    onSuccess(saved) {
      queries.setQueryData(alarmsQuery.queryKey, saved)
      void queries.invalidateQueries({ queryKey: problemsQuery.queryKey })
      notify(t('health.alarms.saved'))
    },
    onError: () => void queries.invalidateQueries(alarmsQuery),
  })
  const work = useVersionedForm<HealthAlarms, Values>({
    entity: alarms,
    valuesOf,
    save: (values, from = alarms) => save.mutateAsync({ values, version: from.version }),
    fieldOf: (path) => path.split('.')[0] ?? path,
  })
  const { form, dirty } = work
  // While everybody is notified, so is a user who is added, which is no new version.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other people matter
  useEffect(() => {
    if (dirty) return
    form.setInitialValues(valuesOf(alarms))
    form.setValues(valuesOf(alarms))
  }, [alarms.people])
  const namesOf = (ids: string[]) =>
    alarms.people
      .filter(({ id }) => ids.includes(String(id)))
      .map(({ name }) => name)
      .join(', ')
  const differences = (theirs: HealthAlarms) => [
    ...(['people', 'reports'] as const).map((list) => ({
      label: t(`health.alarms.${list}`),
      mine: namesOf(form.getValues()[list]),
      theirs: namesOf(valuesOf(theirs)[list]),
    })),
    { label: t('health.alarms.webhook'), mine: form.getValues().webhook, theirs: theirs.webhook ?? '' },
  ]
  return (
    <VersionedFormFrame work={work} notSaved={t('states.failed')} differences={differences} className={styles.alarms}>
      {(['people', 'reports'] as const).map((list) => (
        <Checkbox.Group key={list} label={t(`health.alarms.${list}`)} {...form.getInputProps(list)}>
          <div className={styles.people}>
            {alarms.people.map(({ id, name, email }) => (
              <Checkbox
                key={id}
                value={String(id)}
                label={
                  <>
                    <bdi>{name}</bdi> {email !== null && <bdi dir="ltr">({email})</bdi>}
                  </>
                }
              />
            ))}
          </div>
        </Checkbox.Group>
      ))}
      <TextInput
        label={t('health.alarms.webhook')}
        description={t('health.alarms.webhookHelp')}
        type="url"
        dir="ltr"
        {...form.getInputProps('webhook')}
      />
      <SaveBar saving={work.saving} />
    </VersionedFormFrame>
  )
}
