import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TwoFactorStart } from '../../../contract/profile.ts'
import { answer, api, Refused } from '../../client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import styles from './profile.module.css'

/** What the app is set up with, and the code that shows that it was. Until then nothing counts. */
export function VerifyTwoFactor(props: {
  start: TwoFactorStart
  onVerified: (recoveryCodes: string[]) => void
  onCancel: () => void
}) {
  const { start, onVerified, onCancel } = props
  const t = useText()
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => answer(api.profile['two-factor'].verify.$post({ json: { code } })),
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
          <Button type="submit" loading={verify.isPending}>
            {t('profile.twoFactor.verify')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </div>
      </div>
    </form>
  )
}

const codeReason = (error: unknown) =>
  (error instanceof Refused && error.problem.errors.find(({ path }) => path === 'code')?.message) || reasonOf(error)
