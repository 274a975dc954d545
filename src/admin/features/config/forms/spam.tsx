import { Textarea } from '@mantine/core'
import { defaultSpamSettings, type SpamRule, spamRules } from '../../../../contract/spam.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'
import { linesOf, listOf, numberProblems, wholeNumberOf } from '../values.ts'

const numbers = ['threshold', 'freeLinks', 'fastSeconds', 'retentionDays'] as const

/** Numbers are as typed. */
interface Values extends Record<string, unknown> {
  spam: Record<(typeof numbers)[number], string> & {
    points: Record<SpamRule, string>
    words: { points: string; words: string }[]
  }
}

export const spam: PartDefinition<Values> = {
  valuesOf({ spam = defaultSpamSettings }) {
    return {
      spam: {
        threshold: String(spam.threshold),
        freeLinks: String(spam.freeLinks),
        fastSeconds: String(spam.fastSeconds),
        retentionDays: String(spam.retentionDays),
        points: recordOf(spamRules, (rule) => String(spam.points[rule])),
        words: spam.words.map(({ points, words }) => ({ points: String(points), words: linesOf(words) })),
      },
    }
  },
  partsOf: ({ spam }) => ({
    spam: {
      ...recordOf(numbers, (name) => wholeNumberOf(spam[name]) ?? 0),
      points: recordOf(spamRules, (rule) => wholeNumberOf(spam.points[rule]) ?? 0),
      words: spam.words.map(({ points, words }) => ({ points: wholeNumberOf(points) ?? 0, words: listOf(words) })),
    },
  }),
  problemsOf: ({ spam }, t) =>
    numberProblems(
      [
        ...numbers.map((name) => [`spam.${name}`, spam[name]] as const),
        ...spamRules.map((rule) => [`spam.points.${rule}`, spam.points[rule]] as const),
        ...spam.words.map(({ points }, index) => [`spam.words.${index}.points`, points] as const),
      ],
      t,
    ),
  Fields,
  hasNoPreview: true,
}

const recordOf = <Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const { words } = form.getValues().spam
  const number = { inputMode: 'numeric', dir: 'ltr' } as const
  return (
    <>
      <Section title={t('config.screens.spam.title')} lead={t('config.spam.lead')}>
        <div className={styles.two}>
          <TextField form={form} path="spam.threshold" {...number} />
          <TextField form={form} path="spam.freeLinks" {...number} />
          <TextField form={form} path="spam.fastSeconds" {...number} />
        </div>
        <TextField form={form} path="spam.retentionDays" help={t('config.spam.retentionHelp')} {...number} />
      </Section>
      <Section title={t('config.spam.points')}>
        <div className={styles.two}>
          {spamRules.map((rule) => (
            <TextField
              key={rule}
              form={form}
              path={`spam.points.${rule}`}
              label={t(`config.fields.points.${rule}`)}
              {...number}
            />
          ))}
        </div>
      </Section>
      <Section title={t('config.spam.words')} lead={t('config.spam.wordsLead')}>
        {words.map(({ points }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lists stay in their order
          <div key={index} className="stack">
            <TextField
              form={form}
              path={`spam.words.${index}.points`}
              label={t('config.spam.listPoints')}
              {...number}
            />
            <Textarea
              label={t('config.spam.list', { count: wholeNumberOf(points) ?? 0 })}
              dir="auto"
              rows={8}
              {...form.getInputProps(`spam.words.${index}.words`)}
            />
          </div>
        ))}
      </Section>
    </>
  )
}
