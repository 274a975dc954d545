import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type AskReason, answer, bareApi, isRefused, Refused } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { focusFirstError } from '../../components/form-problems.ts'
import { reasonOf } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { Said } from '../../components/said.tsx'
import { Waiting } from '../../components/states.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { profileQuery } from '../profile/profile.ts'
import { meQuery, useMe } from './me.ts'
import { knowsPasskeys, signInByPasskey } from './passkey.ts'

type Way = 'password' | 'code' | 'passkey' | 'elsewhere'

const texts: Record<AskReason, TextKey> = {
  signed_out: 'again.signed_out_text',
  signed_out_save: 'again.signed_out_save',
  password_needed: 'again.password_needed_text',
}

/** The password, asked for over a screen that stays as it is. Who has none signs in anew, beside it. */
export default function PasswordAgain({ reason, done }: { reason: AskReason; done: (back: boolean) => void }) {
  const t = useText()
  const me = useMe()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const confirms = reason === 'password_needed'
  // Who is signed out cannot be asked for it; what was known of them still counts.
  const { data: profile, isLoading } = useQuery({ ...profileQuery, enabled: confirms })
  const hasPassword = profile?.hasPassword ?? true

  const give = useMutation({
    async mutationFn(way: Way) {
      if (way === 'passkey') await signInByPasskey()
      if (way === 'code') await answer(bareApi.login.code.$post({ json: { code: code ?? '' } }))
      if (way === 'password' && confirms) await answer(bareApi.confirm.$post({ json: { password } }))
      if (way === 'password' && !confirms) {
        const { secondStep } = await answer(bareApi.login.$post({ json: { identifier: me.email, password } }))
        if (secondStep) return setCode('')
      }
      await goOn()
    },
    onError: () => focusFirstError('dialog'),
  })

  /** Somebody else may have signed in meanwhile, in another tab; then nothing here is theirs. */
  async function goOn() {
    const now = await answer(bareApi.me.$get())
    if (now.id !== me.id) return location.assign('/user')
    queries.setQueryData(meQuery.queryKey, now)
    done(true)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React hands the event to the form behind the dialog too.
    event.stopPropagation()
    if (hasPassword) give.mutate(code === undefined ? 'password' : 'code')
  }
  const { error } = give
  const atField = hasPassword && give.variables !== 'passkey' ? fieldReason(error) : undefined
  const newTab = { href: confirms ? '/login?opnieuw=1' : '/login', target: '_blank', rel: 'noopener' }
  return (
    <Dialog title={t(confirms ? 'again.password_needed' : 'again.signed_out')} onClose={() => done(false)}>
      <form onSubmit={submit} noValidate>
        <p className="flush">
          <Said
            text={confirms && !hasPassword ? 'again.noPassword_text' : texts[reason]}
            email={<bdi dir="ltr">{me.email}</bdi>}
          />
        </p>
        {error && !atField && (
          <Alert color="red" role="alert" title={error instanceof Refused ? error.problem.title : t('states.failed')}>
            {reasonOf(error)}
          </Alert>
        )}
        {isLoading && <Waiting rows={1} />}
        {!isLoading && hasPassword && code === undefined && (
          <>
            <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
            <PasswordField
              label={t('again.password')}
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
            label={t('again.code')}
            name="code"
            dir="ltr"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={atField}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <DialogActions>
          <Button variant="default" onClick={() => done(false)}>
            {t('form.cancel')}
          </Button>
          {knowsPasskeys() && code === undefined && profile?.passkeys.length !== 0 && (
            <Button
              variant="default"
              leftSection={<KeyRound size={18} aria-hidden />}
              onClick={() => give.mutate('passkey')}
            >
              {t('again.passkey')}
            </Button>
          )}
          {hasPassword ? (
            <Button type="submit" disabled={isLoading} loading={give.isPending}>
              {t('again.go')}
            </Button>
          ) : (
            <Button component="a" {...newTab}>
              {t('again.newTab')}
            </Button>
          )}
        </DialogActions>
        <p className="quiet small flush">
          {hasPassword && (
            <>
              {t('again.otherWay')} <a {...newTab}>{t('again.newTab')}</a>
              {'. '}
            </>
          )}
          <button type="button" className="as-link" onClick={() => give.mutate('elsewhere')}>
            {t('again.look')}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

/** What is wrong with the only field that there is. */
function fieldReason(error: unknown): string | undefined {
  if (isRefused(error, 'wrong_login')) return error.problem.title
  return error instanceof Refused ? error.problem.errors[0]?.message : undefined
}
