import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { type Texts, textOf, textsOf } from '../values.ts'

interface Values extends Record<string, unknown> {
  brand: string
  tagline: Texts
  url: string
}

export const brand: PartDefinition<Values> = {
  valuesOf: ({ brand, tagline, url }) => ({ brand, tagline: textsOf(tagline), url }),
  partsOf: ({ brand, tagline, url }) => ({ brand: brand.trim(), tagline: textOf(tagline), url: url.trim() }),
  Fields,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.brand.title')}>
      <TextField form={form} path="brand" />
      <TranslatedFields form={form} path="tagline" help={t('config.help.tagline')} />
      <TextField form={form} path="url" help={t('config.help.url')} type="url" dir="ltr" />
    </Section>
  )
}
