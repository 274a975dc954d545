import { Alert, Badge, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
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

/** Turns two-factor authentication on and off, and makes new recovery codes. */
export function TwoFactor({ profile }: { profile: Profile }) {
  const t = useText()
  const queries = useQueryClient()
  const [setup, setSetup] = useState<TwoFactorStart>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const [isTurningOff, setIsTurningOff] = useState(false)
  /** Whether a step is finished: then the button that replaces it takes the focus. */
  const [isFinished, setIsFinished] = useState(false)
  const refetch = () => {
    void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const start = useMutation({
    mutationFn: () => parseResponse(api.profile['two-factor'].$post()),
    onSuccess: (start) => setSetup(start),
    onError: (error) => notifyFailure(t('profile.twoFactor.notStarted'), error),
  })
  const renewCodes = useMutation({
    mutationFn: () => parseResponse(api.profile['two-factor']['recovery-codes'].$post()),
    onSuccess: ({ recoveryCodes }) => setRecoveryCodes(recoveryCodes),
    onError: (error) => notifyFailure(t('profile.twoFactor.notRenewed'), error),
  })
  const onVerified = (newCodes: string[]) => {
    setSetup(undefined)
    setRecoveryCodes(newCodes)
    notify(t('profile.twoFactor.turnedOn'))
    refetch()
  }
  const isOn = profile.twoFactor
  return (
    <Section
      title={t('profile.twoFactor.title')}
      lead={t('profile.twoFactor.lead')}
      actions={
        <Badge color={isOn ? 'brand' : 'gray'}>{t(isOn ? 'profile.twoFactor.on' : 'profile.twoFactor.off')}</Badge>
      }
    >
      {recoveryCodes && (
        <RecoveryCodes
          codes={recoveryCodes}
          onConfirmed={() => {
            setRecoveryCodes(undefined)
            setIsFinished(true)
          }}
        />
      )}
      {setup && (
        <VerifyTwoFactor
          setup={setup}
          onVerified={onVerified}
          onCancel={() => {
            setSetup(undefined)
            setIsFinished(true)
          }}
        />
      )}
      {!setup && !recoveryCodes && (
        <div className="row">
          {isOn ? (
            <>
              <Button
                autoFocus={isFinished}
                onFocus={() => setIsFinished(false)}
                loading={renewCodes.isPending}
                onClick={() => renewCodes.mutate()}
              >
                {t('profile.twoFactor.renew')}
              </Button>
              <Button className="danger" onClick={() => setIsTurningOff(true)}>
                {t('profile.twoFactor.turnOff')}
              </Button>
            </>
          ) : (
            <Button
              autoFocus={isFinished}
              onFocus={() => setIsFinished(false)}
              leftSection={<ShieldCheck />}
              loading={start.isPending}
              onClick={() => start.mutate()}
            >
              {t('profile.twoFactor.turnOn')}
            </Button>
          )}
        </div>
      )}
      {isTurningOff && (
        // Asks for the password, so that an unattended screen is not enough to turn it off.
        <OwnPassword
          title={t('profile.twoFactor.turnOffTitle')}
          text={t('profile.twoFactor.turnOffText')}
          yes={t('profile.twoFactor.turnOff')}
          label={t('reauthentication.password')}
          danger
          act={(credentials) => parseResponse(api.profile['two-factor'].$delete({ json: credentials }))}
          done={() => {
            setIsTurningOff(false)
            setIsFinished(true)
            notify(t('profile.twoFactor.turnedOff'))
            refetch()
          }}
          close={() => setIsTurningOff(false)}
        />
      )}
    </Section>
  )
}

/** New recovery codes, shown once, with the focus: the user confirms that they are stored before leaving. */
function RecoveryCodes({ codes, onConfirmed }: { codes: string[]; onConfirmed: () => void }) {
  const t = useText()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [])
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return (
    <Alert ref={alert} tabIndex={-1} role="status" title={t('profile.codes.title')}>
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

/** Shows the secret for the authenticator app and verifies a first code, which turns two-factor authentication on. */
function VerifyTwoFactor(props: {
  setup: TwoFactorStart
  onVerified: (recoveryCodes: string[]) => void
  onCancel: () => void
}) {
  const { setup, onVerified, onCancel } = props
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
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr)}`}
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
              value={setup.secret}
              onFocus={(event) => event.currentTarget.select()}
              rightSection={<CopyButton text={setup.secret} />}
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
          error={verify.error && codeFailure(verify.error)}
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

const codeFailure = (error: unknown) =>
  (error instanceof ApiRefusal && error.problem.errors.find(({ path }) => path === 'code')?.message) || reasonOf(error)
