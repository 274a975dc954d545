import { contactFormExtras } from '../contract/contact.ts'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import type { Form } from '../contract/form-fields.ts'
import { type FormAnswer, readAnswers } from '../contract/forms.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, rootLocaleOf, type SiteLanguages } from '../contract/locales.ts'
import { returnPath } from '../contract/url.ts'
import { listFormerForms } from '../domain/configuration/find-form.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { UploadAborted, UploadTooLarge } from '../platform/storage/temporary-files.ts'
import { readBody } from './body.ts'
import { PostedFile, readMultipartFile } from './multipart.ts'
import { requestLocale } from './request-locale.ts'

/** A post of a form of the configuration, before validation. */
export interface SubmittedForm {
  /** The posted values of each field, in order. */
  values: Map<string, unknown[]>
  honeypot: boolean
  /** The signed timestamp of when the visitor reached the form; only sent by the form's script. */
  moment: string | undefined
  locale: Locale
  /** Path and query of the page with the form, to return to. */
  page: string | undefined
  /** Temporary files, for each field. */
  files: Map<string, PostedFile[]>
  /** Problems of the post itself: unknown fields, and extra fields of a wrong type. */
  problems: FieldProblem[]
  /** Reads the same post with the fields of another version of the form. */
  readAs(form: Pick<Form, 'fields'>): SubmittedForm
}

/**
 * Reads a post to `/api/forms/{id}` without files; in JSON the value of a field with several options is a list.
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` when it cannot be parsed
 */
export async function readFormPost(
  request: Request,
  form: Pick<Form, 'fields'>,
  site: SiteLanguages,
): Promise<SubmittedForm> {
  return toSubmitted((await readBody(request, limits.contactBodyBytes)).entries, request, form, site)
}

/**
 * Reads a post, also one with files, and passes it to `work`. The files are deleted when `work` ends.
 * @param limitFiles runs the reading of a post that may have files, and `work`, or refuses to
 * @throws {Refusal} as `readFormPost`, and those of `limitFiles`
 */
export async function withFormPost<T>(
  ctx: Pick<Context, 'db' | 'now' | 'site' | 'uploads'>,
  request: Request,
  form: Form,
  limitFiles: (task: () => Promise<T>) => Promise<T>,
  work: (submitted: SubmittedForm) => Promise<T>,
): Promise<T> {
  const { site } = ctx
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType) || !(await acceptsFiles(ctx, form))) {
    return work(await readFormPost(request, form, site))
  }
  return limitFiles(() => withFiles(ctx, request, form, work))
}

async function withFiles<T>(
  { site, uploads: { temporaryFiles } }: Pick<Context, 'site' | 'uploads'>,
  request: Request,
  form: Form,
  work: (submitted: SubmittedForm) => Promise<T>,
): Promise<T> {
  const contentType = request.headers.get('content-type') ?? ''
  const maxBytes = limits.attachmentBodyBytes
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new Refusal('too_large')
  try {
    return await temporaryFiles.receive(
      request.body as Parameters<typeof temporaryFiles.receive>[0],
      maxBytes,
      ({ path }) =>
        temporaryFiles.withFolder(async (folder) =>
          work(toSubmitted(await readMultipartFile(path, contentType, folder), request, form, site)),
        ),
    )
  } catch (error) {
    if (error instanceof UploadTooLarge) throw new Refusal('too_large')
    if (error instanceof UploadAborted) throw new Refusal('malformed')
    throw error
  }
}

/** Whether a form, or a recent earlier version that the visitor may have opened, has a field for files. */
async function acceptsFiles(ctx: Pick<Context, 'db' | 'now'>, form: Form): Promise<boolean> {
  const hasFileField = ({ fields }: Form) => fields.some(({ kind }) => kind === 'files')
  return hasFileField(form) || (await listFormerForms(ctx, form.id)).some(hasFileField)
}

/** Sorts the entries of a body by field. Each extra field may occur once, as a string. */
function toSubmitted(
  entries: readonly [name: string, value: unknown][],
  request: Request,
  form: Pick<Form, 'fields'>,
  site: SiteLanguages,
): SubmittedForm {
  const { honeypot, locale, page, moment } = contactFormExtras
  const extras = new Map<string, unknown[]>([honeypot, locale, page, moment].map((name) => [name, []]))
  const values = new Map<string, unknown[]>(form.fields.filter(({ kind }) => kind !== 'step').map(({ id }) => [id, []]))
  const files = new Map<string, PostedFile[]>()
  const problems: FieldProblem[] = []
  for (const [name, value] of entries) {
    if (value instanceof PostedFile && values.has(name)) {
      files.set(name, [...(files.get(name) ?? []), value])
      continue
    }
    const list = extras.get(name) ?? values.get(name)
    // Not spread: so many arguments as a body can have values would overflow the stack.
    if (list) for (const item of Array.isArray(value) ? value : [value]) list.push(item)
    else problems.push({ path: name.slice(0, 100), key: 'unknownField' })
  }
  const readExtra = (name: string): string => {
    const [value = '', ...repeated] = extras.get(name) ?? []
    if (typeof value === 'string' && repeated.length === 0) return value
    problems.push({ path: name, key: 'type' })
    return ''
  }
  const languageTag = readExtra(locale)
  return {
    values,
    files,
    honeypot: readExtra(honeypot).trim() !== '',
    moment: extras.get(moment)?.length ? readExtra(moment) : undefined,
    locale: site.locales.find((tag) => tag === languageTag) ?? requestLocale(request, site.locales, rootLocaleOf(site)),
    page: returnPath(readExtra(page)),
    problems: problems.slice(0, 20),
    readAs: (otherForm) => toSubmitted(entries, request, otherForm, site),
  }
}

/**
 * Validates a post. @returns the answers to the fields
 * @throws {Refusal} `invalid`, with every problem of the answers and of the post itself, each at its field
 */
export function validateForm(
  { site, now }: Pick<Context, 'site' | 'now'>,
  form: Pick<Form, 'fields'>,
  post: SubmittedForm,
): FormAnswer[] {
  const { locale } = post
  const { answers, problems } = readAnswers(form, post, {
    locale,
    yes: siteTranslator(site, locale)('site.yes'),
    openingHours: site.business.openingHours,
    now: now(),
  })
  const allProblems = [...problems, ...post.problems]
  if (allProblems.length > 0) throw new Refusal('invalid', { problems: allProblems })
  return answers
}
