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
import { builtInLocales, type Locale } from '../contract/locales.ts'
import { returnPath } from '../contract/url.ts'
import { readBody } from './body.ts'
import { requestLocale } from './request-locale.ts'

/** A contact message as it was posted, as JSON or as a form, before validation. */
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
  /** Problems of the post itself: unknown fields, and extra fields of a wrong type. */
  problems: FieldProblem[]
}

/** Whether a form without JavaScript posted this. The script of the form accepts only JSON; a browser accepts HTML too. */
export function wantsHtml(request: Request): boolean {
  const type = mediaType(request)
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') return false
  const accepted = (request.headers.get('accept') ?? '').toLowerCase()
  return !accepted.includes('application/json') || accepted.includes('text/html')
}

/**
 * Reads a post to `/api/contact`.
 * @param offered the languages of the site
 * @param fallback see `requestLocale`
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` when it cannot be parsed
 */
export async function readContact(
  request: Request,
  offered: readonly Locale[] = builtInLocales,
  fallback?: Locale,
): Promise<SubmittedContact> {
  const { kind, entries } = await readBody(request, limits.contactBodyBytes)
  const { honeypot, locale, page, moment } = contactFormExtras
  const knownNames: string[] = [...contactFields, honeypot, locale, moment, ...(kind === 'form' ? [page] : [])]
  const problems: FieldProblem[] = []
  const values = new Map<string, unknown>()
  for (const [name, value] of entries) {
    if (ignoredNames.includes(name)) continue
    if (!knownNames.includes(name)) problems.push({ path: name.slice(0, 100), key: 'unknownField' })
    // A repeated field is ambiguous: a list in place of its text is refused as a wrong type.
    else values.set(name, values.has(name) ? [] : value)
  }
  /** The text of an extra field; empty, with a problem, for another type. */
  const readExtra = (name: string): string => {
    const value = values.get(name) ?? ''
    if (typeof value === 'string') return value
    problems.push({ path: name, key: 'type' })
    return ''
  }
  const languageTag = readExtra(locale)
  return {
    kind,
    fields: Object.fromEntries(
      contactFields.filter((name) => values.has(name)).map((name) => [name, values.get(name)]),
    ),
    honeypot: readExtra(honeypot).trim() !== '',
    moment: values.has(moment) ? readExtra(moment) : undefined,
    locale: offered.find((tag) => tag === languageTag) ?? requestLocale(request, offered, fallback),
    page: returnPath(readExtra(page)),
    // Last, because `readExtra` adds to them.
    problems: problems.slice(0, 20),
  }
}

/**
 * Validates a post.
 * @throws {Refusal} `invalid`, with every problem at its field
 */
export function validateContact(submitted: SubmittedContact): ContactMessage {
  const result = contactMessage.safeParse(submitted.fields)
  const problems = [...(result.success ? [] : fieldProblems(result.error)), ...submitted.problems]
  if (!result.success || problems.length > 0) throw new Refusal('invalid', { problems })
  return result.data
}

/** The posted values, to fill in the form again. */
export function contactValues({ fields }: SubmittedContact): Record<ContactField, string> {
  const textOf = (name: ContactField) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
  return { naam: textOf('naam'), email: textOf('email'), tel: textOf('tel'), bericht: textOf('bericht') }
}

/** Widened, so that any name can be looked up. */
const ignoredNames: readonly string[] = ignoredContactFields

const mediaType = (request: Request) => (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
