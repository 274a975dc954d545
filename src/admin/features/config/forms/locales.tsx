import { Switch } from '@mantine/core'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

interface Values extends Record<string, unknown> {
  fa: boolean
}

export const locales: PartDefinition<Values> = {
  valuesOf: ({ locales }) => ({ fa: locales.includes('fa') }),
  partsOf: ({ fa }) => ({ locales: fa ? ['nl', 'fa'] : ['nl'] }),
  Fields,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.locales.title')} lead={t('config.locales.always')}>
      <Switch
        label={t('config.locales.fa')}
        description={t('config.locales.faHelp')}
        {...form.getInputProps('fa', { type: 'checkbox' })}
      />
    </Section>
  )
}
