import { areaBlocks, findFormBlock } from '../blocks/block-contents.ts'
import type { Confirmation, ContactState, FormState } from '../blocks/define-block.ts'
import { urlParameters } from '../contract/collections.ts'
import { Refusal } from '../contract/errors.ts'
import type { Form } from '../contract/form-fields.ts'
import { type Locale, localized, localizedPath, rootLocaleOf } from '../contract/locales.ts'
import { findForm } from '../domain/configuration/find-form.ts'
import { findCalendarPath } from '../domain/messages/appointment.ts'
import type { LivePage } from '../domain/pages/find-live-page.ts'
import type { SubmittedForm } from '../http/form-body.ts'
import { problemMessages, refusalHeaders, refusalOf } from '../http/problem.ts'
import { requestLocale } from '../http/request-locale.ts'
import { referenceNumber } from '../i18n/dates.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { isDatabaseUnavailable } from '../platform/db/database.ts'
import { sign, verifySignature } from '../platform/signature.ts'
import { searchPageWithForm } from './search.tsx'
import { getReturnPage, loadUncachedProps, privatePageResponse, type ReturnPage } from './site-pages.ts'

/** The URL parameter with the id of the form, next to `urlParameters.sent` with the signed reference. */
export const formIdParameter = 'formulier'

/**
 * Redirects to the page of the form, with the signed reference in the URL, where the confirmation is shown. If that
 * page lacks the form now, responds with a page of only the confirmation.
 * @param reference the number of the stored message
 */
export async function formAcceptedResponse(
  ctx: Context,
  form: Form,
  submitted: Pick<SubmittedForm, 'locale' | 'page'>,
  reference: number,
): Promise<Response> {
  const { locale } = submitted
  const page = await findConfirmationPage(ctx, submitted)
  const block = page && findBlockWithForm(ctx, page, form, locale)
  if (!block) {
    // Without a page the database is unavailable, so the calendar of an appointment is not looked up either.
    const confirmation = page
      ? await loadConfirmation(ctx, form, reference, locale)
      : { reference: referenceNumber(reference, locale) }
    return formPageResponse(ctx, formOnlyPage(ctx, form, locale), locale, 200, {
      ...emptyContact,
      form: { ...emptyFormState(form), confirmation },
    })
  }
  const signedReference = `${reference}.${sign(ctx.secret, 'sent', `${form.id}:${reference}`)}`
  const parameters = { [urlParameters.sent]: signedReference, [formIdParameter]: form.id }
  return redirectToConfirmation(ctx, page, locale, parameters, block.anchor && `#${block.anchor}`)
}

/** Redirects to the page with the confirmation, with these parameters and a fragment (`#…`, or empty). */
export function redirectToConfirmation(
  { site }: Pick<Context, 'site'>,
  { path, query }: ReturnPage,
  locale: Locale,
  parameters: Record<string, string>,
  fragment: string,
): Response {
  const newQuery = new URLSearchParams([...new URLSearchParams(query), ...Object.entries(parameters)])
  const location = `${encodeURI(localizedPath(path, locale, site))}?${newQuery}${fragment}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/** The page to confirm on. Undefined after an error, which is only logged, because the message is stored already. */
export const findConfirmationPage = (
  ctx: Context,
  { page, locale }: Pick<SubmittedForm, 'locale' | 'page'>,
): Promise<ReturnPage | undefined> =>
  getReturnPage(ctx, page ?? '/', locale).catch((error) => {
    ctx.log.error({ err: error }, 'the page for a confirmation was not found')
    return undefined
  })

/** Responds with the page of the form, with its values, and each problem at its field or above the form. */
export const formRefusedResponse = (
  ctx: Context,
  form: Form,
  request: Request,
  submitted: SubmittedForm | undefined,
  error: unknown,
): Promise<Response> =>
  refusedFormResponse(ctx, request, submitted, error, {
    isField: (path) => form.fields.some(({ id }) => id === path),
    logMessage: 'the answers to a form were not stored',
    respond: (returnPage, locale, status, state) => {
      // Files are not among the values to show again.
      const values = Object.fromEntries(
        [...(submitted?.values ?? [])].map(([id, list]) => [id, list.filter((value) => typeof value === 'string')]),
      )
      const page = formPageOrFallback(ctx, returnPage, form, locale)
      const formState = { ...emptyFormState(form), values, ...state }
      return formPageResponse(ctx, page, locale, status, { ...emptyContact, form: formState })
    },
  })

/**
 * Responds to a form that was refused, or failed with an unexpected error, which is logged unless the database is unavailable.
 * @param form.isField whether the path of a problem is that of a field
 * @param form.respond renders the form: on the return page, or on its own when the database is unavailable
 */
export async function refusedFormResponse(
  ctx: Context,
  request: Request,
  submitted: Pick<SubmittedForm, 'locale' | 'page'> | undefined,
  error: unknown,
  form: {
    isField: (path: string) => boolean
    logMessage: string
    respond: (
      returnPage: ReturnPage | undefined,
      locale: Locale,
      status: number,
      state: Pick<FormState, 'errors' | 'failure'>,
    ) => Promise<Response>
  },
): Promise<Response> {
  const locale = submitted?.locale ?? requestLocale(request, ctx.site.locales, rootLocaleOf(ctx.site))
  const returnPage = await getReturnPage(ctx, submitted?.page ?? '/', locale).catch((pageError) => {
    if (!isDatabaseUnavailable(pageError)) ctx.log.error({ err: pageError }, 'the page of a form was not found')
    return undefined
  })
  // Every site has a home page to return to, so without a page the database is unavailable.
  const refusal = returnPage ? refusalOf(error, 'contact_failed') : new Refusal('unavailable', { retryAfter: 30 })
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, form.logMessage)
  const t = siteTranslator(ctx.site, locale)
  const { atFields = [], elsewhere = [] } = Object.groupBy(problemMessages(refusal.problems, locale, t), ({ path }) =>
    form.isField(path) ? 'atFields' : 'elsewhere',
  )
  const otherProblems = elsewhere.map(({ path, message }) => `${path}: ${message}`)
  const detail = [t(`errors.${refusal.code}.detail`), ...otherProblems].join(' ')
  const failure = {
    title: t('contact.failureTitle'),
    text: refusal.code === 'contact_failed' ? t('contact.failureText') : detail,
  }
  const isFailureShown = refusal.code !== 'invalid' || elsewhere.length > 0
  const response = await form.respond(returnPage, locale, refusal.status, {
    // Reversed, so that the first of several problems at a field is the one that stays.
    errors: Object.fromEntries(atFields.toReversed().map(({ path, message }) => [path, message])),
    ...(isFailureShown && { failure }),
  })
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}

/**
 * The state of a sent form with its confirmation; undefined if the signature is wrong, or `findForm` finds no
 * form any more.
 */
export async function readFormConfirmation(
  ctx: Context,
  locale: Locale,
  signedReference: string | null,
  id: string | null,
): Promise<FormState | undefined> {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{16})$/.exec(signedReference ?? '') ?? []
  if (!id || !verifySignature(ctx.secret, 'sent', `${id}:${Number(reference)}`, signature)) return undefined
  const form = await findForm(ctx, id)
  return form && { ...emptyFormState(form), confirmation: await loadConfirmation(ctx, form, Number(reference), locale) }
}

const emptyContact = { values: {}, errors: {} }

/** Renders a page for one visitor with the state of its forms. */
export const formPageResponse = async (
  ctx: Context,
  page: ReturnPage,
  locale: Locale,
  status: number,
  contact: ContactState,
): Promise<Response> =>
  page.query === undefined
    ? privatePageResponse(await loadUncachedProps(ctx, locale, page), page, locale, { contact, status })
    : searchPageWithForm(ctx, page.query, locale, status, contact)

/** Returns the page if it shows the form, and otherwise a page with only the form. */
export const formPageOrFallback = (
  ctx: Context,
  page: ReturnPage | undefined,
  form: Form,
  locale: Locale,
): ReturnPage => (page && findBlockWithForm(ctx, page, form, locale) ? page : formOnlyPage(ctx, form, locale))

export const emptyFormState = (form: Form): FormState => ({
  id: form.id,
  definition: form,
  values: {},
  errors: {},
})

/** The block with the form on a page, in its header or in its footer; undefined for a deleted form. */
const findBlockWithForm = (ctx: Context, page: LivePage, { id }: Form, locale: Locale) =>
  ctx.site.forms?.some((form) => form.id === id)
    ? findFormBlock([...page.body, ...areaBlocks(ctx.site, locale)], id, audienceOf(ctx))
    : undefined

/** The audience whose blocks the visitor sees. */
export const audienceOf = ({ actor }: Pick<Context, 'actor'>) => (actor ? 'logged-in' : 'logged-out')

const loadConfirmation = async (
  ctx: Context,
  { fields }: Form,
  reference: number,
  locale: Locale,
): Promise<Confirmation> => ({
  reference: referenceNumber(reference, locale),
  ...(fields.some(({ kind }) => kind === 'appointment') && {
    calendar: await findCalendarPath(ctx, reference).catch(() => undefined),
  }),
})

/** Creates a page with only the form, for a form that its page no longer shows. */
const formOnlyPage = (ctx: Context, form: Form, locale: Locale): LivePage => {
  const title = localized(form.name, locale).value
  const block = { type: 'form', showIf: 'always', anchor: '', title, intro: '', form: form.id }
  return createSingleBlockPage(ctx, locale, { slug: 'formulier', title, block })
}

/** Creates a page with one block, which needs no database and is never stored. */
export const createSingleBlockPage = (
  { site }: Pick<Context, 'site'>,
  locale: Locale,
  { slug, title, block }: { slug: string; title: string; block: { type: string } },
): LivePage => ({
  id: 0,
  path: '/',
  slug,
  title,
  description: '',
  seoTitle: '',
  picture: '',
  noindex: true,
  body: [block as LivePage['body'][number]],
  updated: '',
  sections: [],
  contentLocale: locale,
  // The language switch leads to the home pages.
  alternates: site.locales.map((alternate) => ({ locale: alternate, path: localizedPath('/', alternate, site) })),
})
