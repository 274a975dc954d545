import type { SiteParts } from '../../../../contract/config-parts.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'

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
      <TextField form={form} path="sender.name" help={t('config.help.legalName')} />
      <TextField form={form} path="sender.email" help={t('config.help.sender')} type="email" dir="ltr" />
    </Section>
  )
}
