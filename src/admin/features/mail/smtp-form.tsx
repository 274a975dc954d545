import { Button, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { mailProviders } from '../../../contract/mail-providers.ts'
import { type ChangedMailServer, type MailServer, mailSecurities } from '../../../contract/mail-server.ts'
import { toLatinDigits } from '../../../contract/text.ts'
import { api, parseResponse } from '../../client.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { problemsQuery, storeSendsMail } from '../../components/states.tsx'
import { useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { type TFunction, useText } from '../../i18n.ts'
import styles from '../config/config.module.css'
import { TextField } from '../config/text-fields.tsx'
import { mailServerQuery } from './mail.ts'

type Smtp = NonNullable<ChangedMailServer['smtp']>

/**
 * The values of the form. `port` is the text of its field. An empty `password` keeps the stored one if host, port,
 * security and user are unchanged.
 */
interface Values extends Record<string, unknown> {
  smtp: Omit<Smtp, 'port' | 'password'> & { port: string; password: string }
}

const emptySmtp: Values['smtp'] = {
  provider: 'other',
  host: '',
  port: '587',
  security: 'starttls',
  user: '',
  password: '',
  selectors: '',
}

const comparedFields = ['provider', 'host', 'port', 'security', 'user', 'selectors'] as const

export function SmtpForm({ server }: { server: MailServer }) {
  const t = useText()
  const queries = useQueryClient()
  const put = async (changed: ChangedMailServer): Promise<MailServer> => {
    const saved: MailServer = await parseResponse(api['mail-server'].$put({ json: changed }))
    queries.setQueryData(mailServerQuery.queryKey, saved)
    storeSendsMail(queries, saved.inUse !== 'files')
    void queries.invalidateQueries({ queryKey: problemsQuery.queryKey })
    return saved
  }
  const versionedForm = useVersionedForm<MailServer, Values>({
    entity: server,
    valuesOf: ({ smtp } = server) => ({
      smtp: smtp ? { ...smtp, port: String(smtp.port), password: '' } : emptySmtp,
    }),
    async save({ smtp }, base = server) {
      const { password, port, ...rest } = smtp
      const saved = await put({
        version: base.version,
        smtp: { ...rest, port: portOf(port), ...(password !== '' && { password }) },
      })
      notify(t('config.mail.saved'))
      return saved
    },
  })
  const { form } = versionedForm
  const { smtp } = form.getValues()
  const remove = async () => {
    await removeConnection(t, 'config.mail', () => put({ version: server.version, smtp: null }))
    // Also after a failure: the version may be stale, and the next attempt needs the current one.
    void queries.invalidateQueries(mailServerQuery)
  }
  const differences = ({ smtp: theirs }: MailServer) =>
    comparedFields.map((name) => ({
      label: t(`config.mail.${name}`),
      mine: smtp[name],
      theirs: String(theirs?.[name] ?? ''),
    }))
  return (
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('config.mail.notSaved')}
      differences={differences}
      label={t('config.mail.server')}
    >
      <Section
        title={t('config.mail.server')}
        lead={t(server.can.change ? 'config.mail.serverLead' : 'config.mail.mayNot')}
      >
        <fieldset disabled={!server.can.change} className={`${styles.both} stack`}>
          <ConnectionFields form={form} name="smtp" hasPassword={server.hasPassword && !server.passwordLost} />
          <TextField
            form={form}
            path="smtp.selectors"
            label={t('config.mail.selectors')}
            help={t('config.mail.selectorsHelp')}
            dir="ltr"
            required={false}
          />
        </fieldset>
      </Section>
      {server.can.change && (
        <SaveBar saving={versionedForm.saving} label={t('config.mail.save')} cancelTo="/admin/config">
          {server.smtp && (
            <Button color="red" onClick={() => void remove()}>
              {t('config.mail.remove')}
            </Button>
          )}
        </SaveBar>
      )}
    </VersionedFormFrame>
  )
}

/** The fields of a connection to a mail server. Choosing a provider fills in its host, port and encryption. */
export function ConnectionFields(props: {
  // biome-ignore lint/suspicious/noExplicitAny: each form has values of its own
  form: UseFormReturnType<any>
  /** The name of the object with the fields in the form's values. */
  name: 'smtp' | 'imap'
  /** Whether a password is stored. */
  hasPassword: boolean
}) {
  const { form, name, hasPassword } = props
  const t = useText()
  const values = form.getValues()[name]
  const providers = mailProviders.flatMap((provider) => {
    const imap = 'imap' in provider ? provider.imap : undefined
    const server = name === 'smtp' ? provider.smtp : imap
    return server ? [{ ...provider, server }] : []
  })
  const provider = providers.find(({ id }) => id === values.provider)
  const smtpHint = provider?.hint ?? 'other'
  const hint = name === 'imap' && smtpHint !== 'appPassword' ? 'imap' : smtpHint
  const chooseProvider = (id: string) => {
    const chosen = providers.find((provider) => provider.id === id)
    const providerValues = chosen && { ...chosen.server, port: String(chosen.server.port) }
    form.setFieldValue(name, { ...values, provider: chosen?.id ?? 'other', ...providerValues })
  }
  return (
    <>
      <NativeSelect
        label={t('config.mail.provider')}
        data={[
          ...providers.map(({ id, label }) => ({ value: id, label })),
          { value: 'other', label: t('config.mail.other') },
        ]}
        value={values.provider}
        onChange={(event) => chooseProvider(event.currentTarget.value)}
      />
      <p className="help">{t(`config.mail.hints.${hint}`)}</p>
      <div className={styles.two}>
        <TextField form={form} path={`${name}.host`} label={t('config.mail.host')} dir="ltr" />
        <TextField form={form} path={`${name}.port`} label={t('config.mail.port')} dir="ltr" inputMode="numeric" />
      </div>
      <NativeSelect
        label={t('config.mail.security')}
        data={mailSecurities.map((value) => ({ value, label: t(`config.mail.securities.${value}`, ports[name]) }))}
        {...form.getInputProps(`${name}.security`)}
      />
      <div className={styles.two}>
        <TextField
          form={form}
          path={`${name}.user`}
          label={t('config.mail.user')}
          dir="ltr"
          required={name === 'imap'}
        />
        <PasswordField
          label={t('config.mail.password')}
          description={t(hasPassword ? 'config.mail.passwordStored' : 'config.mail.passwordNew')}
          dir="ltr"
          autoComplete="off"
          {...form.getInputProps(`${name}.password`)}
        />
      </div>
    </>
  )
}

/** The standard ports of each protocol, by encryption. */
const ports = { smtp: { tls: 465, starttls: 587 }, imap: { tls: 993, starttls: 143 } } as const

/** The number of a port field; 0 for invalid input, which the server refuses at the field. */
export const portOf = (text: string): number => Number(toLatinDigits(text).trim()) || 0

/** Removes a mail server or mailbox after confirmation and notifies of the result. @param texts the path of texts */
export async function removeConnection(
  t: TFunction,
  texts: 'config.mail' | 'config.mail.mailbox',
  remove: () => Promise<unknown>,
): Promise<void> {
  const isConfirmed = await confirmInDialog({
    title: t(`${texts}.removeTitle`),
    text: t(`${texts}.removeText`),
    yes: t('form.delete'),
    danger: true,
  })
  if (!isConfirmed) return
  try {
    await remove()
    notify(t(`${texts}.removed`))
  } catch (error) {
    notifyFailure(t(`${texts}.notSaved`), error)
  }
}
