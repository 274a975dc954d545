import { limits } from './limits.ts'
import type { Localized } from './locales.ts'

/** The kinds of fields; a `step` asks nothing, and begins the next step with its label as the heading. */
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

/** Whether a field has options, of which one or several are chosen. */
export const hasOptions = ({ kind }: Pick<FormField, 'kind'>): boolean => kind === 'choice' || kind === 'several'

/** The field with the sender's name: the first text that is required and always asked. */
export const nameFieldOf = (fields: readonly FormField[]): FormField | undefined =>
  fields.find(({ kind, required, showIf }) => kind === 'text' && required && !showIf)

/** The fields of each step. Fields before the first `step` are a step without a `stepField`, which has the heading. */
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

/** The longest text that a field accepts; undefined where nothing is typed. */
export const maxCharsOf = (kind: FormFieldKind): number | undefined =>
  ({ text: limits.naamChars, longText: limits.berichtChars, email: limits.emailChars, tel: limits.telChars })[
    kind as string
  ]

/**
 * The index of an option, which is named by its text in the main language; -1 when there is none. Its text in another language is
 * accepted too, because the main language may have changed since.
 */
export function optionIndex(options: Localized<string[]> | undefined, named: unknown): number {
  const lists = Object.values(options ?? {}).map((list) => list?.indexOf(named as string) ?? -1)
  return lists.find((index) => index >= 0) ?? -1
}
