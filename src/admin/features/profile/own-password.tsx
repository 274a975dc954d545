import { Alert } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiRefusal } from '../../client.ts'
import { DialogForm } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { profileQuery } from './profile.ts'

/** Asks for the user's password before a sensitive action. A user without a password signs in again. */
export function OwnPassword(props: {
  title: string
  text: ReactNode
  yes: string
  danger?: boolean
  /** Use the role `alertdialog`. */
  alert?: boolean
  /** The label of the password. */
  label: string
  /** Further options of the action. */
  children?: ReactNode
  /** @throws {ApiRefusal} */
  act: (proof: { password?: string }) => Promise<unknown>
  done: () => void
  close: () => void
}) {
  const { text, label, act, done, close, children, ...dialog } = props
  const { data: profile } = useQuery(profileQuery)
  const asksPassword = profile?.hasPassword ?? true
  const [password, setPassword] = useState('')
  const acting = useMutation({ mutationFn: () => act(asksPassword ? { password } : {}), onSuccess: done })
  const { error } = acting
  const atField = error instanceof ApiRefusal && error.problem.errors.find(({ path }) => path === 'password')?.message
  return (
    <DialogForm
      {...dialog}
      onClose={close}
      onSubmit={() => acting.isPending || acting.mutate()}
      saving={acting.isPending}
    >
      <p className="flush">{text}</p>
      {children}
      {error && !atField && (
        <Alert color="red" role="alert">
          {reasonOf(error)}
        </Alert>
      )}
      {asksPassword && (
        <PasswordField
          label={label}
          name="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          error={atField}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  )
}
