import { TextInput } from '@mantine/core'
import { Section } from '../../../components/section.tsx'
import { useText } from '../../../i18n.ts'
import { BothFields } from '../both-fields.tsx'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { type BothTexts, bothOf, textOf } from '../values.ts'

interface Values extends Record<string, unknown> {
  brand: string
  tagline: BothTexts
  url: string
}

export const brand: PartDefinition<Values> = {
  valuesOf: ({ brand, tagline, url }) => ({ brand, tagline: bothOf(tagline), url }),
  partsOf: ({ brand, tagline, url }) => ({ brand: brand.trim(), tagline: textOf(tagline), url: url.trim() }),
  Fields,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.brand.title')}>
      <TextInput
        label={t('config.fields.brand')}
        dir="auto"
        required
        autoComplete="off"
        {...form.getInputProps('brand')}
      />
      <BothFields
        form={form}
        path="tagline"
        value={form.getValues().tagline}
        label={t('config.fields.tagline')}
        help={t('config.help.tagline')}
      />
      <TextInput
        label={t('config.fields.url')}
        description={t('config.help.url')}
        type="url"
        dir="ltr"
        required
        autoComplete="off"
        {...form.getInputProps('url')}
      />
    </Section>
  )
}
