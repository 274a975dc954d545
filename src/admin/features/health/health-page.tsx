import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import {
  type HealthArea,
  type HealthLine,
  type HealthOutcome,
  healthAreas,
  healthOutcomes,
} from '../../../contract/health.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Failed, Loading, NoRight } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { AlarmsSection } from './alarms-section.tsx'
import styles from './health.module.css'
import { healthQuery, loadHealth } from './health.ts'

const colors = { good: 'brand', attention: 'yellow', failed: 'red', unknown: 'gray' } satisfies Record<
  HealthOutcome,
  string
>

/** Whether everything works, and what to do where it does not. */
export function HealthPage() {
  const t = useText()
  const maySee = useRight(...configReadRights)
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () => loadHealth('yes'),
    onSuccess: (found) => queries.setQueryData(healthQuery.queryKey, found),
    onError: (error) => notifyFailure(t('states.failed'), error),
  })
  return (
    <Page
      title={t('shell.health')}
      lead={t('health.lead')}
      actions={
        maySee && (
          <Button
            variant="default"
            leftSection={<RefreshCw size={18} aria-hidden />}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            {t('health.again')}
          </Button>
        )
      }
    >
      {maySee ? (
        <>
          <Areas />
          <AlarmsSection />
        </>
      ) : (
        <NoRight />
      )}
    </Page>
  )
}

function Areas() {
  const t = useText()
  const { data, error, refetch } = useQuery(healthQuery)
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={6} />
  const count = data.lines.filter(({ outcome }) => outcome === 'failed' || outcome === 'attention').length
  const unseen = data.lines.filter(({ outcome }) => outcome === 'unknown').length
  return (
    <>
      <p className={styles.summary} role="status">
        {count > 0
          ? t('health.trouble', { count })
          : unseen > 0
            ? t('health.unseen', { count: unseen })
            : t('health.good')}
      </p>
      {(Object.keys(healthAreas) as HealthArea[]).map((area) => (
        <Section key={area} title={t(`health.areas.${area}`)}>
          <ul className={styles.lines}>
            {data.lines
              .filter((line) => line.area === area)
              .map((line) => (
                <Line key={line.check} line={line} />
              ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

function Line({ line: { outcome, label, text, screen, checkedAt } }: { line: HealthLine }) {
  const t = useText()
  const isTrouble = outcome !== healthOutcomes[0]
  return (
    <li>
      <Badge className={styles.outcome ?? ''} size="lg" variant="light" color={colors[outcome]} data-outcome={outcome}>
        {t(`health.outcomes.${outcome}`)}
      </Badge>
      <div>
        <h3>{label}</h3>
        <p className="flush">{text}</p>
        <p className={styles.when}>
          <Translated text="health.checkedAt" when={<Moment at={checkedAt} />} />
          {isTrouble && screen !== null && (
            <TextLink to={screen} aria-label={`${t('health.open')}: ${label}`}>
              {t('health.open')}
            </TextLink>
          )}
        </p>
      </div>
    </li>
  )
}
