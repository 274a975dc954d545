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
import { thisBrowser } from './sessions.tsx'

/** Lists the passkeys, and adds, renames and removes them. */
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
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {adding ? (
        <NameForm
          label={t('profile.passkeys.name')}
          name={thisBrowser()}
          go={t('profile.passkeys.create')}
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

function PasskeyLine({ passkey }: { passkey: Passkey }) {
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
          name={passkey.name}
          go={t('form.save')}
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
  name: string
  go: string
  save: (name: string) => Promise<void>
  onSaved: () => void
  onCancel: () => void
}) {
  const { label, go, save, onSaved, onCancel } = props
  const t = useText()
  const [name, setName] = useState(props.name)
  const [empty, setEmpty] = useState(false)
  const saving = useMutation({ mutationFn: () => save(name), onSuccess: onSaved })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Otherwise the authenticator stores a key that the server refuses because of its name.
    if (name.trim() !== '') saving.mutate()
    else setEmpty(true)
  }
  return (
    <form onSubmit={submit} noValidate className={styles.nameForm}>
      <TextInput
        label={label}
        autoFocus
        maxLength={limits.passkeyNameChars}
        value={name}
        error={
          empty ? t('validation.required') : saving.error && passkeyReason(saving.error, t('profile.passkeys.notAdded'))
        }
        onChange={(event) => {
          setEmpty(false)
          setName(event.currentTarget.value)
        }}
      />
      <div className="row">
        <Button variant="filled" type="submit" loading={saving.isPending}>
          {go}
        </Button>
        <Button onClick={onCancel}>{t('form.cancel')}</Button>
      </div>
    </form>
  )
}

/** Browsers report a cancelled prompt and other failures alike. */
const passkeyReason = (error: unknown, turnedAway: string) => {
  if (error instanceof DOMException) return turnedAway
  return (error instanceof ApiRefusal && error.problem.errors[0]?.message) || reasonOf(error)
}

/**
 * Creates a passkey in the browser and registers it.
 * @throws {DOMException} when the user cancels
 */
async function createPasskey(name: string): Promise<void> {
  const options = await parseResponse(api.profile.passkeys.options.$post())
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  await parseResponse(api.profile.passkeys.$post({ json: { name, response: credentialToJson(credential) } }))
}
