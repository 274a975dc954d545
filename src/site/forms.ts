import { formsOn } from '../blocks/block-contents.ts'
import type { ContactState, FormState, SentForm } from '../blocks/define-block.ts'
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
import { isSignature, sign } from '../platform/signature.ts'
import { findContactPage, privatePage, uncachedProps } from './site-pages.ts'

/** The parameter beside `urlParameters.sent` that names the form. */
export const sentFormParameter = 'formulier'

/**
 * Redirects to the page with the confirmation, whose URL is signed. Where the form is no longer on the page, the
 * confirmation stands on a page of its own.
 */
export async function formAcceptedPage(
  ctx: Context,
  form: Form,
  submitted: Pick<SubmittedForm, 'locale' | 'page'>,
  reference: number,
): Promise<Response> {
  const { locale } = submitted
  const page = await findContactPage(ctx, submitted.page ?? '/', locale)
  if (!isOn(ctx, page, form)) {
    const sent = await sentState(ctx, form, reference, locale)
    return showForm(ctx, formOnlyPage(ctx, form, locale), locale, 200, {
      ...emptyContact,
      form: { ...stateOf(form), sent },
    })
  }
  const query = `${urlParameters.sent}=${reference}.${sign(ctx.secret, 'sent', `${form.id}:${reference}`)}&${sentFormParameter}=${form.id}`
  const location = `${encodeURI(localizedPath(page.path, locale, ctx.site))}?${query}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/** Shows the form again with the input, and each problem at its field or above the form. */
export async function formRefusedPage(
  ctx: Context,
  form: Form,
  request: Request,
  submitted: SubmittedForm | undefined,
  error: unknown,
): Promise<Response> {
  const locale = submitted?.locale ?? requestLocale(request, ctx.site.locales, rootLocaleOf(ctx.site))
  const found = await findContactPage(ctx, submitted?.page ?? '/', locale).catch(() => undefined)
  // Without a page the database is unavailable.
  const refusal = found ? refusalOf(error, 'contact_failed') : new Refusal('unavailable', { retryAfter: 30 })
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, 'the answers to a form were not stored')
  const t = siteTranslator(ctx.site, locale)
  const messages = problemMessages(refusal.problems, locale, t)
  const isField = (path: string) => form.fields.some(({ id }) => id === path)
  const elsewhere = messages.filter(({ path }) => !isField(path)).map(({ path, message }) => `${path}: ${message}`)
  const inFields = refusal.code === 'invalid' && elsewhere.length === 0
  const state: FormState = {
    ...stateOf(form),
    values: Object.fromEntries(
      [...(submitted?.values ?? [])].map(([id, list]) => [id, list.filter((one) => typeof one === 'string')]),
    ),
    errors: Object.fromEntries(
      messages.filter(({ path }) => isField(path)).map(({ path, message }) => [path, message]),
    ),
    ...(!inFields && {
      failure: {
        title: t('contact.failureTitle'),
        text:
          refusal.code === 'contact_failed'
            ? t('contact.failureText')
            : [t(`errors.${refusal.code}.detail`), ...elsewhere].join(' '),
      },
    }),
  }
  const page = formPage(ctx, found, form, locale)
  const response = await showForm(ctx, page, locale, refusal.status, { ...emptyContact, form: state })
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}

/** The confirmation after submitting a form, when the signature in the URL is valid. */
export async function sentForm(
  ctx: Context,
  locale: Locale,
  signed: string | null,
  id: string | null,
): Promise<FormState | undefined> {
  const [, reference = '', signature = ''] = /^(\d{1,15})\.([\w-]{16})$/.exec(signed ?? '') ?? []
  if (!id || !isSignature(ctx.secret, 'sent', `${id}:${Number(reference)}`, signature)) return undefined
  const form = await findForm(ctx, id)
  return form && { ...stateOf(form), sent: await sentState(ctx, form, Number(reference), locale) }
}

const emptyContact = { values: {}, errors: {} }

/** A page for one visitor with the state of its form. */
export const showForm = async (
  ctx: Context,
  page: LivePage,
  locale: Locale,
  status: number,
  contact: ContactState,
): Promise<Response> => privatePage(await uncachedProps(ctx, locale, page), page, locale, { contact, status })

/** The page, when it shows the form, and otherwise one with only the form. */
export const formPage = (ctx: Context, page: LivePage | undefined, form: Form, locale: Locale): LivePage =>
  page && isOn(ctx, page, form) ? page : formOnlyPage(ctx, form, locale)

export const stateOf = (form: Form): FormState => ({ id: form.id, former: form, values: {}, errors: {} })

/** Whether a page shows the form; a deleted form is not rendered. */
const isOn = ({ site }: Context, page: LivePage, { id }: Form): boolean =>
  formsOn(page.body).includes(id) && site.forms?.some((form) => form.id === id) === true

const sentState = async (ctx: Context, { fields }: Form, reference: number, locale: Locale): Promise<SentForm> => ({
  reference: referenceNumber(reference, locale),
  ...(fields.some(({ kind }) => kind === 'appointment') && { calendar: await findCalendarPath(ctx, reference) }),
})

/** A page with only the form, for one that its page no longer shows; it needs no database. */
const formOnlyPage = ({ site }: Context, form: Form, locale: Locale): LivePage => {
  const title = localized(form.name, locale).value
  return {
    id: 0,
    path: '/',
    slug: 'formulier',
    title,
    description: '',
    seoTitle: '',
    picture: '',
    noindex: true,
    body: [{ type: 'form', showIf: 'always', anchor: '', title, intro: '', form: form.id } as LivePage['body'][number]],
    updated: '',
    sections: [],
    contentLocale: locale,
    alternates: site.locales.map((one) => ({ locale: one, path: localizedPath('/', one, site) })),
  }
}
