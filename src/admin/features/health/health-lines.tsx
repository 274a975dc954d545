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

/** What checks found, each with the screen where it is cured. */
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
  // What no screen cures is explained on the screen Health.
  const cure = outcome === 'good' ? null : (screen ?? '/admin/health')
  return (
    <li>
      <Badge className={styles.outcome ?? ''} size="lg" variant="light" color={colors[outcome]} data-outcome={outcome}>
        {t(`health.outcomes.${outcome}`)}
      </Badge>
      <div>
        <h3>{label}</h3>
        <p className="flush">{text}</p>
        <p className={styles.when}>
          <span>
            <Translated text="health.checkedAt" when={<Moment at={checkedAt} />} />
          </span>
          {cure !== null && cure !== pathname && (
            <TextLink to={cure} aria-label={`${t('health.open')}: ${label}`}>
              {t('health.open')}
            </TextLink>
          )}
        </p>
      </div>
    </li>
  )
}
