import { Alert, Badge, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Profile, TwoFactorStart } from '../../../contract/profile.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { CopyButton } from '../../components/buttons.tsx'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import { notify, notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { OwnPassword } from './own-password.tsx'
import styles from './profile.module.css'
import { profileQuery, sessionsQuery } from './profile.ts'

/** Turns two-factor authentication on and off, and shows new recovery codes. */
export function TwoFactor({ profile }: { profile: Profile }) {
  const t = useText()
  const queries = useQueryClient()
  const [started, setStarted] = useState<TwoFactorStart>()
  const [codes, setCodes] = useState<string[]>()
  const [ending, setEnding] = useState(false)
  const refetch = () => {
    void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const start = useMutation({
    mutationFn: () => parseResponse(api.profile['two-factor'].$post()),
    onSuccess: (start) => setStarted(start),
    onError: (error) => notifyFailure(t('profile.twoFactor.notStarted'), error),
  })
  const renew = useMutation({
    mutationFn: () => parseResponse(api.profile['two-factor']['recovery-codes'].$post()),
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    onError: (error) => notifyFailure(t('profile.twoFactor.notRenewed'), error),
  })
  const turnedOn = (recoveryCodes: string[]) => {
    setStarted(undefined)
    setCodes(recoveryCodes)
    notify(t('profile.twoFactor.turnedOn'))
    refetch()
  }
  const on = profile.twoFactor
  return (
    <Section
      title={t('profile.twoFactor.title')}
      lead={t('profile.twoFactor.lead')}
      actions={<Badge color={on ? 'brand' : 'gray'}>{t(on ? 'profile.twoFactor.on' : 'profile.twoFactor.off')}</Badge>}
    >
      {codes && <RecoveryCodes codes={codes} onConfirmed={() => setCodes(undefined)} />}
      {started && <VerifyTwoFactor start={started} onVerified={turnedOn} onCancel={() => setStarted(undefined)} />}
      {!started && !codes && (
        <div className="row">
          {on ? (
            <>
              <Button loading={renew.isPending} onClick={() => renew.mutate()}>
                {t('profile.twoFactor.renew')}
              </Button>
              <Button className="danger" onClick={() => setEnding(true)}>
                {t('profile.twoFactor.turnOff')}
              </Button>
            </>
          ) : (
            <Button leftSection={<ShieldCheck />} loading={start.isPending} onClick={() => start.mutate()}>
              {t('profile.twoFactor.turnOn')}
            </Button>
          )}
        </div>
      )}
      {ending && (
        // The password, so that an unattended screen is not enough.
        <OwnPassword
          title={t('profile.twoFactor.turnOffTitle')}
          text={t('profile.twoFactor.turnOffText')}
          yes={t('profile.twoFactor.turnOff')}
          label={t('reauthentication.password')}
          danger
          act={(password) => parseResponse(api.profile['two-factor'].$delete({ json: password }))}
          done={() => {
            setEnding(false)
            notify(t('profile.twoFactor.turnedOff'))
            refetch()
          }}
          close={() => setEnding(false)}
        />
      )}
    </Section>
  )
}

/** Shown only once, until the user confirms that the codes are stored. */
function RecoveryCodes({ codes, onConfirmed }: { codes: string[]; onConfirmed: () => void }) {
  const t = useText()
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return (
    <Alert role="status" title={t('profile.codes.title')}>
      <UnsavedChangesGuard
        when
        question={{
          title: t('profile.codes.leaveTitle'),
          text: t('profile.codes.leaveText'),
          yes: t('profile.codes.leave'),
        }}
      />
      <p className="flush">{t('profile.codes.text')}</p>
      <ul className={styles.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <Button variant="filled" onClick={onConfirmed}>
          {t('profile.codes.saved')}
        </Button>
        <Button component="a" href={file} download={t('profile.codes.file')} leftSection={<Download />}>
          {t('profile.codes.download')}
        </Button>
        <CopyButton text={text} />
      </div>
    </Alert>
  )
}

/** Shows the secret for the authenticator app and verifies a first code. Two-factor is off until then. */
function VerifyTwoFactor(props: {
  start: TwoFactorStart
  onVerified: (recoveryCodes: string[]) => void
  onCancel: () => void
}) {
  const { start, onVerified, onCancel } = props
  const t = useText()
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => parseResponse(api.profile['two-factor'].verify.$post({ json: { code } })),
    onSuccess: ({ recoveryCodes }) => onVerified(recoveryCodes),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.verify}>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(start.qr)}`}
        alt={t('profile.twoFactor.qr')}
        width={200}
        height={200}
      />
      <div className="stack">
        <ol className="steps">
          <li>{t('profile.twoFactor.stepApp')}</li>
          <li>
            {t('profile.twoFactor.stepScan')}
            <TextInput
              mt="xs"
              aria-label={t('profile.twoFactor.secret')}
              dir="ltr"
              readOnly
              value={start.secret}
              onFocus={(event) => event.currentTarget.select()}
              rightSection={<CopyButton text={start.secret} />}
              rightSectionWidth={44}
            />
          </li>
          <li>{t('profile.twoFactor.stepCode')}</li>
        </ol>
        <TextInput
          label={t('profile.twoFactor.code')}
          name="code"
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          error={verify.error && codeReason(verify.error)}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <div className="row">
          <Button variant="filled" type="submit" loading={verify.isPending}>
            {t('profile.twoFactor.verify')}
          </Button>
          <Button onClick={onCancel}>{t('form.cancel')}</Button>
        </div>
      </div>
    </form>
  )
}

const codeReason = (error: unknown) =>
  (error instanceof ApiRefusal && error.problem.errors.find(({ path }) => path === 'code')?.message) || reasonOf(error)
