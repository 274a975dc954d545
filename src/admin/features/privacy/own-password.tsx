import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Refused } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useText } from '../../i18n.ts'
import { profileQuery } from '../profile/profile.ts'

/** Asks for the own password before something that a screen left open must not be enough for. Who has none signs in again. */
export function OwnPassword(props: {
  title: string
  text: ReactNode
  yes: string
  danger?: boolean
  /** @throws {Refused} */
  act: (given: { password?: string }) => Promise<unknown>
  done: () => void
  close: () => void
}) {
  const { title, text, yes, danger, act, done, close } = props
  const t = useText()
  const { data: profile } = useQuery(profileQuery)
  const hasPassword = profile?.hasPassword ?? true
  const [password, setPassword] = useState('')
  const acting = useMutation({ mutationFn: () => act(hasPassword ? { password } : {}), onSuccess: done })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!acting.isPending) acting.mutate()
  }
  const { error } = acting
  const atField = error instanceof Refused && error.problem.errors.find(({ path }) => path === 'password')?.message
  return (
    <Dialog title={title} {...(danger && { alert: true })} onClose={close}>
      <form onSubmit={submit} noValidate>
        <p className="flush">{text}</p>
        {error && !atField && (
          <Alert color="red" role="alert">
            {reasonOf(error)}
          </Alert>
        )}
        {hasPassword && (
          <PasswordField
            label={t('privacy.password')}
            name="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            error={atField}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('form.cancel')}
          </Button>
          <Button type="submit" color={danger ? 'red' : 'brand'} loading={acting.isPending}>
            {yes}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
