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

/** The port is as typed. */
interface Values extends Record<string, unknown> {
  smtp: Omit<Smtp, 'port' | 'password'> & { port: string; password: string }
}

const empty: Values['smtp'] = {
  provider: 'other',
  host: '',
  port: '587',
  security: 'starttls',
  user: '',
  password: '',
  selectors: '',
}

const compared = ['provider', 'host', 'port', 'security', 'user', 'selectors'] as const

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
  const work = useVersionedForm<MailServer, Values>({
    entity: server,
    valuesOf: (one = server) => ({
      smtp: one.smtp ? { ...one.smtp, port: String(one.smtp.port), password: '' } : empty,
    }),
    async save({ smtp }, from = server) {
      const { password, port, ...rest } = smtp
      const saved = await put({
        version: from.version,
        smtp: { ...rest, port: portOf(port), ...(password !== '' && { password }) },
      })
      notify(t('config.mail.saved'))
      return saved
    },
  })
  const { form } = work
  const { smtp } = form.getValues()
  const remove = async () => {
    await removeConnection(t, 'config.mail', () => put({ version: server.version, smtp: null }))
    // After a failure the next attempt needs the current version.
    void queries.invalidateQueries(mailServerQuery)
  }
  const differences = ({ smtp: theirs }: MailServer) =>
    compared.map((name) => ({
      label: t(`config.mail.${name}`),
      mine: smtp[name],
      theirs: String(theirs?.[name] ?? ''),
    }))
  return (
    <VersionedFormFrame
      work={work}
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
        <SaveBar saving={work.saving} label={t('config.mail.save')} cancelTo="/admin/config">
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

/** The fields of a mail server; choosing a provider fills in its known settings. */
export function ConnectionFields(props: {
  // biome-ignore lint/suspicious/noExplicitAny: each form has values of its own
  form: UseFormReturnType<any>
  /** Its values in the form. */
  name: 'smtp' | 'imap'
  /** Whether a password is stored. */
  hasPassword: boolean
}) {
  const { form, name, hasPassword } = props
  const t = useText()
  const values = form.getValues()[name]
  const offered = mailProviders.flatMap((one) => {
    const server = name === 'smtp' ? one.smtp : 'imap' in one ? one.imap : undefined
    return server ? [{ ...one, server }] : []
  })
  const provider = offered.find(({ id }) => id === values.provider)
  const hint = provider?.hint ?? 'other'
  const choose = (id: string) => {
    const chosen = offered.find((one) => one.id === id)
    const known = chosen && { ...chosen.server, port: String(chosen.server.port) }
    form.setFieldValue(name, { ...values, provider: chosen?.id ?? 'other', ...known })
  }
  return (
    <>
      <NativeSelect
        label={t('config.mail.provider')}
        data={[
          ...offered.map(({ id, label }) => ({ value: id, label })),
          { value: 'other', label: t('config.mail.other') },
        ]}
        value={values.provider}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <p className="help">{t(`config.mail.hints.${name === 'imap' && hint !== 'appPassword' ? 'imap' : hint}`)}</p>
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

/** The standard port of each protocol, by its encryption. */
const ports = { smtp: { tls: 465, starttls: 587 }, imap: { tls: 993, starttls: 143 } } as const

/** Returns 0 for invalid input, which the server refuses at the field. */
export const portOf = (typed: string): number => Number(toLatinDigits(typed).trim()) || 0

/** Removes a mail server or mailbox after a question; a failure is shown. @param texts the group with the words for it */
export async function removeConnection(
  t: TFunction,
  texts: 'config.mail' | 'config.mail.mailbox',
  remove: () => Promise<unknown>,
): Promise<void> {
  const sure = await confirmInDialog({
    title: t(`${texts}.removeTitle`),
    text: t(`${texts}.removeText`),
    yes: t('form.delete'),
    danger: true,
  })
  if (!sure) return
  try {
    await remove()
    notify(t(`${texts}.removed`))
  } catch (error) {
    notifyFailure(t(`${texts}.notSaved`), error)
  }
}
