import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TranslatedFields } from '../text-fields.tsx'
import { lineTextsOf, listsOf, type Texts, textOf, textsOf } from '../values.ts'

interface Values extends Record<string, unknown> {
  seo: { title: Texts; description: Texts; keywords: Texts }
}

export const seo: PartDefinition<Values> = {
  valuesOf: ({ seo }) => ({
    seo: { title: textsOf(seo.title), description: textsOf(seo.description), keywords: lineTextsOf(seo.keywords) },
  }),
  partsOf: ({ seo }) => ({
    seo: { title: textOf(seo.title), description: textOf(seo.description), keywords: listsOf(seo.keywords) },
  }),
  Fields,
  unseen: true,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.seo.title')}>
      <TranslatedFields form={form} path="seo.title" help={t('config.help.seoTitle')} />
      <TranslatedFields form={form} path="seo.description" help={t('config.help.seoDescription')} rows={4} />
      <TranslatedFields form={form} path="seo.keywords" help={t('config.perLine')} rows={8} optional />
    </Section>
  )
}
