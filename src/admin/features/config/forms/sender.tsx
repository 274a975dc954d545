import { TextInput } from '@mantine/core'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { Section } from '../../../components/section.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

interface Values extends Record<string, unknown> {
  sender: SiteParts['sender']
}

export const sender: PartDefinition<Values> = {
  valuesOf: ({ sender }) => ({ sender }),
  partsOf: ({ sender: { name, email } }) => ({ sender: { name: name.trim(), email: email.trim() } }),
  Fields,
  unseen: true,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.sender.title')}>
      <TextInput
        label={t('config.fields.sender.name')}
        description={t('config.help.legalName')}
        dir="auto"
        required
        autoComplete="off"
        {...form.getInputProps('sender.name')}
      />
      <TextInput
        label={t('config.fields.sender.email')}
        description={t('config.help.sender')}
        type="email"
        dir="ltr"
        required
        autoComplete="off"
        {...form.getInputProps('sender.email')}
      />
    </Section>
  )
}
