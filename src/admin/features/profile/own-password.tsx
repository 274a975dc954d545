import { Alert } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiRefusal } from '../../client.ts'
import { DialogForm } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { profileQuery } from './profile.ts'

/** Asks for the user's password before a sensitive action. Without a password, the server requires a recent sign-in. */
export function OwnPassword(props: {
  title: string
  text: ReactNode
  yes: string
  danger?: boolean
  /** Use the role `alertdialog`. */
  alert?: boolean
  /** The label of the password field. */
  label: string
  /** Rendered above the password: options of the action. */
  children?: ReactNode
  /** The action. The password is omitted for users without one. @throws {ApiRefusal} */
  act: (credentials: { password?: string }) => Promise<unknown>
  done: () => void
  close: () => void
}) {
  const { text, label, act, done, close, children, ...dialogProps } = props
  const { data: profile } = useQuery(profileQuery)
  const asksPassword = profile?.hasPassword ?? true
  const [password, setPassword] = useState('')
  const action = useMutation({ mutationFn: () => act(asksPassword ? { password } : {}), onSuccess: done })
  const { error } = action
  const passwordProblem =
    error instanceof ApiRefusal && error.problem.errors.find(({ path }) => path === 'password')?.message
  return (
    <DialogForm
      {...dialogProps}
      onClose={close}
      onSubmit={() => action.isPending || action.mutate()}
      saving={action.isPending}
    >
      <p className="flush">{text}</p>
      {children}
      {error && !passwordProblem && (
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
          error={passwordProblem}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  )
}
