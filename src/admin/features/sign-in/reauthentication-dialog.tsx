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

type Way = 'password' | 'code' | 'passkey' | 'elsewhere'

const texts: Record<ReauthenticateReason, TextKey> = {
  signed_out: 'reauthentication.signed_out_text',
  signed_out_save: 'reauthentication.signed_out_save',
  password_needed: 'reauthentication.password_needed_text',
}

/** Asks for the password in a dialog. A user without a password signs in again in another tab. */
export default function ReauthenticationDialog({
  reason,
  done,
}: {
  reason: ReauthenticateReason
  done: (back: boolean) => void
}) {
  const t = useText()
  const me = useMe()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const confirms = reason === 'password_needed'
  // After the session ended the profile cannot be fetched; the cached one is used.
  const { data: profile, isLoading } = useQuery({ ...profileQuery, enabled: confirms })
  const hasPassword = profile?.hasPassword ?? true

  const { data: signedIn } = useQuery({
    queryKey: ['signed-in-user'],
    queryFn: fetchSignedInUser,
    enabled: !confirms,
    gcTime: 0,
  })

  const authenticate = useMutation({
    async mutationFn(way: Way) {
      if (way === 'passkey') await signInByPasskey()
      if (way === 'code')
        await parseResponse(apiWithoutReauthentication.login.code.$post({ json: { code: code ?? '' } }))
      if (way === 'password' && confirms)
        await parseResponse(apiWithoutReauthentication.confirm.$post({ json: { password } }))
      if (way === 'password' && !confirms) {
        const { secondStep } = await parseResponse(
          apiWithoutReauthentication.login.$post({ json: { identifier: me.email, password } }),
        )
        if (secondStep) return setCode('')
      }
      await finish()
    },
    onError: () => focusFirstError('dialog'),
  })

  /** Leaves this screen if another user signed in meanwhile in another window. */
  async function finish() {
    const now = await fetchSignedInUser()
    if (now.id !== me.id) return location.assign('/user')
    queries.setQueryData(meQuery.queryKey, now)
    done(true)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles the event to the form behind the dialog too.
    event.stopPropagation()
    if (hasPassword) authenticate.mutate(code === undefined ? 'password' : 'code')
  }
  const { error } = authenticate
  const atField = hasPassword && authenticate.variables !== 'passkey' ? fieldReason(error) : undefined
  const newTab = { href: confirms ? '/login?opnieuw=1' : '/login', target: '_blank', rel: 'noopener' }
  return (
    <Dialog
      title={t(confirms ? 'reauthentication.password_needed' : 'reauthentication.signed_out')}
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
            text={confirms && !hasPassword ? 'reauthentication.noPassword_text' : texts[reason]}
            email={<bdi dir="ltr">{me.email}</bdi>}
          />
        </p>
        {error && !atField && (
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
              error={atField}
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
            error={atField}
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

/** The error of the dialog's only field. */
function fieldReason(error: unknown): string | undefined {
  if (isApiRefusal(error, 'wrong_login')) return error.problem.title
  return error instanceof ApiRefusal ? error.problem.errors[0]?.message : undefined
}
