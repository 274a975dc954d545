import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Search, Trash2, UserRoundX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { PersonFound } from '../../../contract/privacy.ts'
import { holdsAll } from '../../../contract/rights.ts'
import { answer, api, Refused } from '../../client.ts'
import { numberText } from '../../components/dates.ts'
import { focusFirstError } from '../../components/form-problems.ts'
import { TextLink } from '../../components/link-button.tsx'
import { tell } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Said } from '../../components/said.tsx'
import { NotSaved } from '../../components/save-bar.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Facts, Section } from '../../components/section.tsx'
import { Empty, NoRight } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import { OwnPassword } from './own-password.tsx'
import { toHandlePeople } from './privacy.ts'

/** Everything about one person, to give it to them or to forget it. */
export function PrivacyPage() {
  const t = useText()
  const maySee = holdsAll(useMe(), toHandlePeople)
  return (
    <Page title={t('privacy.title')} lead={t('privacy.lead')} narrow>
      {maySee ? <Lookup /> : <NoRight />}
    </Page>
  )
}

/** The address stands in no address of a screen: those are remembered by browsers and logged on their way. */
function Lookup() {
  const t = useText()
  const [email, setEmail] = useState('')
  const search = useMutation({
    mutationFn: async () => ({ email, found: await answer(api.privacy.search.$post({ json: { email } })) }),
    onError: () => focusFirstError(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate()
  }
  const { error, data } = search
  const atField =
    error instanceof Refused ? error.problem.errors.find(({ path }) => path === 'email')?.message : undefined
  return (
    <>
      <form onSubmit={submit} noValidate className="stack">
        {error && !atField && <NotSaved title={t('privacy.notFound')} error={error} unplaced={[]} />}
        <TextInput
          label={t('privacy.email')}
          type="email"
          name="person"
          dir="ltr"
          required
          autoComplete="off"
          value={email}
          error={atField}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <div className="row">
          <Button type="submit" leftSection={<Search size={18} aria-hidden />} loading={search.isPending}>
            {t('privacy.search')}
          </Button>
        </div>
      </form>
      <div role="status">
        {data && isNothing(data.found) && (
          <Empty icon={UserRoundX} title={t('privacy.nothing')} text={t('privacy.nothingText')} />
        )}
        {data && !isNothing(data.found) && <Found key={data.email} {...data} done={search.reset} />}
      </div>
    </>
  )
}

const isNothing = ({ messages, letters, account, changes }: PersonFound) =>
  messages === 0 && letters === 0 && account === null && changes === 0

function Found({ email, found, done }: { email: string; found: PersonFound; done: () => void }) {
  const t = useText()
  const locale = useLocale()
  const [asked, ask] = useState<'export' | 'erase'>()
  const { account } = found
  const fixed = account !== null && !account.can.delete
  return (
    <Section title={t('privacy.found')} lead={<Said text="privacy.foundOf" email={<bdi dir="ltr">{email}</bdi>} />}>
      <Facts
        facts={[
          { label: t('privacy.messages'), value: numberText(found.messages, locale) },
          { label: t('privacy.letters'), value: numberText(found.letters, locale) },
          {
            label: t('privacy.account'),
            value: account ? (
              <TextLink to="/admin/users/$id" params={{ id: String(account.id) }}>
                <bdi>{account.name}</bdi>
              </TextLink>
            ) : (
              t('privacy.noAccount')
            ),
          },
          { label: t('privacy.changes'), value: numberText(found.changes, locale) },
        ]}
      />
      {fixed && <Alert>{t('privacy.notDeletable')}</Alert>}
      <p className="quiet flush">{t('privacy.stays')}</p>
      <div className="row">
        <Button variant="default" leftSection={<Download size={18} aria-hidden />} onClick={() => ask('export')}>
          {t('privacy.export')}
        </Button>
        {!fixed && (
          <Button
            variant="default"
            className="danger"
            leftSection={<Trash2 size={18} aria-hidden />}
            onClick={() => ask('erase')}
          >
            {t('privacy.erase')}
          </Button>
        )}
      </div>
      {asked === 'export' && <Export email={email} close={() => ask(undefined)} />}
      {asked === 'erase' && <Erase email={email} close={() => ask(undefined)} done={done} />}
    </Section>
  )
}

function Export({ email, close }: { email: string; close: () => void }) {
  const t = useText()
  return (
    <OwnPassword
      title={t('privacy.exportTitle')}
      text={<Said text="privacy.exportText" email={<bdi dir="ltr">{email}</bdi>} />}
      yes={t('privacy.exportNow')}
      act={(password) => saveFile(api.privacy.export.$post({ json: { email, ...password } }))}
      done={close}
      close={close}
    />
  )
}

function Erase({ email, close, done }: { email: string; close: () => void; done: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  return (
    <OwnPassword
      title={t('privacy.eraseTitle')}
      text={<Said text="privacy.eraseText" email={<bdi dir="ltr">{email}</bdi>} />}
      yes={t('privacy.eraseNow')}
      danger
      act={(password) => answer(api.privacy.erase.$post({ json: { email, ...password } }))}
      done={() => {
        tell(t('privacy.erased'))
        close()
        done()
        // Nothing of them shall come back from memory.
        queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
      }}
      close={close}
    />
  )
}
