import { Alert, Button, TextInput } from '@mantine/core'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Search, Trash2, UserRoundX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { PersonFound } from '../../../contract/privacy.ts'
import { holdsAll, privacyRights } from '../../../contract/rights.ts'
import { ApiRefusal, api, downloadFile, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.tsx'
import { focusFirstError, SaveFailure } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { Empty, sendsMailKey } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { siteLanguagesKey } from '../../site-languages.ts'
import { OwnPassword } from '../profile/own-password.tsx'
import { meQuery, useMe } from '../sign-in/me.ts'

/** The screen to export or erase all data about one person, found by email address. */
export function PrivacyPage() {
  const t = useText()
  return (
    <Page title={t('privacy.title')} lead={t('privacy.lead')} allowed={holdsAll(useMe(), privacyRights)} narrow>
      <PersonSearch />
    </Page>
  )
}

/** Privacy: the email address is not in the URL, because URLs are stored in the browser's history and in logs. */
function PersonSearch() {
  const t = useText()
  const [email, setEmail] = useState('')
  const search = useMutation({
    mutationFn: async () => ({ email, personData: await parseResponse(api.privacy.search.$post({ json: { email } })) }),
    onError: () => focusFirstError(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate()
  }
  const { error, data } = search
  const emailError =
    error instanceof ApiRefusal ? error.problem.errors.find(({ path }) => path === 'email')?.message : undefined
  return (
    <>
      <form onSubmit={submit} noValidate className="stack">
        {error && !emailError && <SaveFailure title={t('privacy.notFound')} error={error} unplaced={[]} />}
        <TextInput
          label={t('privacy.email')}
          type="email"
          name="person"
          dir="ltr"
          required
          value={email}
          error={emailError}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <div className="row">
          <Button variant="filled" type="submit" leftSection={<Search />} loading={search.isPending}>
            {t('privacy.search')}
          </Button>
        </div>
      </form>
      <div role="status">
        {data && hasNoData(data.personData) && (
          <Empty icon={UserRoundX} title={t('privacy.nothing')} text={t('privacy.nothingText')} />
        )}
        {data && !hasNoData(data.personData) && <PersonSection key={data.email} {...data} onErased={search.reset} />}
      </div>
    </>
  )
}

const hasNoData = ({ messages, letters, account, changes }: PersonFound) =>
  messages === 0 && letters === 0 && account === null && changes === 0

function PersonSection(props: { email: string; personData: PersonFound; onErased: () => void }) {
  const t = useText()
  const locale = useLocale()
  const [dialog, setDialog] = useState<'export' | 'erase'>()
  const { email, personData, onErased } = props
  const { account } = personData
  const mayNotErase = account !== null && !account.can.delete
  return (
    <Section
      title={t('privacy.found')}
      lead={<Translated text="privacy.foundOf" email={<bdi dir="ltr">{email}</bdi>} />}
    >
      <Facts
        facts={[
          { label: t('privacy.messages'), value: numberText(personData.messages, locale) },
          { label: t('privacy.emails'), value: numberText(personData.letters, locale) },
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
          { label: t('privacy.changes'), value: numberText(personData.changes, locale) },
        ]}
      />
      {mayNotErase && <Alert>{t('privacy.notDeletable')}</Alert>}
      <p className="quiet flush">{t('privacy.stays')}</p>
      <div className="row">
        <Button leftSection={<Download />} onClick={() => setDialog('export')}>
          {t('privacy.export')}
        </Button>
        {!mayNotErase && (
          <Button className="danger" leftSection={<Trash2 />} onClick={() => setDialog('erase')}>
            {t('privacy.erase')}
          </Button>
        )}
      </div>
      {dialog === 'export' && <ExportDialog email={email} onClose={() => setDialog(undefined)} />}
      {dialog === 'erase' && <EraseDialog email={email} onClose={() => setDialog(undefined)} onErased={onErased} />}
    </Section>
  )
}

function ExportDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useText()
  const [format, setFormat] = useState<'html' | 'json'>('html')
  return (
    <OwnPassword
      title={t('privacy.exportTitle')}
      text={<Translated text="privacy.exportText" email={<bdi dir="ltr">{email}</bdi>} />}
      yes={t('privacy.exportNow')}
      label={t('privacy.password')}
      act={(password) => downloadFile(api.privacy.export.$post({ json: { email, format, ...password } }))}
      done={onClose}
      close={onClose}
    >
      <ChoiceGroup
        legend={t('privacy.exportAs')}
        options={[
          { value: 'html', label: t('privacy.asPage') },
          { value: 'json', label: t('privacy.asJson') },
        ]}
        chosen={[format]}
        onChoose={([chosen]) => chosen && setFormat(chosen)}
      />
    </OwnPassword>
  )
}

function EraseDialog(props: { email: string; onClose: () => void; onErased: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const { email, onClose, onErased } = props
  return (
    <OwnPassword
      title={t('privacy.eraseTitle')}
      text={<Translated text="privacy.eraseText" email={<bdi dir="ltr">{email}</bdi>} />}
      yes={t('privacy.eraseNow')}
      label={t('privacy.password')}
      danger
      alert
      act={(password) => parseResponse(api.privacy.erase.$post({ json: { email, ...password } }))}
      done={() => {
        notify(t('privacy.erased'))
        onClose()
        onErased()
        removeFetchedData(queries)
      }}
      close={onClose}
    />
  )
}

/** Removes the erased data from the query cache, with all data but the user and the settings that the page embedded. */
export function removeFetchedData(queries: QueryClient): void {
  const keysToKeep = [meQuery.queryKey, siteLanguagesKey, sendsMailKey].map(([key]): unknown => key)
  queries.removeQueries({ predicate: ({ queryKey }) => !keysToKeep.includes(queryKey[0]) })
}
