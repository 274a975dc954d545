import { defaultRetention, type RetentionSettings, retentionNames } from '../../../../contract/retention.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'
import { numberProblems, parseCount } from '../values.ts'

/** Numbers as they were typed. */
interface RetentionValues extends Record<string, unknown> {
  retention: Record<keyof RetentionSettings, string>
}

export const retention: ScreenDefinition<RetentionValues> = {
  valuesOf: ({ retention = defaultRetention }) => ({ retention: recordByName((name) => String(retention[name])) }),
  partsOf: ({ retention }) => ({ retention: recordByName((name) => parseCount(retention[name]) ?? 0) }),
  problemsOf: ({ retention }, t) =>
    numberProblems(
      retentionNames.map((name) => [`retention.${name}`, retention[name]]),
      t,
    ),
  Fields: RetentionFields,
  hasNoPreview: true,
}

const recordByName = <Value,>(create: (name: keyof RetentionSettings) => Value) =>
  Object.fromEntries(retentionNames.map((name) => [name, create(name)])) as Record<keyof RetentionSettings, Value>

function RetentionFields({ form }: FieldsProps<RetentionValues>) {
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
