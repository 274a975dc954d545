import { limits } from './limits.ts'
import type { Localized } from './locales.ts'

/** The kinds of fields. A `step` has no input: it begins the next step of the form, with its label as the heading. */
export const formFieldKinds = [
  'text',
  'longText',
  'email',
  'tel',
  'number',
  'date',
  'choice',
  'several',
  'consent',
  'files',
  'appointment',
  'step',
] as const
export type FormFieldKind = (typeof formFieldKinds)[number]

/** The id of the contact form, which has settings and a route of its own. */
export const contactFormId = 'contact'

export interface FormField {
  id: string
  kind: FormFieldKind
  label: Localized<string>
  help?: Localized<string> | undefined
  required: boolean
  options?: Localized<string[]> | undefined
  showIf?: { field: string; is: string } | undefined
}
export interface Form {
  id: string
  name: Localized<string>
  recipients?: string[] | undefined
  subject: string
  retentionDays: number
  button?: Localized<string> | undefined
  thanks?: { title: Localized<string>; text: Localized<string> } | undefined
  fields: FormField[]
}

/** The public part of a form; recipients and subject are private. */
export type PublicForm = Omit<Form, 'recipients' | 'subject' | 'retentionDays'>

/** Whether a field has options: one to choose (`choice`) or more (`several`). */
export const hasOptions = ({ kind }: Pick<FormField, 'kind'>): boolean => kind === 'choice' || kind === 'several'

/** The field with the sender's name: the first required `text` field without a condition; undefined without one. */
export const nameFieldOf = (fields: readonly FormField[]): FormField | undefined =>
  fields.find(({ kind, required, showIf }) => kind === 'text' && required && !showIf)

/** The fields of each step. Fields before the first `step` field are a step without a `stepField`. */
export function stepsOf<Field extends Pick<FormField, 'kind'>>(
  fields: readonly Field[],
): { stepField?: Field; fields: Field[] }[] {
  const steps: { stepField?: Field; fields: Field[] }[] = [{ fields: [] }]
  for (const field of fields) {
    if (field.kind === 'step') steps.push({ stepField: field, fields: [] })
    else steps.at(-1)?.fields.push(field)
  }
  return steps.filter(({ stepField, fields }) => stepField || fields.length > 0)
}

/** The maximum length of a text field; undefined for other kinds. */
export const maxCharsOf = (kind: FormFieldKind): number | undefined =>
  ({ text: limits.naamChars, longText: limits.berichtChars, email: limits.emailChars, tel: limits.telChars })[
    kind as string
  ]

/**
 * The index of an option by its text in the main language; -1 when there is none. The text in another language is
 * accepted too, because the main language may have changed since.
 */
export function optionIndex(options: Localized<string[]> | undefined, text: unknown): number {
  const indexes = Object.values(options ?? {}).map((list) => list?.indexOf(text as string) ?? -1)
  return indexes.find((index) => index >= 0) ?? -1
}
