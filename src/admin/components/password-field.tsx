import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useText } from '../i18n.ts'

/** A password, which can be looked at, by keyboard too. Mantine leaves it to us to say that it is wrong. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  const t = useText()
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('form.show') }}
      aria-invalid={error ? true : undefined}
      error={error}
      {...props}
    />
  )
}
