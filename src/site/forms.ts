import { areaBlocks, findFormBlock } from '../blocks/block-contents.ts'
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
import { searchPageWithForm } from './search.tsx'
import { findContactPage, type PageWithForm, privatePage, uncachedProps } from './site-pages.ts'

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
  const page = await findConfirmationPage(ctx, submitted)
  const block = page && findBlock(ctx, page, form, locale)
  if (!block) {
    const sent = page
      ? await sentState(ctx, form, reference, locale)
      : { reference: referenceNumber(reference, locale) }
    return showForm(ctx, formOnlyPage(ctx, form, locale), locale, 200, {
      ...emptyContact,
      form: { ...stateOf(form), sent },
    })
  }
  const sent = `${reference}.${sign(ctx.secret, 'sent', `${form.id}:${reference}`)}`
  const fragment = block.anchor && `#${block.anchor}`
  return redirectToConfirmation(
    ctx,
    page,
    locale,
    { [urlParameters.sent]: sent, [sentFormParameter]: form.id },
    fragment,
  )
}

/** Redirects to the page with the confirmation. */
export function redirectToConfirmation(
  { site }: Pick<Context, 'site'>,
  { path, query }: PageWithForm,
  locale: Locale,
  sent: Record<string, string>,
  fragment: string,
): Response {
  const parameters = new URLSearchParams([...new URLSearchParams(query), ...Object.entries(sent)])
  const location = `${encodeURI(localizedPath(path, locale, site))}?${parameters}${fragment}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/** The message is stored already, so an error, such as one of the database, is only logged. */
export const findConfirmationPage = (
  ctx: Context,
  { page, locale }: Pick<SubmittedForm, 'locale' | 'page'>,
): Promise<PageWithForm | undefined> =>
  findContactPage(ctx, page ?? '/', locale).catch((error) => {
    ctx.log.error({ err: error }, 'the page for a confirmation was not found')
    return undefined
  })

/** Shows the form again with the input, and each problem at its field or above the form. */
export const formRefusedPage = (
  ctx: Context,
  form: Form,
  request: Request,
  submitted: SubmittedForm | undefined,
  error: unknown,
): Promise<Response> =>
  refusedPage(ctx, request, submitted, error, {
    isField: (path) => form.fields.some(({ id }) => id === path),
    failed: 'the answers to a form were not stored',
    show: (found, locale, status, state) => {
      const values = Object.fromEntries(
        [...(submitted?.values ?? [])].map(([id, list]) => [id, list.filter((one) => typeof one === 'string')]),
      )
      const page = formPage(ctx, found, form, locale)
      return showForm(ctx, page, locale, status, { ...emptyContact, form: { ...stateOf(form), values, ...state } })
    },
  })

/**
 * The page with a form that was refused.
 * @param parts.failed what is logged of an unexpected error
 * @param parts.show renders the form: on its page, or on one of its own when the database is unavailable
 */
export async function refusedPage(
  ctx: Context,
  request: Request,
  submitted: Pick<SubmittedForm, 'locale' | 'page'> | undefined,
  error: unknown,
  parts: {
    isField: (path: string) => boolean
    failed: string
    show: (
      found: PageWithForm | undefined,
      locale: Locale,
      status: number,
      state: Pick<FormState, 'errors' | 'failure'>,
    ) => Promise<Response>
  },
): Promise<Response> {
  const locale = submitted?.locale ?? requestLocale(request, ctx.site.locales, rootLocaleOf(ctx.site))
  const found = await findContactPage(ctx, submitted?.page ?? '/', locale).catch(() => undefined)
  // Without a page the database is unavailable.
  const refusal = found ? refusalOf(error, 'contact_failed') : new Refusal('unavailable', { retryAfter: 30 })
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, parts.failed)
  const t = siteTranslator(ctx.site, locale)
  const { atFields = [], elsewhere = [] } = Object.groupBy(problemMessages(refusal.problems, locale, t), ({ path }) =>
    parts.isField(path) ? 'atFields' : 'elsewhere',
  )
  const others = elsewhere.map(({ path, message }) => `${path}: ${message}`)
  const detail = [t(`errors.${refusal.code}.detail`), ...others].join(' ')
  const failure = {
    title: t('contact.failureTitle'),
    text: refusal.code === 'contact_failed' ? t('contact.failureText') : detail,
  }
  const response = await parts.show(found, locale, refusal.status, {
    // Of several problems at a field, the first.
    errors: Object.fromEntries(atFields.toReversed().map(({ path, message }) => [path, message])),
    ...((refusal.code !== 'invalid' || elsewhere.length > 0) && { failure }),
  })
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
  page: PageWithForm,
  locale: Locale,
  status: number,
  contact: ContactState,
): Promise<Response> =>
  page.query === undefined
    ? privatePage(await uncachedProps(ctx, locale, page), page, locale, { contact, status })
    : searchPageWithForm(ctx, page.query, locale, status, contact)

/** The page, when it shows the form, and otherwise one with only the form. */
export const formPage = (ctx: Context, page: PageWithForm | undefined, form: Form, locale: Locale): PageWithForm =>
  page && findBlock(ctx, page, form, locale) ? page : formOnlyPage(ctx, form, locale)

export const stateOf = (form: Form): FormState => ({ id: form.id, former: form, values: {}, errors: {} })

/** The block of a page, its header or its footer that shows the form; a deleted form is not rendered. */
const findBlock = (ctx: Context, page: LivePage, { id }: Form, locale: Locale) =>
  ctx.site.forms?.some((form) => form.id === id)
    ? findFormBlock([...page.body, ...areaBlocks(ctx.site, locale)], id, audienceOf(ctx))
    : undefined

/** For blocks that only those who are signed in see, or only others. */
export const audienceOf = ({ actor }: Pick<Context, 'actor'>) => (actor ? 'logged-in' : 'logged-out')

const sentState = async (ctx: Context, { fields }: Form, reference: number, locale: Locale): Promise<SentForm> => ({
  reference: referenceNumber(reference, locale),
  ...(fields.some(({ kind }) => kind === 'appointment') && {
    calendar: await findCalendarPath(ctx, reference).catch(() => undefined),
  }),
})

/** For a form that its page no longer shows. */
const formOnlyPage = (ctx: Context, form: Form, locale: Locale): LivePage => {
  const title = localized(form.name, locale).value
  const block = { type: 'form', showIf: 'always', anchor: '', title, intro: '', form: form.id }
  return pageOfForm(ctx, locale, { slug: 'formulier', title, block })
}

/** A page with only a form, which needs no database. */
export const pageOfForm = (
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
  alternates: site.locales.map((one) => ({ locale: one, path: localizedPath('/', one, site) })),
})
