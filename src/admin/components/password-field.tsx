import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useText } from '../i18n.ts'

/** A password field with a show button that works by keyboard. Mantine does not set `aria-invalid` on it. */
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
