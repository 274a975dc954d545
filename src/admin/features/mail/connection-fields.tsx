import { NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { mailProviders } from '../../../contract/mail-providers.ts'
import { mailSecurities } from '../../../contract/mail-server.ts'
import { toLatinDigits } from '../../../contract/text.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useText } from '../../i18n.ts'
import styles from '../config/config.module.css'
import { TextField } from '../config/text-fields.tsx'

/** The fields of a mail server; choosing a provider fills in what is known of it. */
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
      <p className={styles.help}>
        {t(`config.mail.hints.${name === 'imap' && hint !== 'appPassword' ? 'imap' : hint}`)}
      </p>
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
          description={t(hasPassword ? 'config.mail.passwordKept' : 'config.mail.passwordNew')}
          dir="ltr"
          autoComplete="off"
          {...form.getInputProps(`${name}.password`)}
        />
      </div>
    </>
  )
}

/** The usual ones. */
const ports = { smtp: { tls: 465, starttls: 587 }, imap: { tls: 993, starttls: 143 } } as const

/** What is no port is refused by the server, at its field. */
export const portOf = (typed: string): number => Number(toLatinDigits(typed).trim()) || 0
