import { Textarea } from '@mantine/core'
import { defaultSpamSettings, type SpamRule, spamRules } from '../../../../contract/spam.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'
import { joinLines, numberProblems, parseCount, splitLines } from '../values.ts'

const numberNames = ['threshold', 'freeLinks', 'fastSeconds', 'retentionDays'] as const

/** Numbers are as typed, words one per line. */
interface Values extends Record<string, unknown> {
  spam: Record<(typeof numberNames)[number], string> & {
    points: Record<SpamRule, string>
    words: { points: string; words: string }[]
  }
}

export const spam: ScreenDefinition<Values> = {
  valuesOf({ spam = defaultSpamSettings }) {
    return {
      spam: {
        threshold: String(spam.threshold),
        freeLinks: String(spam.freeLinks),
        fastSeconds: String(spam.fastSeconds),
        retentionDays: String(spam.retentionDays),
        points: recordOf(spamRules, (rule) => String(spam.points[rule])),
        words: spam.words.map(({ points, words }) => ({ points: String(points), words: joinLines(words) })),
      },
    }
  },
  partsOf: ({ spam }) => ({
    spam: {
      ...recordOf(numberNames, (name) => parseCount(spam[name]) ?? 0),
      points: recordOf(spamRules, (rule) => parseCount(spam.points[rule]) ?? 0),
      words: spam.words.map(({ points, words }) => ({ points: parseCount(points) ?? 0, words: splitLines(words) })),
    },
  }),
  problemsOf: ({ spam }, t) =>
    numberProblems(
      [
        ...numberNames.map((name) => [`spam.${name}`, spam[name]] as const),
        ...spamRules.map((rule) => [`spam.points.${rule}`, spam.points[rule]] as const),
        ...spam.words.map(({ points }, index) => [`spam.words.${index}.points`, points] as const),
      ],
      t,
    ),
  Fields,
  hasNoPreview: true,
}

const recordOf = <Name extends string, Value>(names: readonly Name[], create: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, create(name)])) as Record<Name, Value>

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const { words } = form.getValues().spam
  const numberProps = { inputMode: 'numeric', dir: 'ltr' } as const
  return (
    <>
      <Section title={t('config.screens.spam.title')} lead={t('config.spam.lead')}>
        <div className={styles.two}>
          <TextField form={form} path="spam.threshold" {...numberProps} />
          <TextField form={form} path="spam.freeLinks" {...numberProps} />
          <TextField form={form} path="spam.fastSeconds" {...numberProps} />
        </div>
        <TextField form={form} path="spam.retentionDays" help={t('config.spam.retentionHelp')} {...numberProps} />
      </Section>
      <Section title={t('config.spam.points')}>
        <div className={styles.two}>
          {spamRules.map((rule) => (
            <TextField
              key={rule}
              form={form}
              path={`spam.points.${rule}`}
              label={t(`config.fields.points.${rule}`)}
              {...numberProps}
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
              {...numberProps}
            />
            <Textarea
              label={t('config.spam.list', { count: parseCount(points) ?? 0 })}
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
