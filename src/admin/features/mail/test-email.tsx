import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { MailStepResult, MailTest } from '../../../contract/mail-server.ts'
import { api, parseResponse } from '../../client.ts'
import { notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import styles from './mail.module.css'

/** Sends an email to the reader and shows each step. */
export function TestEmail() {
  const t = useText()
  const me = useMe()
  const test = useMutation({
    mutationFn: async (): Promise<MailTest> => parseResponse(api['mail-server'].test.$post()),
    onError: (error) => notifyFailure(t('config.mail.test.notTried'), error),
  })
  const { data } = test
  return (
    <Section
      title={t('config.mail.test.title')}
      lead={t('config.mail.test.lead', { email: me.email })}
      actions={
        <Button
          variant="default"
          leftSection={<Send size={18} className="turns" aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('config.mail.test.send')}
        </Button>
      }
    >
      <div role="status">
        {data && (
          <div className="stack">
            <Alert color={data.sent ? 'brand' : 'red'}>
              {t(data.sent ? 'config.mail.test.sent' : 'config.mail.test.failed', { email: data.recipient })}
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

const signs = { ok: '✓', failed: '✗', skipped: '–', notReached: '·' } as const

function Step({ step, outcome, advice, answer }: MailStepResult) {
  const t = useText()
  return (
    <li data-outcome={outcome}>
      <span aria-hidden className={styles.sign}>
        {signs[outcome]}
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
