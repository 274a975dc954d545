import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck, MailX, Send } from 'lucide-react'
import type { MailServer, MailStepResult, MailTest } from '../../../contract/mail-server.ts'
import { api, parseResponse } from '../../client.ts'
import { notifyFailure } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useMe, useRight } from '../sign-in/me.ts'
import styles from './mail.module.css'
import { mailboxQuery, mailServerQuery } from './mail.ts'
import { MailboxSection } from './mailbox-form.tsx'
import { SenderChecksSection } from './sender-checks.tsx'
import { SmtpForm } from './smtp-form.tsx'

/** The screen of the email settings: mail server, test email, DNS records, and mailbox of delivery reports. */
export function MailPage() {
  const t = useText()
  const maySee = useRight(...configReadRights)
  const { data, error, refetch } = useQuery({ ...mailServerQuery, enabled: maySee })
  return (
    <Page
      title={t('config.mail.title')}
      lead={t('config.mail.lead')}
      back={{ to: '/admin/config', label: t('config.back') }}
      allowed={maySee}
    >
      {data ? (
        <>
          <MailServerInUse server={data} />
          <SmtpForm server={data} />
          {data.inUse !== 'files' && <TestEmail key={data.version} />}
          <SenderChecksSection />
          <MailboxSection />
        </>
      ) : (
        <LoadingOrError error={error} refetch={refetch} rows={5} />
      )}
    </Page>
  )
}

function MailServerInUse({ server }: { server: MailServer }) {
  const t = useText()
  const { inUse, environment, smtp, passwordLost } = server
  if (inUse === 'files')
    return (
      <Alert color="red" icon={<MailX />} title={t('form.noMail.title')}>
        {t(passwordLost ? 'config.mail.passwordLost' : 'config.mail.files')}
      </Alert>
    )
  const { host, port } = environment ?? smtp ?? { host: '', port: 0 }
  return (
    <Alert icon={<MailCheck />} title={t('config.mail.sends', { server: `${host}:${port}` })}>
      {t(inUse === 'environment' ? 'config.mail.environment' : 'config.mail.settings')}
    </Alert>
  )
}

/** Sends an email to the signed-in user, and shows each step of the delivery. */
function TestEmail() {
  const t = useText()
  const me = useMe()
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: async (): Promise<MailTest> => parseResponse(api['mail-server'].test.$post()),
    onSuccess: ({ returns }) => returns && queries.invalidateQueries(mailboxQuery),
    onError: (error) => notifyFailure(t('config.mail.test.notTried'), error),
  })
  const { data } = test
  return (
    <Section
      title={t('config.mail.test.title')}
      lead={t('config.mail.test.lead', { email: me.email })}
      actions={
        <Button leftSection={<Send className="flip-in-rtl" />} loading={test.isPending} onClick={() => test.mutate()}>
          {t('config.mail.test.send')}
        </Button>
      }
    >
      <div role="status">
        {data && (
          <div className="stack">
            <Alert color={data.sent ? 'brand' : 'red'}>
              {t(data.sent ? 'config.mail.test.sent' : 'config.mail.test.failed', { email: data.recipient })}{' '}
              {data.returns && t('config.mail.test.returns')}
            </Alert>
            <ol className={styles.steps}>
              {data.steps.map((step) => (
                <Step key={step.step} {...step} />
              ))}
            </ol>
          </div>
        )}
      </div>
    </Section>
  )
}

const symbols = { ok: '✓', failed: '✗', skipped: '–', notReached: '·' } as const

function Step({ step, outcome, advice, answer }: MailStepResult) {
  const t = useText()
  return (
    <li data-outcome={outcome}>
      <span aria-hidden className={styles.sign}>
        {symbols[outcome]}
      </span>
      <div>
        <strong>{t(`config.mail.test.steps.${step}`)}</strong>{' '}
        <span className="quiet">{t(`config.mail.test.outcomes.${outcome}`)}</span>
        {advice && <p className="flush">{advice}</p>}
        {answer && (
          <p className="flush quiet small">
            {t('config.mail.test.answer')} <bdi dir="ltr">{answer}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}
