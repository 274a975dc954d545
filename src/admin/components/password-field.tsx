import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useText } from '../i18n.ts'

/** A password field with a show button that works by keyboard, and with `aria-invalid`, which Mantine leaves out. */
export function PasswordField({ error, label, ...props }: Omit<PasswordInputProps, 'label'> & { label: string }) {
  const t = useText()
  return (
    <PasswordInput
      visibilityToggleFocusable
      label={label}
      visibilityToggleButtonProps={{ 'aria-label': t('form.show'), title: label }}
      aria-invalid={error ? true : undefined}
      error={error}
      {...props}
    />
  )
}
