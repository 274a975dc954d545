import { Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { limits } from '../../../contract/limits.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import type { UserValues } from './user-values.ts'

/** A password for somebody else, and whether they get it by mail. */
export function PasswordFields({ form, known }: { form: UseFormReturnType<UserValues>; known: boolean }) {
  const t = useText()
  return (
    <Section title={t('users.signIn')}>
      <PasswordField
        label={t('users.password')}
        description={t(known ? 'users.passwordChange' : 'users.passwordNew')}
        autoComplete="new-password"
        maxLength={limits.passwordMaxChars}
        {...form.getInputProps('password')}
      />
      <Switch
        label={t('users.mailPassword')}
        description={t('users.mailPasswordHelp')}
        disabled={form.getValues().password === ''}
        {...form.getInputProps('mailPassword', { type: 'checkbox' })}
      />
    </Section>
  )
}
