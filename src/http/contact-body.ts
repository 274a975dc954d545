import {
  type ContactField,
  type ContactMessage,
  contactFields,
  contactFormExtras,
  contactMessage,
  ignoredContactFields,
} from '../contract/contact.ts'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import { fieldProblems } from '../contract/field-problems.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, programLocales } from '../contract/locales.ts'
import { returnPath } from '../contract/url.ts'
import { readBody } from './body.ts'
import { requestLocale } from './request-locale.ts'

/** A contact message as it was posted, by JSON or by a form, before validation. */
export interface SubmittedContact {
  kind: 'json' | 'form'
  fields: Partial<Record<ContactField, unknown>>
  /** Whether the honeypot field was filled in. */
  honeypot: boolean
  /** The signed timestamp of when the visitor reached the form; only sent by the form's script. */
  moment: string | undefined
  /** The visitor's language: from the body, or else from the request. */
  locale: Locale
  /** Path and query of the page with the form, to return to. */
  page: string | undefined
  /** Problems apart from the validation of the four fields. */
  problems: FieldProblem[]
}

/** Whether a form without JavaScript posted this; a script that posts a form asks for JSON. */
export function wantsHtml(request: Request): boolean {
  const type = mediaType(request)
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') return false
  const accepted = (request.headers.get('accept') ?? '').toLowerCase()
  return !accepted.includes('application/json') || accepted.includes('text/html')
}

/**
 * Reads a post to `/api/contact`.
 * @param offered the languages of the site
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` when it cannot be parsed
 */
export async function readContact(
  request: Request,
  offered: readonly Locale[] = programLocales,
  otherwise?: Locale,
): Promise<SubmittedContact> {
  const { kind, entries } = await readBody(request, limits.contactBodyBytes)
  const { honeypot, locale, page, moment } = contactFormExtras
  const known: string[] = [...contactFields, honeypot, locale, moment, ...(kind === 'form' ? [page] : [])]
  const problems: FieldProblem[] = []
  const values = new Map<string, unknown>()
  for (const [name, value] of entries) {
    if (ignored.includes(name)) continue
    if (!known.includes(name)) problems.push({ path: name.slice(0, 100), key: 'unknownField' })
    // A repeated field is ambiguous, so neither value is used.
    else values.set(name, values.has(name) ? [] : value)
  }
  const extra = (name: string): string => {
    const value = values.get(name) ?? ''
    if (typeof value === 'string') return value
    problems.push({ path: name, key: 'type' })
    return ''
  }
  const language = extra(locale)
  return {
    kind,
    fields: Object.fromEntries(
      contactFields.filter((name) => values.has(name)).map((name) => [name, values.get(name)]),
    ),
    honeypot: extra(honeypot).trim() !== '',
    moment: values.has(moment) ? extra(moment) : undefined,
    locale: offered.find((one) => one === language) ?? requestLocale(request, offered, otherwise),
    page: returnPath(extra(page)),
    problems: problems.slice(0, 20),
  }
}

/**
 * Validates a post.
 * @throws {Refusal} `invalid`, with every problem at its field
 */
export function validateContact(posted: SubmittedContact): ContactMessage {
  const result = contactMessage.safeParse(posted.fields)
  const problems = [...(result.success ? [] : fieldProblems(result.error)), ...posted.problems]
  if (!result.success || problems.length > 0) throw new Refusal('invalid', { problems })
  return result.data
}

/** The typed values, to fill the form again. */
export function contactValues(posted: SubmittedContact): Record<ContactField, string> {
  const typed = (name: ContactField) => (typeof posted.fields[name] === 'string' ? (posted.fields[name] as string) : '')
  return { naam: typed('naam'), email: typed('email'), tel: typed('tel'), bericht: typed('bericht') }
}

const ignored: readonly string[] = ignoredContactFields

const mediaType = (request: Request) => (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
