import { Badge } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import type { HealthLine, HealthOutcome } from '../../../contract/health.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import styles from './health.module.css'

const colors = { good: 'brand', attention: 'yellow', failed: 'red', unknown: 'gray' } satisfies Record<
  HealthOutcome,
  string
>

/** The results of health checks, each with a link to the screen where the problem can be solved. */
export function HealthLines({ lines }: { lines: readonly HealthLine[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <Line key={line.check} line={line} />
      ))}
    </ul>
  )
}

function Line({ line: { outcome, label, text, screen, checkedAt } }: { line: HealthLine }) {
  const t = useText()
  const { pathname } = useLocation()
  // A problem without a screen of its own is explained on the screen Health.
  const solvedAt = outcome === 'good' ? null : (screen ?? '/admin/health')
  return (
    <li>
      <Badge className={styles.outcome ?? ''} color={colors[outcome]} data-outcome={outcome}>
        {t(`health.outcomes.${outcome}`)}
      </Badge>
      <div>
        <h3>{label}</h3>
        <p className="flush">{text}</p>
        <p className={styles.when}>
          <span>
            <Translated text="health.checkedAt" when={<Moment at={checkedAt} />} />
          </span>
          {solvedAt !== null && solvedAt !== pathname && (
            <TextLink to={solvedAt} aria-label={`${t('health.open')}: ${label}`}>
              {t('health.open')}
            </TextLink>
          )}
        </p>
      </div>
    </li>
  )
}
