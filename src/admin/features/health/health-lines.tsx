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

/** The results of health checks. A problem has a link to the screen where it can be solved. */
export function HealthLines({ lines }: { lines: readonly HealthLine[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <Result key={line.check} result={line} />
      ))}
    </ul>
  )
}

function Result({ result: { outcome, label, text, screen, checkedAt } }: { result: HealthLine }) {
  const t = useText()
  const { pathname } = useLocation()
  // The health screen explains a problem for which there is no other screen.
  const solutionPath = outcome === 'good' ? null : (screen ?? '/admin/health')
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
          {solutionPath !== null && solutionPath !== pathname && (
            <TextLink to={solutionPath} aria-label={`${t('health.open')}: ${label}`}>
              {t('health.open')}
            </TextLink>
          )}
        </p>
      </div>
    </li>
  )
}
