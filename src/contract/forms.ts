import { z } from 'zod'
import { type AppointmentSlot, appointmentSlot, findSlot, offeredSlots, slotText } from './appointment.ts'
import type { ContactMessage } from './contact.ts'
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
import { limits } from './limits.ts'
import { intlTagOf, type Locale, type Localized, localized } from './locales.ts'
import type { OpeningHours } from './opening-hours.ts'
import { emailAddress, multiLine, singleLine, toLatinDigits } from './text.ts'

/** Names in a post that are not answers: those of every form, and those that clients of the contact form send. */
const reservedNames = ['website', 'pagina', 'taal', 'recipients', 'subject']

const formId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'itemId')
  .refine((id) => id !== contactFormId, 'taken')

/**
 * The forms of the site.
 * @param texts schemas of a translated text, of a translated list of texts, and of an email header
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
    /** Of `choice` and `several`; a translation has the same options in the same order. */
    options: list.optional(),
    /** Asked only after this option, as it is in the main language, was chosen in an earlier field. */
    showIf: z.strictObject({ field: z.string().max(40), is: z.string().max(limits.formOptionChars) }).optional(),
  })
  const form = z
    .strictObject({
      id: formId,
      name: text,
      /** Omitted: those of the contact form. */
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

/** The field with the sender's address, which every form asks, so that each message can be answered, exported and erased. */
const isSenderField = ({ kind, required, showIf }: FormField) => kind === 'email' && required && !showIf

/** Problems between the fields of a form, with the path of each. */
function formProblems(fields: readonly FormField[]): [path: PropertyKey[], key: FieldProblem['key']][] {
  const problems: [PropertyKey[], FieldProblem['key']][] = []
  for (const [index, field] of fields.entries()) {
    const earlier = fields.slice(0, index)
    const { options, showIf } = field
    if (earlier.some(({ id }) => id === field.id)) problems.push([['fields', index, 'id'], 'taken'])
    if (hasOptions(field) && !areOptions(options)) problems.push([['fields', index, 'options'], 'formOptions'])
    if (!showIf) continue
    const asked = earlier.find(({ id }) => id === showIf.field)
    const known = asked && hasOptions(asked) && optionIndex(asked.options, showIf.is) >= 0
    if (!known || field.kind === 'step') problems.push([['fields', index, 'showIf'], 'formCondition'])
  }
  if (!fields.some(isSenderField)) problems.push([['fields'], 'formEmail'])
  return problems
}

const areOptions = (options: Localized<string[]> | undefined): boolean => {
  const all = Object.values(options ?? {}).filter((list) => list !== undefined)
  const count = all[0]?.length ?? 0
  return count > 0 && all.every((list) => list.length === count && new Set(list).size === count)
}

/** An answer as it is stored: with the label and the text as the visitor saw them. */
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
 * Validates what was posted for a form. Fields that are not asked, by the answers before them, are left out.
 * @param posted what was posted for each field, and the names of its files; a field of several options may have more than
 * one value
 * @param by the language of the visitor, with the text of a given consent in it; the hours and the moment decide which
 * appointments are possible
 */
export function readAnswers(
  { fields }: Pick<Form, 'fields'>,
  posted: {
    values: ReadonlyMap<string, readonly unknown[]>
    files: ReadonlyMap<string, readonly { name: string }[]>
  },
  by: Reading,
): { answers: FormAnswer[]; problems: FieldProblem[] } {
  const { locale } = by
  const answers: FormAnswer[] = []
  const problems: FieldProblem[] = []
  const chosen = new Map<string, readonly number[]>()
  const isChosen = ({ field, is }: NonNullable<FormField['showIf']>) => {
    const asked = fields.find(({ id }) => id === field)
    return chosen.get(field)?.includes(optionIndex(asked?.options, is)) === true
  }
  let room: number = limits.formAnswerChars
  let filesLeft: number = limits.attachments
  for (const field of fields) {
    const { id, kind, showIf, required } = field
    if (kind === 'step' || (showIf && !isChosen(showIf))) continue
    if (kind === 'appointment' && offeredSlots(by.openingHours, by.now).length === 0) continue
    const values = (posted.values.get(id) ?? []).filter(
      (one) => one !== undefined && one !== null && one !== false && one !== '',
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
    const read = hasOptions(field) ? readOptions(field, values, locale) : readText(field, values, by)
    if ('problem' in read) {
      // Only spaces are an empty answer.
      if (read.problem.key !== 'required' || required) problems.push({ path: id, ...read.problem })
      continue
    }
    room -= read.text.length
    if (room < 0) problems.push({ path: id, key: 'tooLong', limit: Math.max(0, room + read.text.length) })
    chosen.set(id, read.chosen ?? [])
    const label = localized(field.label, locale).value
    answers.push({ field: id, kind, label, text: read.text, ...(read.slot && { slot: read.slot }) })
  }
  return { answers, problems }
}

interface Reading {
  locale: Locale
  yes: string
  openingHours: OpeningHours
  now: Date
}
type Read = { text: string; chosen?: number[]; slot?: AppointmentSlot } | { problem: Omit<FieldProblem, 'path'> }

function readOptions({ kind, options }: FormField, values: readonly unknown[], locale: Locale): Read {
  const indexes = new Set<number>()
  for (const one of values) {
    const index = optionIndex(options, one)
    if (index < 0) return { problem: { key: 'formChoice' } }
    indexes.add(index)
  }
  if (kind === 'choice' && values.length > 1) return { problem: { key: 'formChoice' } }
  const shown = options ? localized(options, locale).value : []
  const inOrder = [...indexes].sort((one, other) => one - other)
  return {
    text: inOrder.map((index) => shown[index]).join('\n'),
    chosen: inOrder,
  }
}

function readText({ kind }: FormField, values: readonly unknown[], by: Reading): Read {
  const [value, ...more] = values
  // A number in JSON is in no language.
  if (kind === 'number' && typeof value === 'number' && more.length === 0) return { text: String(value) }
  if (kind === 'consent') {
    return value === true || value === 'ja' ? { text: by.yes } : { problem: { key: 'formChoice' } }
  }
  if (kind === 'appointment') {
    const slot = more.length > 0 || typeof value !== 'string' ? undefined : findSlot(by.openingHours, value, by.now)
    if (!slot) return { problem: { key: 'formAppointment' } }
    return { text: slotText(slot, by.locale), slot: { start: slot.start, end: slot.end } }
  }
  // A repeated field is ambiguous, so neither value is used.
  const result = textSchemas[kind as keyof typeof textSchemas].safeParse(more.length > 0 ? [] : plain(value))
  if (result.success && kind === 'number') return readNumber(result.data, by.locale)
  if (result.success) return { text: result.data }
  const [issue] = result.error.issues
  const key = (issue?.message ?? 'value') as FieldProblem['key']
  return { problem: { key, ...(key === 'tooLong' && issue?.code === 'too_big' && { limit: Number(issue.maximum) }) } }
}

/** A number in JSON is read as its text. */
const plain = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/**
 * A number as people of a language write it, `1.234,5` in Dutch and `1,234.5` in English, as digits with a point. Where
 * `1,234` may be a thousand or a fraction it is refused, so that nobody reads another number than was meant.
 */
function readNumber(typed: string, locale: Locale): Read {
  const [, sign = '', text = ''] = /^([-+\u2212]?)(.*)$/.exec(toLatinDigits(typed)) ?? []
  const [, whole = '', mark, fraction] = thousands.exec(text) ?? []
  const isOneMark = whole === text && whole.length <= '999.999'.length && (mark === '.' || mark === ',')
  const isFraction = whole === '' || (isOneMark && whole.startsWith('0'))
  if (isOneMark && !isFraction && mark !== thousandsMarkOf(locale)) return { problem: { key: 'formNumberUnclear' } }
  const number = isFraction
    ? text.replace(/[,٫]/, '.')
    : whole.replace(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`)
  if (!/^\d{1,15}(\.\d{1,10})?$/.test(number)) return { problem: { key: 'formNumber' } }
  return { text: sign.replace('\u2212', '-') + number }
}

/** Groups of three digits behind one and the same mark, and a fraction behind another. */
const thousands = /^(\d{1,3}([\s.,٬'’])\d{3}(?:\2\d{3}){0,4})(?:(?!\2)[.,٫](\d{1,10}))?$/

const thousandsMarkOf = (locale: Locale): '.' | ',' => {
  const parts = new Intl.NumberFormat(intlTagOf(locale)).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? '.' : ','
}

/** `2026-12-01`; without a date picker people type `1-12-2026`. */
const date = singleLine(50)
  .transform((text) =>
    toLatinDigits(text).replace(
      /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/,
      (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    ),
  )
  .pipe(z.iso.date('formDate'))

const textSchemas = {
  text: singleLine(limits.naamChars),
  longText: multiLine(limits.berichtChars),
  email: emailAddress,
  tel: singleLine(limits.telChars).transform(toLatinDigits),
  number: singleLine(50),
  date,
}

/**
 * The answers as a message: the sender by the fields of the name (or else the address), the address and the first telephone
 * number, and the others as lines with their labels.
 */
export function messageOf({ fields }: Pick<Form, 'fields'>, answers: readonly FormAnswer[]): ContactMessage {
  const byField = new Map(answers.map((answer) => [answer.field, answer]))
  const sender = byField.get(fields.find(isSenderField)?.id ?? '')
  const name = byField.get(nameFieldOf(fields)?.id ?? '')
  const tel = answers.find(({ kind }) => kind === 'tel')
  const lines = answers
    .filter((answer) => answer !== sender && answer !== name && answer !== tel)
    .map(({ label, text }) => `${label}:${text.includes('\n') ? '\n' : ' '}${text}`)
  return {
    naam: name?.text ?? sender?.text ?? '',
    email: sender?.text ?? '',
    tel: tel?.text ?? '',
    bericht: lines.join('\n'),
  }
}
