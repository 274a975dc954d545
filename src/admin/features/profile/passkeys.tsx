import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Passkey, Profile } from '../../../contract/profile.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { IconButton } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { confirmDeletion } from '../../components/dialog.tsx'
import { notify, notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { credentialToJson, supportsPasskeys } from '../sign-in/passkey.ts'
import styles from './profile.module.css'
import { profileQuery } from './profile.ts'
import { currentBrowserName } from './sessions.tsx'

/** The user's passkeys, which can be added, renamed and removed here. */
export function Passkeys({ profile }: { profile: Profile }) {
  const t = useText()
  const refetchProfile = useRefetchProfile()
  const [adding, setAdding] = useState(false)
  return (
    <Section title={t('profile.passkeys.title')} lead={t('profile.passkeys.lead')}>
      {profile.passkeys.length === 0 && <p className="quiet flush">{t('profile.passkeys.none')}</p>}
      {profile.passkeys.length > 0 && (
        <ul className={styles.items}>
          {profile.passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {adding ? (
        <NameForm
          label={t('profile.passkeys.name')}
          initialName={currentBrowserName()}
          submitLabel={t('profile.passkeys.create')}
          save={async (name) => void (await createPasskey(name))}
          onCancel={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            notify(t('profile.passkeys.added'))
            refetchProfile()
          }}
        />
      ) : (
        <div className="row">
          <Button leftSection={<KeyRound />} disabled={!supportsPasskeys()} onClick={() => setAdding(true)}>
            {t('profile.passkeys.add')}
          </Button>
          {!supportsPasskeys() && <p className="quiet flush">{t('profile.passkeys.unknown')}</p>}
        </div>
      )}
    </Section>
  )
}

function useRefetchProfile() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
}

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const t = useText()
  const refetchProfile = useRefetchProfile()
  const [renaming, setRenaming] = useState(false)
  const param = { id: String(passkey.id) }
  const name = <bdi>{passkey.name}</bdi>
  const remove = useMutation({
    mutationFn: () => parseResponse(api.profile.passkeys[':id'].$delete({ param })),
    onSuccess: () => notify(<Translated text="profile.passkeys.removed" name={name} />),
    onError: (error) => notifyFailure(t('profile.passkeys.notRemoved'), error),
    onSettled: refetchProfile,
  })
  const confirmAndRemove = async () => {
    const text = <Translated text="profile.passkeys.removeText" name={name} />
    if (await confirmDeletion(t('profile.passkeys.type'), text)) remove.mutate()
  }
  if (renaming) {
    return (
      <li>
        <NameForm
          label={t('profile.passkeys.name')}
          initialName={passkey.name}
          submitLabel={t('form.save')}
          save={async (name) =>
            void (await parseResponse(api.profile.passkeys[':id'].$patch({ param, json: { name } })))
          }
          onCancel={() => setRenaming(false)}
          onSaved={() => {
            setRenaming(false)
            refetchProfile()
          }}
        />
      </li>
    )
  }
  return (
    <li>
      <KeyRound size={20} />
      <div className={styles.item}>
        {name}
        {passkey.createdAt && (
          <small className="quiet">
            <Translated text="profile.passkeys.since" date={<Moment at={passkey.createdAt} day />} />
          </small>
        )}
      </div>
      <IconButton
        label={t('profile.passkeys.renameOne', { name: passkey.name })}
        title={t('profile.passkeys.rename')}
        icon={<Pencil />}
        onClick={() => setRenaming(true)}
      />
      <IconButton
        label={t('profile.passkeys.removeOne', { name: passkey.name })}
        title={t('form.delete')}
        icon={<Trash2 />}
        color="red"
        loading={remove.isPending}
        onClick={() => void confirmAndRemove()}
      />
    </li>
  )
}

/** A form for the name of a new or an existing passkey. */
function NameForm(props: {
  label: string
  initialName: string
  submitLabel: string
  save: (name: string) => Promise<void>
  onSaved: () => void
  onCancel: () => void
}) {
  const { label, initialName, submitLabel, save, onSaved, onCancel } = props
  const t = useText()
  const [name, setName] = useState(initialName)
  const [isMissing, setIsMissing] = useState(false)
  const saving = useMutation({ mutationFn: () => save(name), onSuccess: onSaved })
  const failure = saving.error && passkeyFailure(saving.error, t('profile.passkeys.notAdded'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Before the request, because the authenticator would store a passkey that the server refuses for its name.
    if (name.trim() === '') setIsMissing(true)
    else saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.nameForm}>
      <TextInput
        label={label}
        autoFocus
        maxLength={limits.passkeyNameChars}
        value={name}
        error={isMissing ? t('validation.required') : failure}
        onChange={(event) => {
          setIsMissing(false)
          setName(event.currentTarget.value)
        }}
      />
      <div className="row">
        <Button variant="filled" type="submit" loading={saving.isPending}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel}>{t('form.cancel')}</Button>
      </div>
    </form>
  )
}

/** Why a passkey was not saved. Browsers report a cancelled prompt like any failure, which is `browserFailure`. */
const passkeyFailure = (error: unknown, browserFailure: string) => {
  if (error instanceof DOMException) return browserFailure
  return (error instanceof ApiRefusal && error.problem.errors[0]?.message) || reasonOf(error)
}

/**
 * Creates a passkey in the browser and registers it.
 * @throws {DOMException} when the user cancels or the browser cannot create one
 */
async function createPasskey(name: string): Promise<void> {
  const options = await parseResponse(api.profile.passkeys.options.$post())
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  await parseResponse(api.profile.passkeys.$post({ json: { name, response: credentialToJson(credential) } }))
}
