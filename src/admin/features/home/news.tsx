import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../contract/audit.ts'
import type { Dashboard } from '../../../contract/dashboard.ts'
import { numberText } from '../../components/dates.ts'
import { TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Said } from '../../components/said.tsx'
import { Section } from '../../components/section.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { Subject } from '../audit/subject.tsx'
import { dashboardQuery } from './dashboard.ts'
import styles from './home.module.css'

/** What came since the visit before this one. */
export function News() {
  const t = useText()
  const { data, error, refetch } = useQuery(dashboardQuery)
  return (
    <Section title={t('home.news')} lead={data && <Said text="home.since" date={<Moment at={data.since} />} />}>
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={3} />)}
      {data && <Counts news={data.news} />}
      {data?.news.changes && <Changes changes={data.news.changes} />}
    </Section>
  )
}

function Counts({ news }: { news: Dashboard['news'] }) {
  const t = useText()
  const { messages, users, mail } = news
  if (!messages && !users && !mail) return <p className="flush">{t('home.nothingNew')}</p>
  return (
    <ul className={styles.counts}>
      {messages && (
        <Count count={messages.new}>
          <TextLink to="/admin/messages">{t('home.newMessages', { count: messages.new })}</TextLink>
        </Count>
      )}
      {users && (
        <Count count={users.new}>
          <TextLink to="/admin/users" search={{ sort: '-createdAt' }}>
            {t('home.newUsers', { count: users.new })}
          </TextLink>
        </Count>
      )}
      {mail && (
        <Count count={mail.waiting}>
          <TextLink to="/admin/mail" search={{ state: 'waiting' }}>
            {t('home.mailWaits', { count: mail.waiting })}
          </TextLink>
        </Count>
      )}
      {mail && (
        <Count count={mail.failed} wrong={mail.failed > 0}>
          <TextLink to="/admin/mail" search={{ state: 'failed' }}>
            {t('home.mailFailed', { count: mail.failed })}
          </TextLink>
        </Count>
      )}
    </ul>
  )
}

function Count({ count, wrong, children }: { count: number; wrong?: boolean; children: ReactNode }) {
  const locale = useLocale()
  return (
    <li data-none={count === 0 || undefined} data-wrong={wrong || undefined}>
      <b>{numberText(count, locale)}</b>
      <span>{children}</span>
    </li>
  )
}

/** Who changed what lately. */
function Changes({ changes }: { changes: AuditRow[] }) {
  const t = useText()
  return (
    <div>
      <h3 className={styles.head}>{t('home.changes')}</h3>
      {changes.length === 0 && <p className="quiet flush">{t('audit.empty')}</p>}
      <ul className={styles.changes}>
        {changes.map((row) => (
          <li key={row.id}>
            <div>
              <strong>{row.label}</strong> <Subject row={row} />
            </div>
            <small className="quiet">
              <bdi>{row.actor.name}</bdi> · <Moment at={row.at} />
            </small>
          </li>
        ))}
      </ul>
      {changes.length > 0 && <TextLink to="/admin/audit">{t('home.allChanges')}</TextLink>}
    </div>
  )
}
