import { Alert, Button, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangedMailbox, Mailbox } from '../../../contract/mail-server.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useText } from '../../i18n.ts'
import configStyles from '../config/config.module.css'
import { TextField } from '../config/text-fields.tsx'
import { mailboxQuery } from './mail.ts'
import { ConnectionFields, portOf, removeConnection } from './smtp-form.tsx'

type Imap = NonNullable<ChangedMailbox['imap']>

/**
 * The values of the form. `port` is the text of its field. An empty `password` keeps the stored one if host, port,
 * security and user are unchanged.
 */
interface Values extends Record<string, unknown> {
  imap: Omit<Imap, 'port' | 'password'> & { port: string; password: string }
}

const emptyImap: Values['imap'] = {
  provider: 'other',
  host: '',
  port: '993',
  security: 'tls',
  user: '',
  password: '',
  address: '',
  deleteReports: false,
}

/** The fields that are shown when somebody else has saved meanwhile, besides `deleteReports`. */
const comparedFields = ['provider', 'host', 'port', 'security', 'user', 'address'] as const

/** The mailbox from which delivery reports are read. */
export function MailboxSection() {
  const t = useText()
  const { data, error, refetch } = useQuery(mailboxQuery)
  if (data) return <MailboxForm mailbox={data} />
  return (
    <Section title={t('config.mail.mailbox.title')}>
      <LoadingOrError error={error} refetch={refetch} rows={3} />
    </Section>
  )
}

function MailboxForm({ mailbox }: { mailbox: Mailbox }) {
  const t = useText()
  const queries = useQueryClient()
  const put = async (changed: ChangedMailbox): Promise<Mailbox> => {
    const saved: Mailbox = await parseResponse(api['mail-server'].mailbox.$put({ json: changed }))
    queries.setQueryData(mailboxQuery.queryKey, saved)
    return saved
  }
  const versionedForm = useVersionedForm<Mailbox, Values>({
    entity: mailbox,
    valuesOf: ({ imap } = mailbox) => ({
      imap: imap ? { ...imap, port: String(imap.port), password: '' } : emptyImap,
    }),
    async save({ imap }, base = mailbox) {
      const { password, port, ...rest } = imap
      const changed = { ...rest, port: portOf(port), ...(password !== '' && { password }) }
      const saved = await put({ version: base.version, imap: changed })
      notify(t('config.mail.mailbox.saved'))
      return saved
    },
  })
  const { form } = versionedForm
  const { imap } = form.getValues()
  const deletionText = (server?: { deleteReports: boolean } | null) => t(server?.deleteReports ? 'form.yes' : 'form.no')
  const remove = async () => {
    await removeConnection(t, 'config.mail.mailbox', () => put({ version: mailbox.version, imap: null }))
    // Also after a failure: the version may be stale, and the next attempt needs the current one.
    void queries.invalidateQueries(mailboxQuery)
  }
  const differences = ({ imap: theirs }: Mailbox) => [
    ...comparedFields.map((name) => ({
      label: t(`config.mail.${name}`),
      mine: imap[name],
      theirs: String(theirs?.[name] ?? ''),
    })),
    { label: t('config.mail.mailbox.deleteReports'), mine: deletionText(imap), theirs: deletionText(theirs) },
  ]
  return (
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('config.mail.mailbox.notSaved')}
      differences={differences}
      label={t('config.mail.mailbox.title')}
    >
      <Section title={t('config.mail.mailbox.title')} lead={t('config.mail.mailbox.lead', { sender: mailbox.sender })}>
        {(mailbox.problem || mailbox.passwordLost) && (
          <Alert color="red" title={t('config.mail.mailbox.notRead')}>
            {mailbox.problem ?? t('config.mail.passwordLost')}
          </Alert>
        )}
        {mailbox.readAt && !mailbox.problem && (
          <p className="flush quiet small">
            <Translated text="config.mail.mailbox.read" date={<Moment at={mailbox.readAt} />} />
          </p>
        )}
        <fieldset disabled={!mailbox.can.change} className={`${configStyles.both} stack`}>
          <ConnectionFields form={form} name="imap" hasPassword={mailbox.hasPassword && !mailbox.passwordLost} />
          <TextField
            form={form}
            path="imap.address"
            label={t('config.mail.address')}
            help={t('config.mail.mailbox.addressHelp', { sender: mailbox.sender })}
            dir="ltr"
            type="email"
            required={false}
          />
          <Switch
            label={t('config.mail.mailbox.deleteReports')}
            description={t('config.mail.mailbox.deleteHelp')}
            {...form.getInputProps('imap.deleteReports', { type: 'checkbox' })}
          />
        </fieldset>
      </Section>
      {mailbox.can.change && (
        <SaveBar saving={versionedForm.saving} label={t('config.mail.mailbox.save')}>
          {mailbox.imap && (
            <Button color="red" onClick={() => void remove()}>
              {t('config.mail.mailbox.remove')}
            </Button>
          )}
        </SaveBar>
      )}
    </VersionedFormFrame>
  )
}
