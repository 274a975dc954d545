import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answer, api, Refused } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useText } from '../../i18n.ts'

/** Takes the password, so that a screen left open is not enough. */
export function TurnOffTwoFactor(props: { hasPassword: boolean; onClose: () => void; onDone: () => void }) {
  const { hasPassword, onClose, onDone } = props
  const t = useText()
  const [password, setPassword] = useState('')
  const turnOff = useMutation({
    mutationFn: () => answer(api.profile['two-factor'].$delete({ json: hasPassword ? { password } : {} })),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    turnOff.mutate()
  }
  const { error } = turnOff
  const atField = error instanceof Refused && error.problem.errors.find(({ path }) => path === 'password')?.message
  return (
    <Dialog title={t('profile.twoFactor.turnOffTitle')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p className="flush">{t('profile.twoFactor.turnOffText')}</p>
        {error && !atField && (
          <Alert color="red" role="alert">
            {reasonOf(error)}
          </Alert>
        )}
        {hasPassword && (
          <PasswordField
            label={t('again.password')}
            name="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            error={atField}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('form.cancel')}
          </Button>
          <Button type="submit" color="red" loading={turnOff.isPending}>
            {t('profile.twoFactor.turnOff')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
