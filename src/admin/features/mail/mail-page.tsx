import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MailCheck, MailX } from 'lucide-react'
import type { MailServer } from '../../../contract/mail-server.ts'
import { Page } from '../../components/page.tsx'
import { Failed, Loading, NoRight } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { mailServerQuery } from './mail.ts'
import { SenderChecksSection } from './sender-checks.tsx'
import { SmtpForm } from './smtp-form.tsx'
import { TestEmail } from './test-email.tsx'

/** Settings of outgoing email: the mail server, and whether emails arrive. */
export function MailPage() {
  const t = useText()
  const maySee = useRight(...configReadRights)
  const { data, error, refetch } = useQuery({ ...mailServerQuery, enabled: maySee })
  return (
    <Page
      title={t('config.mail.title')}
      lead={t('config.mail.lead')}
      back={{ to: '/admin/config', label: t('config.back') }}
    >
      {!maySee && <NoRight />}
      {maySee && !data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={5} />)}
      {data && (
        <>
          <InUse server={data} />
          <SmtpForm server={data} />
          {data.inUse !== 'files' && <TestEmail />}
          <SenderChecksSection />
        </>
      )}
    </Page>
  )
}

function InUse({ server }: { server: MailServer }) {
  const t = useText()
  const { inUse, environment, smtp, passwordLost } = server
  if (inUse === 'files')
    return (
      <Alert color="red" icon={<MailX size={18} aria-hidden />} title={t('form.noMail.title')}>
        {t(passwordLost ? 'config.mail.passwordLost' : 'config.mail.files')}
      </Alert>
    )
  const { host, port } = environment ?? smtp ?? { host: '', port: 0 }
  return (
    <Alert icon={<MailCheck size={18} aria-hidden />} title={t('config.mail.sends', { server: `${host}:${port}` })}>
      {t(inUse === 'environment' ? 'config.mail.environment' : 'config.mail.settings')}
    </Alert>
  )
}
