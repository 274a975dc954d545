import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type DnsCheck, outcomeOfAuthentication } from '../../../contract/mail-checks.ts'
import type { Mailbox } from '../../../contract/mail-server.ts'
import { pollWhile } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { CopyField } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { ErrorState } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import styles from './mail.module.css'
import { mailboxQuery, senderChecksQuery } from './mail.ts'

/** The checks of the DNS records of the sender's domain, with records to add, and results of the last test email. */
export function SenderChecksSection() {
  const t = useText()
  const { data, error, refetch, isFetching } = useQuery(senderChecksQuery)
  return (
    <Section
      title={t('config.mail.dns.title')}
      lead={t('config.mail.dns.lead')}
      actions={
        <Button leftSection={<RefreshCw />} loading={isFetching} onClick={() => void refetch()}>
          {t('config.mail.dns.check')}
        </Button>
      }
    >
      {error && !isFetching && <ErrorState error={error}>{t('config.mail.dns.notChecked')}</ErrorState>}
      <div role="status">
        {data && (
          <div className="stack">
            <p className="flush">
              <bdi>{t('config.mail.dns.domain', { domain: data.domain })}</bdi>
            </p>
            <ul className={styles.checks}>
              {data.checks.map((check) => (
                <Check key={check.name} {...check} />
              ))}
            </ul>
          </div>
        )}
      </div>
      <TestEmailResults />
    </Section>
  )
}

const colors = { ok: 'brand', warning: 'gray', failed: 'red', unknown: 'gray' } as const

function Check({ name, outcome, finding, found, lookups, record }: DnsCheck) {
  const t = useText()
  return (
    <li className="stack">
      <h3 className={styles.check}>
        {t(`config.mail.dns.names.${name}`)}{' '}
        <Badge color={colors[outcome]}>{t(`config.mail.dns.outcomes.${outcome}`)}</Badge>
      </h3>
      <p className="flush">
        {t(`config.mail.dns.findings.${finding}`)}
        {lookups !== undefined && ` (${t('config.mail.dns.lookups', { count: lookups })})`}
      </p>
      {found.length > 0 && (
        <p className="flush quiet small">
          {t('config.mail.dns.found')}{' '}
          {found.map((value) => (
            <bdi key={value} dir="ltr" className={styles.record}>
              {value}
            </bdi>
          ))}
        </p>
      )}
      {record && (
        <fieldset className={styles.add}>
          <legend>
            {t('config.mail.dns.add')} {t('config.mail.dns.recordType')} <bdi dir="ltr">{record.type}</bdi>
          </legend>
          <CopyField label={t('config.mail.dns.recordName')} text={record.name} />
          {record.value === '' ? (
            <p className="flush">{t('config.mail.dns.fromProvider')}</p>
          ) : (
            <CopyField label={t('config.mail.dns.recordValue')} text={record.value} />
          )}
        </fieldset>
      )}
    </li>
  )
}

const pollForMs = 10 * 60_000
const isAwaited = (test: Mailbox['test']) => test?.results === null && Date.now() - Date.parse(test.sentAt) < pollForMs

/** What the mailbox's server found for the sender of the last test email: SPF, DKIM and DMARC. */
function TestEmailResults() {
  const { data } = useQuery({
    ...mailboxQuery,
    refetchInterval: pollWhile(({ test }) => isAwaited(test), 10_000),
  })
  if (!data?.test) return null
  const { sentAt, results } = data.test
  return (
    <div role="status">
      <p className="flush">
        <Translated
          text={`config.mail.returned.${results ? 'found' : 'waiting'}`}
          date={<Moment at={results?.at ?? sentAt} />}
        />
      </p>
      {results && (
        <ul className={styles.results}>
          {(['spf', 'dkim', 'dmarc'] as const).map((name) => (
            <Result key={name} name={name} result={results[name]} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Result({ name, result }: { name: 'spf' | 'dkim' | 'dmarc'; result: string | null }) {
  const t = useText()
  const outcome = outcomeOfAuthentication(result)
  return (
    <li className={styles.check}>
      <strong>{t(`config.mail.dns.names.${name}`)}</strong>
      <Badge color={colors[outcome]}>{t(`config.mail.dns.outcomes.${outcome}`)}</Badge>
      <bdi dir="ltr" className="quiet small">
        {result ?? ''}
      </bdi>
    </li>
  )
}
