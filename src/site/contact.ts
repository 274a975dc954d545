import { areaBlocks, hasContactForm } from '../blocks/block-contents.ts'
import type { Confirmation, ContactState } from '../blocks/define-block.ts'
import { offerSubject } from '../blocks/offer.tsx'
import { urlParameters } from '../contract/collections.ts'
import { contactFields } from '../contract/contact.ts'
import type { Locale } from '../contract/locales.ts'
import type { LivePage } from '../domain/pages/find-live-page.ts'
import { contactValues, type SubmittedContact } from '../http/contact-body.ts'
import { referenceNumber } from '../i18n/dates.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { sign, verifySignature } from '../platform/signature.ts'
import {
  audienceOf,
  createSingleBlockPage,
  findConfirmationPage,
  formPageResponse,
  redirectToConfirmation,
  refusedFormResponse,
} from './forms.ts'
import { createRenderContext } from './render-context.ts'
import type { ReturnPage } from './site-pages.ts'

/**
 * Redirects to the page of the message, with the signed reference in the URL, where the confirmation is shown. If that
 * page lacks a contact form now, responds with a page of only the confirmation.
 * @param id the number of the stored message
 */
export async function contactAcceptedResponse(
  ctx: Context,
  submitted: Pick<SubmittedContact, 'locale' | 'page'>,
  id: number,
): Promise<Response> {
  const { locale } = submitted
  const page = await findConfirmationPage(ctx, submitted)
  if (!page || !showsContactForm(ctx, page, locale)) {
    const confirmation = { reference: referenceNumber(id, locale) }
    return formPageResponse(ctx, contactOnlyPage(ctx, locale), locale, 200, { values: {}, errors: {}, confirmation })
  }
  const signedReference = `${id}.${sign(ctx.secret, 'sent', String(id))}`
  return redirectToConfirmation(ctx, page, locale, { [urlParameters.sent]: signedReference }, '#contact')
}

/** Responds with the page of the form, with its values, and each problem at its field or above the form. */
export const contactRefusedResponse = (
  ctx: Context,
  request: Request,
  submitted: SubmittedContact | undefined,
  error: unknown,
): Promise<Response> =>
  refusedFormResponse(ctx, request, submitted, error, {
    isField,
    logMessage: 'a contact message was not stored',
    respond: (returnPage, locale, status, state) =>
      formPageResponse(ctx, contactPageOrFallback(ctx, returnPage, locale), locale, status, {
        values: submitted ? contactValues(submitted) : {},
        ...state,
      }),
  })

/** Returns the page if it shows a contact form, and otherwise a page with only the form. */
export const contactPageOrFallback = (
  ctx: Pick<Context, 'site' | 'actor'>,
  page: ReturnPage | undefined,
  locale: Locale,
): ReturnPage => (page && showsContactForm(ctx, page, locale) ? page : contactOnlyPage(ctx, locale))

/** Whether a contact form is on the page, or in its header or footer. */
const showsContactForm = (ctx: Pick<Context, 'site' | 'actor'>, page: LivePage, locale: Locale): boolean =>
  hasContactForm([...page.body, ...areaBlocks(ctx.site, locale)], audienceOf(ctx))

/** Creates a page with only the contact form, which needs no database. */
function contactOnlyPage({ site }: Pick<Context, 'site'>, locale: Locale): LivePage {
  const t = siteTranslator(site, locale)
  const title = t('contact.title')
  const block = {
    type: 'contact-form',
    showIf: 'always',
    anchor: 'contact',
    title,
    intro: t('contact.intro'),
    note: '',
  }
  return createSingleBlockPage({ site }, locale, { slug: '', title, block })
}

const isField = (path: string) => (contactFields as readonly string[]).includes(path)

/** The contact form about an offer item. Undefined without a form, or for an unknown id, to limit cached variants. */
export function prefillOfferMessage(
  ctx: Context,
  page: LivePage,
  locale: Locale,
  id: string | null,
): ContactState | undefined {
  const item = [...ctx.site.offer.prices, ...ctx.site.offer.subscriptions].find((offerItem) => offerItem.id === id)
  if (!item || !hasContactForm(page.body)) return undefined
  const { contentLocale } = page
  const context = createRenderContext({
    site: ctx.site,
    menuPages: ctx.menuPages,
    locale,
    contentLocale,
    path: page.path,
    now: ctx.now(),
    viewer: undefined,
  })
  return {
    values: { bericht: offerSubject(item, { ...context, t: siteTranslator(ctx.site, contentLocale) }) },
    errors: {},
  }
}

/** The confirmation for a reference in the URL (`number.signature`); undefined if the signature is wrong. */
export function readContactConfirmation(
  ctx: Context,
  locale: Locale,
  signedReference: string | null,
): Confirmation | undefined {
  const [, id = '', signature = ''] = /^(\d{1,15})\.([\w-]{16})$/.exec(signedReference ?? '') ?? []
  if (!verifySignature(ctx.secret, 'sent', String(Number(id)), signature)) return undefined
  return { reference: referenceNumber(Number(id), locale) }
}
