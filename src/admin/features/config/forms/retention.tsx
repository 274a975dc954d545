import { defaultRetention, type RetentionSettings, retentionNames } from '../../../../contract/retention.ts'
import { toLatinDigits } from '../../../../contract/text.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'

/** Numbers are as typed. */
interface Values extends Record<string, unknown> {
  retention: Record<keyof RetentionSettings, string>
}

export const retention: PartDefinition<Values> = {
  valuesOf: ({ retention = defaultRetention }) => ({ retention: eachName((name) => String(retention[name])) }),
  partsOf: ({ retention }) => ({ retention: eachName((name) => daysOf(retention[name]) ?? 0) }),
  problemsOf: ({ retention }, t) =>
    Object.fromEntries(
      retentionNames.flatMap((name) =>
        daysOf(retention[name]) === undefined ? [[`retention.${name}`, t('config.offer.numberWrong')]] : [],
      ),
    ),
  Fields,
  unseen: true,
}

const eachName = <Value,>(make: (name: keyof RetentionSettings) => Value) =>
  Object.fromEntries(retentionNames.map((name) => [name, make(name)])) as Record<keyof RetentionSettings, Value>

const daysOf = (typed: string): number | undefined => {
  const digits = toLatinDigits(typed).trim()
  return /^\d{1,4}$/.test(digits) ? Number(digits) : undefined
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <Section title={t('config.screens.retention.title')} lead={t('config.retention.lead')}>
      <div className={styles.two}>
        {retentionNames.map((name) => (
          <TextField
            key={name}
            form={form}
            path={`retention.${name}`}
            help={t(`config.retention.${name}`)}
            inputMode="numeric"
            dir="ltr"
          />
        ))}
      </div>
    </Section>
  )
}
