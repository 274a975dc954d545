import { Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HealthAlarms } from '../../../contract/health.ts'
import { api, parseResponse } from '../../client.ts'
import { SaveBar, SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { StaleChoice, useVersionedForm } from '../../components/versioned-form.tsx'
import { useText } from '../../i18n.ts'
import styles from './health.module.css'
import { alarmsQuery } from './health.ts'

/** Who gets alerts, and who gets the monthly email. */
export function AlarmsSection() {
  const t = useText()
  const { data, error, refetch } = useQuery(alarmsQuery)
  return (
    <Section title={t('health.alarms.title')} lead={t('health.alarms.lead')}>
      {data ? (
        <AlarmsForm alarms={data} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading rows={3} />
      )}
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
  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number }): Promise<HealthAlarms> =>
      parseResponse(
        api.health.alarms.$put({
          json: {
            people: values.people.map(Number),
            reports: values.reports.map(Number),
            webhook: values.webhook.trim() || null,
            version,
          },
        }),
      ),
    onSuccess(saved) {
      queries.setQueryData(alarmsQuery.queryKey, saved)
      notify(t('health.alarms.saved'))
    },
  })
  const { form, saving, failure, onSubmit, stale } = useVersionedForm<HealthAlarms, Values>({
    entity: alarms,
    valuesOf,
    save: (values, from = alarms) => save.mutateAsync({ values, version: from.version }),
  })
  const namesOf = (ids: string[]) =>
    alarms.people
      .filter(({ id }) => ids.includes(String(id)))
      .map(({ name }) => name)
      .join(', ')
  return (
    <form onSubmit={onSubmit} noValidate className={styles.alarms}>
      {failure && (
        <SaveFailure key={failure.count} title={t('states.failed')} error={failure.error} unplaced={failure.unplaced} />
      )}
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
      <SaveBar saving={saving} />
      {stale && (
        <StaleChoice
          differences={[
            ...(['people', 'reports'] as const).map((list) => ({
              label: t(`health.alarms.${list}`),
              mine: namesOf(form.getValues()[list]),
              theirs: namesOf(valuesOf(stale.theirs)[list]),
            })),
            {
              label: t('health.alarms.webhook'),
              mine: form.getValues().webhook,
              theirs: stale.theirs.webhook ?? '',
            },
          ].filter(({ mine, theirs }) => mine !== theirs)}
          {...stale}
        />
      )}
    </form>
  )
}
