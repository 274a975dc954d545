import { NativeSelect, Switch, Textarea } from '@mantine/core'
import {
  type Form,
  type FormField,
  type FormFieldKind,
  formFieldKinds,
  hasOptions,
} from '../../../../contract/form-fields.ts'
import { limits } from '../../../../contract/limits.ts'
import {
  type BuiltInLocale,
  builtInLocale,
  defaultLocale,
  type Locale,
  type Localized,
  mainLocaleOf,
  sampleLocale,
} from '../../../../contract/locales.ts'
import type { SiteConfig } from '../../../../contract/site-config.ts'
import { AddButton } from '../../../components/buttons.tsx'
import { Section } from '../../../components/page.tsx'
import { SortableList } from '../../../components/sortable-list.tsx'
import { MailNotice } from '../../../components/states.tsx'
import { type TFunction, useText } from '../../../i18n.ts'
import { useMainLocale, useSiteLocales } from '../../../site-languages.ts'
import styles from '../config.module.css'
import { type FieldsProps, Foldable, type ScreenDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { pathInItem, useItems } from '../use-items.tsx'
import {
  emptyTexts,
  type FormTexts,
  fromLineTexts,
  fromTexts,
  hasText,
  joinLines,
  newId,
  numberProblems,
  parseCount,
  splitLines,
  textForStaff,
  toLineTexts,
  toTexts,
} from '../values.ts'

/** A field of a form, or the start of a step. */
interface QuestionValues {
  id: string
  kind: FormFieldKind
  label: FormTexts
  help: FormTexts
  required: boolean
  /** One per line. */
  options: FormTexts
  /** The id of a question and the answer with which this one is shown. Both empty: always. */
  showIf: { field: string; is: string }
}
interface FormValues {
  id: string
  name: FormTexts
  /** One per line. */
  recipients: string
  subject: string
  retentionDays: string
  button: FormTexts
  thanks: { title: FormTexts; text: FormTexts }
  fields: QuestionValues[]
}
interface Values extends Record<string, unknown> {
  forms: FormValues[]
}

export const forms: ScreenDefinition<Values> = {
  valuesOf: ({ forms = [], ...site }) => ({ forms: forms.map((form) => toFormValues(form, mainLocaleOf(site))) }),
  // A site without forms keeps none while the list is empty.
  partsOf: ({ forms }, config) => ({
    forms: forms.length > 0 || config.forms ? forms.map((form) => fromFormValues(form, config)) : undefined,
  }),
  problemsOf: ({ forms }, t) =>
    numberProblems(
      forms.map(({ retentionDays }, index) => [`forms.${index}.retentionDays`, retentionDays]),
      t,
    ),
  Fields,
  hasNoPreview: true,
}

const toFormValues = (form: Form, main: Locale): FormValues => ({
  id: form.id,
  name: toTexts(form.name),
  recipients: joinLines(form.recipients ?? []),
  subject: form.subject,
  retentionDays: String(form.retentionDays),
  button: toTexts(form.button, main),
  thanks: { title: toTexts(form.thanks?.title, main), text: toTexts(form.thanks?.text, main) },
  fields: form.fields.map((field) => toQuestionValues(field, main)),
})

const toQuestionValues = (field: FormField, main: Locale): QuestionValues => ({
  id: field.id,
  kind: field.kind,
  label: toTexts(field.label),
  help: toTexts(field.help, main),
  required: field.required,
  options: field.options ? toLineTexts(field.options) : emptyTexts(main),
  showIf: field.showIf ?? { field: '', is: '' },
})

/** The keys are in the order of the schema, so that an unchanged form compares equal. */
const fromFormValues = (form: FormValues, config: Pick<SiteConfig, 'forms' | 'locales'>): Form => ({
  id: form.id,
  name: fromTexts(form.name),
  ...(form.recipients.trim() !== '' && { recipients: splitLines(form.recipients) }),
  subject: form.subject.trim(),
  retentionDays: parseCount(form.retentionDays) ?? 0,
  ...(hasText(form.button) && { button: fromTexts(form.button) }),
  ...((hasText(form.thanks.title) || hasText(form.thanks.text)) && {
    thanks: { title: fromTexts(form.thanks.title), text: fromTexts(form.thanks.text) },
  }),
  fields: form.fields.map((field) => {
    const saved = config.forms?.find(({ id }) => id === form.id)?.fields.find(({ id }) => id === field.id)
    return fromQuestionValues(field, saved, config.locales)
  }),
})

const fromQuestionValues = (
  field: QuestionValues,
  saved: FormField | undefined,
  locales: readonly Locale[],
): FormField => ({
  id: field.id,
  kind: field.kind,
  label: fromTexts(field.label),
  ...(hasText(field.help) && { help: fromTexts(field.help) }),
  required: field.required && field.kind !== 'step',
  ...(hasOptions(field) && { options: optionsToSave(fromLineTexts(field.options), saved?.options, locales) }),
  ...(field.showIf.field !== '' && field.kind !== 'step' && { showIf: field.showIf }),
})

type Options = Localized<string[]>

/** Changed options lose their translations into languages that the site lacks, because nobody can see these. */
function optionsToSave(options: Options, saved: Options | undefined, locales: readonly Locale[]): Options {
  const isSame = (locale: Locale) => JSON.stringify(options[locale]) === JSON.stringify(saved?.[locale])
  if (locales.every(isSame)) return options
  return Object.fromEntries(Object.entries(options).filter(([locale]) => locales.includes(locale)))
}

function createQuestion(id: string, kind: FormFieldKind, label: FormTexts, required: boolean): QuestionValues {
  // The main language comes first.
  const noText = emptyTexts(Object.keys(label)[0] ?? defaultLocale)
  return { id, kind, label, help: noText, required, options: noText, showIf: { field: '', is: '' } }
}

const initialLabels = {
  naam: { nl: 'Naam', fa: 'نام', en: 'Name' },
  email: { nl: 'E-mail', fa: 'ایمیل', en: 'Email' },
  bericht: { nl: 'Bericht', fa: 'پیام', en: 'Message' },
} satisfies Record<string, Record<BuiltInLocale, string>>

/** A built-in text in those languages of the site in which it exists. The main language always gets a text. */
const inSiteLanguages = (text: Record<BuiltInLocale, string>, { main, locales }: Languages): FormTexts => ({
  [main]: text[sampleLocale(main)],
  ...Object.fromEntries(
    locales
      // `builtInLocale` falls back to another language. A region, as in `nl-BE`, does not matter.
      .filter((locale) => locale.split('-', 1)[0] === builtInLocale(locale))
      .map((locale) => [locale, text[builtInLocale(locale)]]),
  ),
})

interface Languages {
  main: Locale
  locales: readonly Locale[]
}

/** A new form with the questions that nearly every form has. */
const createForm = (id: string, site: Languages): FormValues => ({
  id,
  name: emptyTexts(site.main),
  recipients: '',
  subject: '',
  retentionDays: '365',
  button: emptyTexts(site.main),
  thanks: { title: emptyTexts(site.main), text: emptyTexts(site.main) },
  fields: [
    createQuestion('naam', 'text', inSiteLanguages(initialLabels.naam, site), true),
    createQuestion('email', 'email', inSiteLanguages(initialLabels.email, site), true),
    createQuestion('bericht', 'longText', inSiteLanguages(initialLabels.bericht, site), false),
  ],
})

const nameOf = ({ name }: FormValues, t: TFunction) => textForStaff(name) || t('config.offer.unnamed')
const labelOf = ({ label }: QuestionValues, t: TFunction) => textForStaff(label) || t('config.offer.unnamed')

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const locales = useSiteLocales()
  const main = useMainLocale()
  const list = useItems<FormValues>({ form, path: 'forms', nameOf: (value) => nameOf(value, t) })
  return (
    <Section title={t('config.screens.forms.title')} lead={t('config.forms.lead')}>
      <MailNotice />
      {list.items.length === 0 && <p className="quiet flush">{t('config.forms.none')}</p>}
      {list.items.map((value, index) => (
        <Foldable
          key={value.id}
          note={t('config.forms.questions', { count: value.fields.filter(({ kind }) => kind !== 'step').length })}
          {...list.foldable(value, index)}
        >
          <FormFields form={form} path={`forms.${index}`} value={value} />
        </Foldable>
      ))}
      <div className="row">
        <AddButton
          disabled={list.items.length >= limits.forms}
          onClick={() => list.add(createForm(newId('formulier'), { main, locales }))}
        >
          {t('config.forms.add')}
        </AddButton>
      </div>
    </Section>
  )
}

type FormProps = { form: FieldsProps<Values>['form']; path: string; value: FormValues }

function FormFields({ form, path, value }: FormProps) {
  const t = useText()
  const label = (key: string) => t(`config.fields.form.${key}` as 'config.fields.form.name')
  const propsOf = (name: string, labelKey = name) => ({ form, path: `${path}.${name}`, label: label(labelKey) })
  // With neither, visitors read the default title and text. With one of them, the other is required.
  const { title, text } = value.thanks
  return (
    <>
      <TranslatedFields {...propsOf('name')} />
      <Questions form={form} path={path} value={value} />
      <Textarea
        label={label('recipients')}
        description={t('config.forms.recipientsHelp')}
        dir="ltr"
        rows={2}
        {...form.getInputProps(`${path}.recipients`)}
      />
      <div className={styles.two}>
        <TextField {...propsOf('subject')} help={t('config.help.subject')} />
        <TextField {...propsOf('retentionDays')} help={t('config.forms.retentionHelp')} inputMode="numeric" dir="ltr" />
      </div>
      <TranslatedFields {...propsOf('button')} help={t('config.forms.usual')} optional="withMain" />
      <TranslatedFields
        {...propsOf('thanks.title', 'thanksTitle')}
        help={t('config.forms.usual')}
        optional={hasText(text) ? false : 'withMain'}
      />
      <TranslatedFields
        {...propsOf('thanks.text', 'thanksText')}
        rows={2}
        optional={hasText(title) ? false : 'withMain'}
      />
    </>
  )
}

function Questions({ form, path, value }: FormProps) {
  const t = useText()
  const main = useMainLocale()
  const { items, add, sortable, foldable } = useItems<QuestionValues>({
    form,
    path: `${path}.fields`,
    findPath: () => pathInItem(form, 'forms', value.id, 'fields'),
    nameOf: (field) => labelOf(field, t),
  })
  const addField = (kind: FormFieldKind) =>
    add(createQuestion(newId(kind === 'step' ? 'stap' : 'vraag'), kind, emptyTexts(main), false))
  const problem = form.errors[`${path}.fields`]
  const isFull = items.length >= limits.formFields
  return (
    <fieldset className={styles.both}>
      <legend className={styles.label}>{t('config.fields.form.fields')}</legend>
      {problem && (
        <p role="alert" className="danger">
          {problem}
        </p>
      )}
      <SortableList label={t('config.fields.form.fields')} {...sortable}>
        {(field, index) => (
          <Foldable
            note={`${t(`config.forms.kinds.${field.kind}`)}${field.required ? ` · ${t('config.forms.required')}` : ''}`}
            {...foldable(field, index)}
          >
            <Question form={form} path={`${path}.fields.${index}`} field={field} previous={items.slice(0, index)} />
          </Foldable>
        )}
      </SortableList>
      <div className="row">
        <AddButton disabled={isFull} onClick={() => addField('text')}>
          {t('config.forms.addField')}
        </AddButton>
        <AddButton disabled={isFull} onClick={() => addField('step')}>
          {t('config.forms.addStep')}
        </AddButton>
      </div>
    </fieldset>
  )
}

function Question(props: { form: FormProps['form']; path: string; field: QuestionValues; previous: QuestionValues[] }) {
  const { form, path, field, previous } = props
  const t = useText()
  const propsOf = (name: 'label' | 'help' | 'options') => ({
    form,
    path: `${path}.${name}`,
    label: t(`config.fields.form.${name}`),
  })
  const choiceQuestions = previous.filter((question) => hasOptions(question))
  const isStep = field.kind === 'step'
  return (
    <>
      <TranslatedFields {...propsOf('label')} {...(isStep && { label: t('config.forms.stepTitle') })} />
      <TranslatedFields {...propsOf('help')} optional="withMain" />
      {!isStep && (
        <>
          <div className={styles.two}>
            <NativeSelect
              label={t('config.fields.form.kind')}
              data={formFieldKinds
                .filter((kind) => kind !== 'step')
                .map((kind) => ({ value: kind, label: t(`config.forms.kinds.${kind}`) }))}
              {...form.getInputProps(`${path}.kind`)}
            />
            <NativeSelect
              label={t('config.fields.form.showIf')}
              disabled={choiceQuestions.length === 0}
              data={[{ value: '', label: t('config.forms.always') }, ...choiceQuestions.flatMap(conditionsOn)]}
              value={field.showIf.field === '' ? '' : JSON.stringify([field.showIf.field, field.showIf.is])}
              error={form.errors[`${path}.showIf`]}
              onChange={(event) => {
                const [id, is] = event.currentTarget.value === '' ? ['', ''] : JSON.parse(event.currentTarget.value)
                form.setFieldValue(`${path}.showIf`, { field: id, is })
              }}
            />
          </div>
          <Switch
            label={t('config.fields.form.required')}
            {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
          />
        </>
      )}
      {hasOptions(field) && <TranslatedFields {...propsOf('options')} help={t('config.forms.optionsHelp')} rows={4} />}
    </>
  )

  /** An option per answer to a question. The stored answer is that in the main language, which comes first. */
  function conditionsOn(question: QuestionValues) {
    return splitLines(Object.values(question.options)[0] ?? '').map((option) => ({
      value: JSON.stringify([question.id, option]),
      label: t('config.forms.onlyIf', { question: labelOf(question, t), option }),
    }))
  }
}
