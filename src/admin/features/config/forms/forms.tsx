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
  defaultLocale,
  type Locale,
  type Localized,
  mainLocaleOf,
  type ProgramLocale,
  programLocale,
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
import { type FieldsProps, Foldable, type PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { pathOfItem, useItems } from '../use-items.tsx'
import {
  hasText,
  linesOf,
  lineTextsOf,
  listOf,
  listsOf,
  newId,
  noTextIn,
  numberProblems,
  type Texts,
  textForStaff,
  textOf,
  textsOf,
  wholeNumberOf,
} from '../values.ts'

interface TypedField {
  id: string
  kind: FormFieldKind
  label: Texts
  help: Texts
  required: boolean
  options: Texts
  /** Both empty: it is always asked. */
  showIf: { field: string; is: string }
}
interface TypedForm {
  id: string
  name: Texts
  /** One per line. */
  recipients: string
  subject: string
  /** As typed. */
  retentionDays: string
  button: Texts
  thanks: { title: Texts; text: Texts }
  fields: TypedField[]
}
interface Values extends Record<string, unknown> {
  forms: TypedForm[]
}

export const forms: PartDefinition<Values> = {
  valuesOf: ({ forms = [], ...site }) => ({ forms: forms.map((one) => typedForm(one, mainLocaleOf(site))) }),
  // Without any form the part is left out.
  partsOf: ({ forms }, config) => ({
    forms: forms.length === 0 && config.forms === undefined ? undefined : forms.map((form) => formOf(form, config)),
  }),
  problemsOf: ({ forms }, t) =>
    numberProblems(
      forms.map(({ retentionDays }, index) => [`forms.${index}.retentionDays`, retentionDays]),
      t,
    ),
  Fields,
  hasNoPreview: true,
}

const typedForm = (form: Form, main: Locale): TypedForm => ({
  id: form.id,
  name: textsOf(form.name),
  recipients: linesOf(form.recipients ?? []),
  subject: form.subject,
  retentionDays: String(form.retentionDays),
  button: textsOf(form.button, main),
  thanks: { title: textsOf(form.thanks?.title, main), text: textsOf(form.thanks?.text, main) },
  fields: form.fields.map((field) => typedField(field, main)),
})

const typedField = (field: FormField, main: Locale): TypedField => ({
  id: field.id,
  kind: field.kind,
  label: textsOf(field.label),
  help: textsOf(field.help, main),
  required: field.required,
  options: field.options ? lineTextsOf(field.options) : noTextIn(main),
  showIf: field.showIf ?? { field: '', is: '' },
})

type Saved = Pick<SiteConfig, 'forms' | 'locales'>

/** The keys are in the order of the schema, so that an unchanged form compares equal. */
const formOf = (form: TypedForm, config: Saved): Form => ({
  id: form.id,
  name: textOf(form.name),
  ...(form.recipients.trim() !== '' && { recipients: listOf(form.recipients) }),
  subject: form.subject.trim(),
  retentionDays: wholeNumberOf(form.retentionDays) ?? 0,
  ...(hasText(form.button) && { button: textOf(form.button) }),
  ...((hasText(form.thanks.title) || hasText(form.thanks.text)) && {
    thanks: { title: textOf(form.thanks.title), text: textOf(form.thanks.text) },
  }),
  fields: form.fields.map((field) => {
    const saved = config.forms?.find(({ id }) => id === form.id)?.fields.find(({ id }) => id === field.id)
    return fieldOf(field, saved, config.locales)
  }),
})

const fieldOf = (field: TypedField, saved: FormField | undefined, locales: readonly Locale[]): FormField => ({
  id: field.id,
  kind: field.kind,
  label: textOf(field.label),
  ...(hasText(field.help) && { help: textOf(field.help) }),
  required: field.required && field.kind !== 'step',
  ...(hasOptions(field) && { options: optionsOf(listsOf(field.options), saved?.options, locales) }),
  ...(field.showIf.field !== '' && field.kind !== 'step' && { showIf: field.showIf }),
})

/** Changed options lose their translations into languages that the site lacks: nobody sees that these no longer fit. */
function optionsOf(options: Localized<string[]>, saved: Localized<string[]> | undefined, locales: readonly Locale[]) {
  const isSame = (locale: Locale) => JSON.stringify(options[locale]) === JSON.stringify(saved?.[locale])
  if (locales.every(isSame)) return options
  return Object.fromEntries(Object.entries(options).filter(([locale]) => locales.includes(locale)))
}

const emptyField = (id: string, kind: FormFieldKind, label: Texts, required: boolean): TypedField => ({
  id,
  kind,
  label,
  help: noTextIn(Object.keys(label)[0] ?? defaultLocale),
  required,
  options: noTextIn(Object.keys(label)[0] ?? defaultLocale),
  showIf: { field: '', is: '' },
})

const startLabels = {
  naam: { nl: 'Naam', fa: 'نام', en: 'Name' },
  email: { nl: 'E-mail', fa: 'ایمیل', en: 'Email' },
  bericht: { nl: 'Bericht', fa: 'پیام', en: 'Message' },
} satisfies Record<string, Record<ProgramLocale, string>>

/** A text in the languages of the site that the program has texts in, and in the main one, which each text has. */
const inSiteLanguages = (text: Record<ProgramLocale, string>, { main, locales }: In): Texts => ({
  [main]: text[sampleLocale(main)],
  ...Object.fromEntries(
    locales
      .filter((locale) => locale.split('-', 1)[0] === programLocale(locale))
      .map((locale) => [locale, text[programLocale(locale)]]),
  ),
})

interface In {
  main: Locale
  locales: readonly Locale[]
}

/** Begins with what every form asks. */
const emptyForm = (id: string, site: In): TypedForm => ({
  id,
  name: noTextIn(site.main),
  recipients: '',
  subject: '',
  retentionDays: '365',
  button: noTextIn(site.main),
  thanks: { title: noTextIn(site.main), text: noTextIn(site.main) },
  fields: [
    emptyField('naam', 'text', inSiteLanguages(startLabels.naam, site), true),
    emptyField('email', 'email', inSiteLanguages(startLabels.email, site), true),
    emptyField('bericht', 'longText', inSiteLanguages(startLabels.bericht, site), false),
  ],
})

const nameOf = ({ name }: TypedForm, t: TFunction) => textForStaff(name) || t('config.offer.unnamed')
const labelOf = ({ label }: TypedField, t: TFunction) => textForStaff(label) || t('config.offer.unnamed')

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const locales = useSiteLocales()
  const main = useMainLocale()
  const list = useItems<TypedForm>({ form, path: 'forms', nameOf: (one) => nameOf(one, t) })
  return (
    <Section title={t('config.screens.forms.title')} lead={t('config.forms.lead')}>
      <MailNotice />
      {list.items.length === 0 && <p className="quiet flush">{t('config.forms.none')}</p>}
      {list.items.map((one, index) => (
        <Foldable
          key={one.id}
          note={t('config.forms.questions', { count: one.fields.filter(({ kind }) => kind !== 'step').length })}
          {...list.foldable(one, index)}
        >
          <FormFields form={form} path={`forms.${index}`} value={one} />
        </Foldable>
      ))}
      <div className="row">
        <AddButton
          disabled={list.items.length >= limits.forms}
          onClick={() => list.add(emptyForm(newId('formulier'), { main, locales }))}
        >
          {t('config.forms.add')}
        </AddButton>
      </div>
    </Section>
  )
}

type FormProps = { form: FieldsProps<Values>['form']; path: string; value: TypedForm }

function FormFields({ form, path, value }: FormProps) {
  const t = useText()
  const label = (name: string) => t(`config.fields.form.${name}` as 'config.fields.form.name')
  const at = (name: string, labelled = name) => ({ form, path: `${path}.${name}`, label: label(labelled) })
  // Without both, visitors read the usual title and text; one is not saved without the other.
  const { title, text } = value.thanks
  return (
    <>
      <TranslatedFields {...at('name')} />
      <Questions form={form} path={path} value={value} />
      <Textarea
        label={label('recipients')}
        description={t('config.forms.recipientsHelp')}
        dir="ltr"
        rows={2}
        {...form.getInputProps(`${path}.recipients`)}
      />
      <div className={styles.two}>
        <TextField {...at('subject')} help={t('config.help.subject')} />
        <TextField {...at('retentionDays')} help={t('config.forms.retentionHelp')} inputMode="numeric" dir="ltr" />
      </div>
      <TranslatedFields {...at('button')} help={t('config.forms.usual')} optional="withMain" />
      <TranslatedFields
        {...at('thanks.title', 'thanksTitle')}
        help={t('config.forms.usual')}
        optional={hasText(text) ? false : 'withMain'}
      />
      <TranslatedFields {...at('thanks.text', 'thanksText')} rows={2} optional={hasText(title) ? false : 'withMain'} />
    </>
  )
}

function Questions({ form, path, value }: FormProps) {
  const t = useText()
  const main = useMainLocale()
  const { items, add, sortable, foldable } = useItems<TypedField>({
    form,
    path: `${path}.fields`,
    pathNow: () => pathOfItem(form, 'forms', value.id, 'fields'),
    nameOf: (field) => labelOf(field, t),
  })
  const addField = (kind: FormFieldKind) =>
    add(emptyField(newId(kind === 'step' ? 'stap' : 'vraag'), kind, noTextIn(main), false))
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
            <Question form={form} path={`${path}.fields.${index}`} field={field} earlier={items.slice(0, index)} />
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

function Question(props: { form: FormProps['form']; path: string; field: TypedField; earlier: TypedField[] }) {
  const { form, path, field, earlier } = props
  const t = useText()
  const at = (name: 'label' | 'help' | 'options') => ({
    form,
    path: `${path}.${name}`,
    label: t(`config.fields.form.${name}`),
  })
  const asked = earlier.filter((one) => hasOptions(one))
  const isStep = field.kind === 'step'
  return (
    <>
      <TranslatedFields {...at('label')} {...(isStep && { label: t('config.forms.stepTitle') })} />
      <TranslatedFields {...at('help')} optional="withMain" />
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
              disabled={asked.length === 0}
              data={[
                { value: '', label: t('config.forms.always') },
                ...asked.flatMap((one) =>
                  listOf(Object.values(one.options)[0] ?? '').map((option) => ({
                    value: JSON.stringify([one.id, option]),
                    label: t('config.forms.onlyIf', { question: labelOf(one, t), option }),
                  })),
                ),
              ]}
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
      {hasOptions(field) && <TranslatedFields {...at('options')} help={t('config.forms.optionsHelp')} rows={4} />}
    </>
  )
}
