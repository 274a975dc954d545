import { z } from 'zod'
import { type AppointmentSlot, appointmentSlot, findSlot, offeredSlots, slotText } from './appointment.ts'
import type { ContactMessage } from './contact.ts'
import { dayOfSolarDate } from './day.ts'
import type { FieldProblem } from './errors.ts'
import {
  contactFormId,
  type Form,
  type FormField,
  formFieldKinds,
  hasOptions,
  nameFieldOf,
  optionIndex,
} from './form-fields.ts'
import { longDate } from './intl-formats.ts'
import { limits } from './limits.ts'
import { intlTagOf, isPersian, type Locale, type Localized, localized } from './locales.ts'
import type { OpeningHours } from './opening-hours.ts'
import { emailAddress, multiLine, singleLine, toLatinDigits } from './text.ts'

/** Names in a form post that cannot be fields, besides `_begin`, which is no valid field id. */
const reservedNames = ['website', 'pagina', 'taal', 'recipients', 'subject']

const formId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'itemId')
  .refine((id) => id !== contactFormId, 'taken')

/**
 * The schema of the site's forms.
 * @param texts the schemas of a translated text, of a translated list of texts, and of the text of an email header
 */
export function formsSchema<
  Text extends z.ZodType<Localized<string>>,
  List extends z.ZodType<Localized<string[]>>,
  Header extends z.ZodType<string>,
>({ text, list, header }: { text: Text; list: List; header: Header }) {
  const field = z.strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, 'itemId')
      .refine((id) => !reservedNames.includes(id), 'taken'),
    kind: z.enum(formFieldKinds),
    label: text,
    help: text.optional(),
    required: z.boolean().default(false),
    /** The options of a `choice` or `several` field; each translation has the same options in the same order. */
    options: list.optional(),
    /** The field is shown only when this option, by its text in the main language, is chosen in this earlier field. */
    showIf: z.strictObject({ field: z.string().max(40), is: z.string().max(limits.formOptionChars) }).optional(),
  })
  const form = z
    .strictObject({
      id: formId,
      name: text,
      /** The recipients of its emails; omitted: those of the contact form. */
      recipients: z.array(z.email()).min(1).max(10).optional(),
      subject: header,
      /** Days after which a message is deleted. */
      retentionDays: z.int().min(1).max(3_650),
      /** The text of the button; omitted: that of the contact form. */
      button: text.optional(),
      thanks: z.strictObject({ title: text, text }).optional(),
      fields: z.array(field).min(1, 'required').max(limits.formFields),
    })
    .superRefine(({ fields }, { issues }) => {
      for (const [path, message] of formProblems(fields as FormField[])) {
        issues.push({ code: 'custom', message, path, input: fields })
      }
    })
  return z
    .array(form)
    .max(limits.forms)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'twice')
}

/** Whether a field is a required email address. Every form has one: replies, exports and erasure need it. */
const isRequiredEmailField = ({ kind, required, showIf }: FormField) => kind === 'email' && required && !showIf

/** Problems with the combination of a form's fields: repeated ids, options, conditions and the email field. */
function formProblems(fields: readonly FormField[]): [path: PropertyKey[], key: FieldProblem['key']][] {
  const problems: [PropertyKey[], FieldProblem['key']][] = []
  for (const [index, field] of fields.entries()) {
    const earlier = fields.slice(0, index)
    const { options, showIf } = field
    if (earlier.some(({ id }) => id === field.id)) problems.push([['fields', index, 'id'], 'taken'])
    if (hasOptions(field) && !areValidOptions(options)) problems.push([['fields', index, 'options'], 'formOptions'])
    if (!showIf) continue
    const controlling = earlier.find(({ id }) => id === showIf.field)
    const hasOption = controlling && hasOptions(controlling) && optionIndex(controlling.options, showIf.is) >= 0
    if (!hasOption || field.kind === 'step') problems.push([['fields', index, 'showIf'], 'formCondition'])
  }
  if (!fields.some(isRequiredEmailField)) problems.push([['fields'], 'formEmail'])
  return problems
}

const areValidOptions = (options: Localized<string[]> | undefined): boolean => {
  const lists = Object.values(options ?? {}).filter((list) => list !== undefined)
  const count = lists[0]?.length ?? 0
  return count > 0 && lists.every((list) => list.length === count && new Set(list).size === count)
}

/** An answer as it is stored, with the label and the text that the visitor saw. */
export const formAnswer = z
  .object({
    field: z.string(),
    kind: z.enum(formFieldKinds),
    label: z.string(),
    text: z.string(),
    slot: appointmentSlot.optional().describe('Of an appointment'),
  })
  .meta({ id: 'FormAnswer' })
export type FormAnswer = z.infer<typeof formAnswer>

/**
 * Validates a form post. Fields that the earlier answers hide are skipped.
 * @param posted the values and files of each field, by field id; a field for several options may have several values
 * @returns the valid answers in the order of the fields, and the problems, with the field's id as path
 */
export function readAnswers(
  { fields }: Pick<Form, 'fields'>,
  posted: {
    values: ReadonlyMap<string, readonly unknown[]>
    files: ReadonlyMap<string, readonly { name: string }[]>
  },
  context: ReadContext,
): { answers: FormAnswer[]; problems: FieldProblem[] } {
  const { locale } = context
  const answers: FormAnswer[] = []
  const problems: FieldProblem[] = []
  const chosenIndexes = new Map<string, readonly number[]>()
  const isChosen = ({ field, is }: NonNullable<FormField['showIf']>) => {
    const controlling = fields.find(({ id }) => id === field)
    return chosenIndexes.get(field)?.includes(optionIndex(controlling?.options, is)) === true
  }
  let charsLeft: number = limits.formAnswerChars
  let filesLeft: number = limits.attachments
  for (const field of fields) {
    const { id, kind, showIf, required } = field
    if (kind === 'step' || (showIf && !isChosen(showIf))) continue
    if (kind === 'appointment' && offeredSlots(context.openingHours, context.now).length === 0) continue
    const values = (posted.values.get(id) ?? []).filter(
      (value) => value !== undefined && value !== null && value !== false && value !== '',
    )
    const files = posted.files.get(id) ?? []
    if (files.length > 0 || kind === 'files') {
      filesLeft -= files.length
      if (kind !== 'files' || values.length > 0) problems.push({ path: id, key: 'type' })
      else if (filesLeft < 0) problems.push({ path: id, key: 'tooMany', limit: limits.attachments })
      else if (files.length === 0 && required) problems.push({ path: id, key: 'required' })
      else if (files.length > 0) {
        const text = files.map(({ name }) => name).join('\n')
        answers.push({ field: id, kind, label: localized(field.label, locale).value, text })
      }
      continue
    }
    if (values.length === 0) {
      if (required) problems.push({ path: id, key: 'required' })
      continue
    }
    const result = hasOptions(field) ? readOptions(field, values, locale) : readText(field, values, context)
    if ('problem' in result) {
      // A text of only spaces is an empty answer, which an optional field may have.
      if (result.problem.key !== 'required' || required) problems.push({ path: id, ...result.problem })
      continue
    }
    const { text, chosen = [], slot } = result
    if (text.length > charsLeft) problems.push({ path: id, key: 'tooLong', limit: Math.max(0, charsLeft) })
    charsLeft -= text.length
    chosenIndexes.set(id, chosen)
    const label = localized(field.label, locale).value
    answers.push({ field: id, kind, label, text, ...(slot && { slot }) })
  }
  return { answers, problems }
}

interface ReadContext {
  locale: Locale
  /** The answer to store for a given consent, in the visitor's language. */
  yes: string
  openingHours: OpeningHours
  now: Date
}
type ReadResult = { text: string; chosen?: number[]; slot?: AppointmentSlot } | { problem: Omit<FieldProblem, 'path'> }

/** Reads the chosen options, which are posted by their text in the main language. */
function readOptions({ kind, options }: FormField, values: readonly unknown[], locale: Locale): ReadResult {
  const indexes = new Set<number>()
  for (const value of values) {
    const index = optionIndex(options, value)
    if (index < 0) return { problem: { key: 'formChoice' } }
    indexes.add(index)
  }
  if (kind === 'choice' && values.length > 1) return { problem: { key: 'formChoice' } }
  const optionTexts = options ? localized(options, locale).value : []
  const chosen = [...indexes].sort((a, b) => a - b)
  return { text: chosen.map((index) => optionTexts[index]).join('\n'), chosen }
}

/** Reads a field that is no choice: a text, a number, a date, a consent or an appointment. */
function readText({ kind }: FormField, values: readonly unknown[], context: ReadContext): ReadResult {
  const [value] = values
  const isRepeated = values.length > 1
  // A number in JSON has no separators of a language.
  if (kind === 'number' && typeof value === 'number' && !isRepeated) return { text: String(value) }
  if (kind === 'consent') {
    return value === true || value === 'ja' ? { text: context.yes } : { problem: { key: 'formChoice' } }
  }
  if (kind === 'appointment') {
    const { openingHours, now, locale } = context
    const slot = isRepeated || typeof value !== 'string' ? undefined : findSlot(openingHours, value, now)
    if (!slot) return { problem: { key: 'formAppointment' } }
    return { text: slotText(slot, locale), slot: { start: slot.start, end: slot.end } }
  }
  const text = typeof value === 'number' ? String(value) : value
  // A repeated field is ambiguous: an array is refused by every schema.
  const result = textSchemas[kind as keyof typeof textSchemas].safeParse(isRepeated ? [] : text)
  if (result.success && kind === 'number') return readNumber(result.data, context.locale)
  if (result.success && kind === 'date') return readDate(result.data, context.locale)
  if (result.success) return { text: result.data }
  const [issue] = result.error.issues
  const key = (issue?.message ?? 'value') as FieldProblem['key']
  return { problem: { key, ...(key === 'tooLong' && issue?.code === 'too_big' && { limit: Number(issue.maximum) }) } }
}

/**
 * Reads a number as it is written in a language, `1.234,5` in Dutch and `1,234.5` in English, as digits with a point.
 * `1,234` in Dutch and `1.234` in English are ambiguous (a thousand or a fraction?) and refused.
 */
function readNumber(input: string, locale: Locale): ReadResult {
  const [, sign = '', text = ''] = /^([-+\u2212]?)(.*)$/.exec(toLatinDigits(input)) ?? []
  const [, groups = '', separator, fraction] = groupedNumber.exec(text) ?? []
  const hasOneSeparator =
    groups === text && groups.length <= '999.999'.length && (separator === '.' || separator === ',')
  // `0,123` is no thousand.
  const isUngrouped = groups === '' || (hasOneSeparator && groups.startsWith('0'))
  if (hasOneSeparator && !isUngrouped && separator !== groupSeparatorOf(locale)) {
    return { problem: { key: 'formNumberUnclear' } }
  }
  const number = isUngrouped
    ? text.replace(/[,٫]/, '.')
    : groups.replace(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`)
  if (!/^\d{1,15}(\.\d{1,10})?$/.test(number)) return { problem: { key: 'formNumber' } }
  return { text: sign.replace('\u2212', '-') + number }
}

/** Groups of three digits with the same separator between them, and optionally a fraction behind another separator. */
const groupedNumber = /^(\d{1,3}([\s.,٬'’])\d{3}(?:\2\d{3}){0,4})(?:(?!\2)[.,٫](\d{1,10}))?$/

/** The separator of thousands: the point where the comma is the decimal separator, and the comma elsewhere. */
const groupSeparatorOf = (locale: Locale): '.' | ',' => {
  const parts = new Intl.NumberFormat(intlTagOf(locale)).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? '.' : ','
}

/**
 * Reads a date as `2026-12-01`, or as `1-12-2026`, which people type without a date picker. In Persian a date may also
 * be in the solar calendar.
 */
function readDate(input: string, locale: Locale): ReadResult {
  const text = toLatinDigits(input).replace(/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/, '$4-$3-$1')
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  const date =
    isPersian(locale) && year >= '1300' && year <= '1500'
      ? dayOfSolarDate(Number(year), Number(month), Number(day))
      : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!z.iso.date().safeParse(date).success) return { problem: { key: 'formDate' } }
  return date >= '1900' && date < '2201' ? { text: date } : { problem: { key: 'formDateYear' } }
}

const textSchemas = {
  text: singleLine(limits.naamChars),
  longText: multiLine(limits.berichtChars),
  email: emailAddress,
  tel: singleLine(limits.telChars).transform(toLatinDigits),
  number: singleLine(50),
  date: singleLine(50),
}

/**
 * Converts the answers to a message. The sender is the answers to the name field (or else the address), the email field
 * and the first telephone field; the other answers are the text, each behind its label.
 * @param locale of the visitor
 */
export function messageOf(
  { fields }: Pick<Form, 'fields'>,
  answers: readonly FormAnswer[],
  locale: Locale,
): ContactMessage {
  const byField = new Map(answers.map((answer) => [answer.field, answer]))
  const email = byField.get(fields.find(isRequiredEmailField)?.id ?? '')
  const name = byField.get(nameFieldOf(fields)?.id ?? '')
  const tel = answers.find(({ kind }) => kind === 'tel')
  const lines = answers
    .filter((answer) => answer !== email && answer !== name && answer !== tel)
    .map(({ label, kind, text }) => {
      const readableText = kind === 'date' ? longDate(text, locale) : text
      return `${label}:${text.includes('\n') ? '\n' : ' '}${readableText}`
    })
  return {
    naam: name?.text ?? email?.text ?? '',
    email: email?.text ?? '',
    tel: tel?.text ?? '',
    bericht: lines.join('\n'),
  }
}
