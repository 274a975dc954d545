import {
  type ContactField,
  type ContactMessage,
  contactFields,
  contactFormExtras,
  contactMessage,
} from '../contract/contact.ts'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import { fieldProblems } from '../contract/field-problems.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, locales } from '../contract/locales.ts'
import { isSafeUrl } from '../contract/url.ts'
import { readBody } from './body.ts'
import { requestLocale } from './request-locale.ts'

/** A contact message as it was posted, by JSON or by a form, before it is judged. */
export interface PostedContact {
  kind: 'json' | 'form'
  fields: Partial<Record<ContactField, unknown>>
  /** Whether the field that people do not see was filled in. */
  honeypot: boolean
  /** The language the visitor reads: what the body says, or else the request. */
  locale: Locale
  /** Path of the page that the form stood on, to come back to. */
  page: string | undefined
  /** What is wrong beside the four fields. */
  problems: FieldProblem[]
}

/** Whether this post comes from a form whose visitor waits for a page; a script that posts a form asks for JSON. */
export function wantsPage(request: Request): boolean {
  const type = mediaType(request)
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') return false
  const accepted = (request.headers.get('accept') ?? '').toLowerCase()
  return !accepted.includes('application/json') || accepted.includes('text/html')
}

/**
 * Reads a post to `/api/contact`.
 * @param offered the languages of the site
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` for what cannot be read at all
 */
export async function readContact(request: Request, offered: readonly Locale[] = locales): Promise<PostedContact> {
  const { kind, entries } = await readBody(request, limits.contactBodyBytes)
  const { honeypot, locale, page } = contactFormExtras
  const known: string[] = [...contactFields, honeypot, locale, ...(kind === 'form' ? [page] : [])]
  const problems: FieldProblem[] = []
  const values = new Map<string, unknown>()
  for (const [name, value] of entries) {
    if (!known.includes(name)) problems.push({ path: name.slice(0, 100), key: 'unknownField' })
    // Twice the same field has no clear meaning, so neither counts.
    else values.set(name, values.has(name) ? [] : value)
  }
  const extra = (name: string): string => {
    const value = values.get(name) ?? ''
    if (typeof value === 'string') return value
    problems.push({ path: name, key: 'type' })
    return ''
  }
  const language = extra(locale)
  const cameFrom = extra(page)
  return {
    kind,
    fields: Object.fromEntries(
      contactFields.filter((name) => values.has(name)).map((name) => [name, values.get(name)]),
    ),
    honeypot: extra(honeypot).trim() !== '',
    locale: offered.find((one) => one === language) ?? requestLocale(request, offered),
    page: cameFrom.startsWith('/') && isSafeUrl(cameFrom) ? cameFrom : undefined,
    problems: problems.slice(0, 20),
  }
}

/**
 * Judges what was posted.
 * @throws {Refusal} `invalid`, with every problem at its field
 */
export function acceptContact(posted: PostedContact): ContactMessage {
  const result = contactMessage.safeParse(posted.fields)
  const problems = [...(result.success ? [] : fieldProblems(result.error)), ...posted.problems]
  if (!result.success || problems.length > 0) throw new Refusal('invalid', { problems })
  return result.data
}

/** What the visitor typed, to be shown again. */
export function typedContact(posted: PostedContact): Record<ContactField, string> {
  const typed = (name: ContactField) => (typeof posted.fields[name] === 'string' ? (posted.fields[name] as string) : '')
  return { naam: typed('naam'), email: typed('email'), tel: typed('tel'), bericht: typed('bericht') }
}

const mediaType = (request: Request) => (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
