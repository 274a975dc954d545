import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { type HealthAlarms, type HealthArea, healthAreas } from '../../../contract/health.ts'
import { api, parseResponse } from '../../client.ts'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { LoadingOrError, problemsQuery } from '../../components/states.tsx'
import { useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './health.module.css'
import { alarmsQuery, healthQuery, loadHealth } from './health.ts'
import { HealthLines } from './health-lines.tsx'

/** The screen of the health checks: their results by area, and the settings of alerts. */
export function HealthPage() {
  const t = useText()
  const queries = useQueryClient()
  const rerun = useMutation({
    mutationFn: () => loadHealth('yes'),
    onSuccess(health) {
      queries.setQueryData(healthQuery.queryKey, health)
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
        <Button leftSection={<RefreshCw />} loading={rerun.isPending} onClick={() => rerun.mutate()}>
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
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={6} />
  const problemCount = data.lines.filter(({ outcome }) => outcome === 'failed' || outcome === 'attention').length
  const unknownCount = data.lines.filter(({ outcome }) => outcome === 'unknown').length
  let summary = t('health.good')
  if (problemCount > 0) summary = t('health.problems', { count: problemCount })
  else if (unknownCount > 0) summary = t('health.unseen', { count: unknownCount })
  return (
    <>
      <p className={styles.summary} role="status">
        {summary}
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
      {data ? <AlarmsForm alarms={data} /> : <LoadingOrError error={error} refetch={refetch} rows={3} />}
    </Section>
  )
}

/** Users by id, as texts for the checkboxes: `people` get alerts, `reports` get the monthly email. */
interface Values extends Record<string, unknown> {
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
  // Leaves out users who were blocked or deleted since the form was filled in.
  const existingIds = (ids: string[]) => alarms.people.map(({ id }) => id).filter((id) => ids.includes(String(id)))
  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number }): Promise<HealthAlarms> =>
      parseResponse(
        api.health.alarms.$put({
          json: {
            people: existingIds(values.people),
            reports: existingIds(values.reports),
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
  const versionedForm = useVersionedForm<HealthAlarms, Values>({
    entity: alarms,
    valuesOf,
    save: (values, base = alarms) => save.mutateAsync({ values, version: base.version }),
    // An error at `people.0` belongs to the field `people`.
    fieldOf: (path) => path.split('.')[0] ?? path,
  })
  const { form, dirty } = versionedForm
  // The list of users also changes without a new version of the settings: when a user is added, blocked or deleted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is handled by useVersionedForm
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
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('states.failed')}
      differences={differences}
      className={styles.alarms}
    >
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
      <SaveBar saving={versionedForm.saving} />
    </VersionedFormFrame>
  )
}
