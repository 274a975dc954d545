import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  ApiRefusal,
  apiWithoutReauthentication,
  isApiRefusal,
  parseResponse,
  type ReauthenticateReason,
} from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { focusFirstError } from '../../components/form.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { Loading } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { profileQuery } from '../profile/profile.ts'
import { fetchSignedInUser, meQuery, useMe } from './me.ts'
import { signInByPasskey, supportsPasskeys } from './passkey.ts'

/** `code`: the second step after the password. `elsewhere`: the user has signed in in another tab. */
type Method = 'password' | 'code' | 'passkey' | 'elsewhere'

const texts: Record<ReauthenticateReason, TextKey> = {
  signed_out: 'reauthentication.signed_out_text',
  signed_out_save: 'reauthentication.signed_out_save',
  password_needed: 'reauthentication.password_needed_text',
}

/** Asks for the password or a passkey, or to sign in in another tab. @param props.done gets whether that succeeded */
export default function ReauthenticationDialog(props: {
  reason: ReauthenticateReason
  done: (isSignedIn: boolean) => void
}) {
  const { reason, done } = props
  const t = useText()
  const me = useMe()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  /** The typed code; undefined until the second step. */
  const [code, setCode] = useState<string>()
  /** Whether the session still exists, and only the password must be confirmed. */
  const isConfirmation = reason === 'password_needed'
  // After the session ended the profile cannot be fetched; the cached one is used.
  const { data: profile, isLoading } = useQuery({ ...profileQuery, enabled: isConfirmation })
  const hasPassword = profile?.hasPassword ?? true

  const { data: signedIn } = useQuery({
    queryKey: ['signed-in-user'],
    queryFn: fetchSignedInUser,
    enabled: !isConfirmation,
    gcTime: 0,
  })

  const authenticate = useMutation({
    async mutationFn(method: Method) {
      if (method === 'passkey') await signInByPasskey()
      if (method === 'code')
        await parseResponse(apiWithoutReauthentication.login.code.$post({ json: { code: code ?? '' } }))
      if (method === 'password' && isConfirmation)
        await parseResponse(apiWithoutReauthentication.confirm.$post({ json: { password } }))
      if (method === 'password' && !isConfirmation) {
        const { secondStep } = await parseResponse(
          apiWithoutReauthentication.login.$post({ json: { identifier: me.email, password } }),
        )
        if (secondStep) return setCode('')
      }
      await finish()
    },
    onError: () => focusFirstError('dialog'),
  })

  /** Closes the dialog, or leaves this screen if another user has signed in meanwhile in another window. */
  async function finish() {
    const user = await fetchSignedInUser()
    if (user.id !== me.id) return location.assign('/user')
    queries.setQueryData(meQuery.queryKey, user)
    done(true)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles the event to the form behind the dialog too.
    event.stopPropagation()
    if (hasPassword) authenticate.mutate(code === undefined ? 'password' : 'code')
  }
  const { error } = authenticate
  const fieldError = hasPassword && authenticate.variables !== 'passkey' ? fieldErrorIn(error) : undefined
  const newTab = { href: isConfirmation ? '/login?opnieuw=1' : '/login', target: '_blank', rel: 'noopener' }
  return (
    <Dialog
      title={t(isConfirmation ? 'reauthentication.password_needed' : 'reauthentication.signed_out')}
      onClose={() => done(false)}
    >
      <form onSubmit={submit} noValidate>
        {signedIn && signedIn.id !== me.id && (
          <p className="flush">
            <Translated text="reauthentication.otherUser" name={<bdi>{signedIn.name}</bdi>} />{' '}
            <a href="/user">
              <Translated text="reauthentication.continueAs" name={<bdi>{signedIn.name}</bdi>} />
            </a>
          </p>
        )}
        <p className="flush">
          <Translated
            text={isConfirmation && !hasPassword ? 'reauthentication.noPassword_text' : texts[reason]}
            email={<bdi dir="ltr">{me.email}</bdi>}
          />
        </p>
        {error && !fieldError && (
          <Alert
            color="red"
            role="alert"
            title={error instanceof ApiRefusal ? error.problem.title : t('states.failed')}
          >
            {reasonOf(error)}
          </Alert>
        )}
        {isLoading && <Loading rows={1} />}
        {!isLoading && hasPassword && code === undefined && (
          <>
            <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
            <PasswordField
              label={t('reauthentication.password')}
              name="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              error={fieldError}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          </>
        )}
        {code !== undefined && (
          <TextInput
            label={t('reauthentication.code')}
            name="code"
            dir="ltr"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={fieldError}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <DialogActions onClose={() => done(false)}>
          {supportsPasskeys() && code === undefined && profile?.passkeys.length !== 0 && (
            <Button leftSection={<KeyRound />} onClick={() => authenticate.mutate('passkey')}>
              {t('reauthentication.passkey')}
            </Button>
          )}
          {hasPassword ? (
            <Button variant="filled" type="submit" disabled={isLoading} loading={authenticate.isPending}>
              {t('reauthentication.go')}
            </Button>
          ) : (
            <Button variant="filled" component="a" {...newTab}>
              {t('reauthentication.newTab')}
            </Button>
          )}
        </DialogActions>
        <p className="quiet small flush">
          {hasPassword && (
            <>
              {t('reauthentication.otherWay')}{' '}
              <a className="as-link" {...newTab}>
                {t('reauthentication.newTab')}
              </a>
              {'. '}
            </>
          )}
          <button type="button" className="as-link" onClick={() => authenticate.mutate('elsewhere')}>
            {t('reauthentication.signedInAgain')}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

/** The message for the dialog's only field; undefined for an error that is not about its value. */
function fieldErrorIn(error: unknown): string | undefined {
  if (isApiRefusal(error, 'wrong_login')) return error.problem.title
  return error instanceof ApiRefusal ? error.problem.errors[0]?.message : undefined
}
