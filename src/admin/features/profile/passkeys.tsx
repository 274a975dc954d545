import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Passkey, Profile } from '../../../contract/profile.ts'
import { answer, api, Refused } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { Moment } from '../../components/moment.tsx'
import { reasonOf, tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { knowsPasskeys } from '../sign-in/passkey.ts'
import { createPasskey } from './create-passkey.ts'
import styles from './profile.module.css'
import { profileQuery } from './profile.ts'
import { thisBrowser } from './user-agent.ts'

/** Keys that sign in without a password: those there are, and a new one. */
export function Passkeys({ profile }: { profile: Profile }) {
  const t = useText()
  const look = useLook()
  const [adding, setAdding] = useState(false)
  return (
    <Section title={t('profile.passkeys.title')} lead={t('profile.passkeys.lead')}>
      {profile.passkeys.length === 0 && <p className="quiet flush">{t('profile.passkeys.none')}</p>}
      {profile.passkeys.length > 0 && (
        <ul className={styles.things}>
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
            tell(t('profile.passkeys.added'))
            look()
          }}
        />
      ) : (
        <div className="row">
          <Button
            variant="default"
            leftSection={<KeyRound size={18} aria-hidden />}
            disabled={!knowsPasskeys()}
            onClick={() => setAdding(true)}
          >
            {t('profile.passkeys.add')}
          </Button>
          {!knowsPasskeys() && <p className="quiet flush">{t('profile.passkeys.unknown')}</p>}
        </div>
      )}
    </Section>
  )
}

function useLook() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const t = useText()
  const look = useLook()
  const [renaming, setRenaming] = useState(false)
  const param = { id: String(passkey.id) }
  const name = <bdi>{passkey.name}</bdi>
  const remove = useMutation({
    mutationFn: () => answer(api.profile.passkeys[':id'].$delete({ param })),
    onSuccess: () => tell(<Said text="profile.passkeys.removed" name={name} />),
    onError: (error) => tellFailure(t('profile.passkeys.notRemoved'), error),
    onSettled: look,
  })
  const askFirst = async () => {
    const sure = await ask({
      title: t('form.deleteQuestion', { type: t('profile.passkeys.type') }),
      text: <Said text="profile.passkeys.removeText" name={name} />,
      yes: t('form.delete'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
  if (renaming) {
    return (
      <li>
        <NameForm
          label={t('profile.passkeys.name')}
          name={passkey.name}
          go={t('form.save')}
          save={async (name) => void (await answer(api.profile.passkeys[':id'].$patch({ param, json: { name } })))}
          onCancel={() => setRenaming(false)}
          onSaved={() => {
            setRenaming(false)
            look()
          }}
        />
      </li>
    )
  }
  return (
    <li>
      <KeyRound size={20} aria-hidden />
      <div className={styles.thing}>
        {name}
        {passkey.createdAt && (
          <small className="quiet">
            <Said text="profile.passkeys.since" date={<Moment at={passkey.createdAt} day />} />
          </small>
        )}
      </div>
      <ActionIcon
        aria-label={t('profile.passkeys.renameOne', { name: passkey.name })}
        title={t('profile.passkeys.rename')}
        onClick={() => setRenaming(true)}
      >
        <Pencil size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        color="red"
        aria-label={t('profile.passkeys.removeOne', { name: passkey.name })}
        title={t('form.delete')}
        loading={remove.isPending}
        onClick={() => void askFirst()}
      >
        <Trash2 size={18} aria-hidden />
      </ActionIcon>
    </li>
  )
}

/** A name, for what is made or for what is renamed. */
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
    // Else the authenticator keeps a key that the server refuses for its name.
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
        <Button type="submit" loading={saving.isPending}>
          {go}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Who turned away from the browser's question is told so; the browser does not say why. */
const passkeyReason = (error: unknown, turnedAway: string) => {
  if (error instanceof DOMException) return turnedAway
  return (error instanceof Refused && error.problem.errors[0]?.message) || reasonOf(error)
}
