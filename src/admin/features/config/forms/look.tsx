import { defaultLook, lookOptions } from '../../../../contract/config-choices.ts'
import type { SiteConfig } from '../../../../contract/site-config.ts'
import { Choices } from '../../../components/choices.tsx'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

type Look = NonNullable<SiteConfig['look']>
interface Values extends Record<string, unknown> {
  look: Required<Look>
}

const names = [
  'fonts',
  'header',
  'search',
  'illustration',
  'scale',
  'headings',
  'corners',
  'edges',
  'panels',
  'buttons',
] as const

export const look: PartDefinition<Values> = {
  valuesOf: ({ look }) => ({ look: { ...defaultLook, ...look } }),
  partsOf: ({ look }) => ({ look }),
  Fields,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const { look } = form.getValues()
  return (
    <Section title={t('config.screens.look.title')}>
      <div className={styles.looks}>
        {names.map((name) => (
          <Choices
            key={name}
            legend={t(`config.fields.look.${name}`)}
            options={lookOptions[name].map((value) => ({ value, label: t(`config.choices.${value}`) }))}
            chosen={[look[name]]}
            onChoose={([chosen]) => form.setFieldValue(`look.${name}`, chosen as never)}
          />
        ))}
      </div>
    </Section>
  )
}
