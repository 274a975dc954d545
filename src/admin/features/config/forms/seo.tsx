import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { BothFields } from '../text-fields.tsx'
import { type BothTexts, bothLinesOf, bothOf, listsOf, textOf } from '../values.ts'

interface Values extends Record<string, unknown> {
  seo: { title: BothTexts; description: BothTexts; keywords: BothTexts }
}

export const seo: PartDefinition<Values> = {
  valuesOf: ({ seo }) => ({
    seo: { title: bothOf(seo.title), description: bothOf(seo.description), keywords: bothLinesOf(seo.keywords) },
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
      <BothFields form={form} path="seo.title" help={t('config.help.seoTitle')} />
      <BothFields form={form} path="seo.description" help={t('config.help.seoDescription')} rows={4} />
      <BothFields form={form} path="seo.keywords" help={t('config.perLine')} rows={8} optional />
    </Section>
  )
}
