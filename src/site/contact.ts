import { areaBlocks, hasContactForm } from '../blocks/block-contents.ts'
import type { ContactState } from '../blocks/define-block.ts'
import { offerSubject } from '../blocks/offer.tsx'
import { urlParameters } from '../contract/collections.ts'
import { contactFields } from '../contract/contact.ts'
import type { Locale } from '../contract/locales.ts'
import type { LivePage } from '../domain/pages/find-live-page.ts'
import { contactValues, type SubmittedContact } from '../http/contact-body.ts'
import { referenceNumber } from '../i18n/dates.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { isSignature, sign } from '../platform/signature.ts'
import { audienceOf, findConfirmationPage, pageOfForm, redirectToConfirmation, refusedPage, showForm } from './forms.ts'
import { createRenderContext } from './render-context.ts'
import type { PageWithForm } from './site-pages.ts'

/**
 * Redirects to the page with the confirmation. The number in its URL is signed, so that the page cannot be forged. Where the page
 * cannot be found or shows no contact form any more, the confirmation stands on a page of its own.
 */
export async function contactAcceptedPage(
  ctx: Context,
  submitted: Pick<SubmittedContact, 'locale' | 'page'>,
  id: number,
): Promise<Response> {
  const { locale } = submitted
  const page = await findConfirmationPage(ctx, submitted)
  if (!page || !showsContactForm(ctx, page, locale)) {
    const sent = { reference: referenceNumber(id, locale) }
    return showForm(ctx, contactOnlyPage(ctx, locale), locale, 200, { values: {}, errors: {}, sent })
  }
  const sent = `${id}.${sign(ctx.secret, 'sent', String(id))}`
  return redirectToConfirmation(ctx, page, locale, { [urlParameters.sent]: sent }, '#contact')
}

/** Shows the form again with the input, and each problem at its field or above the form. */
export const contactRefusedPage = (
  ctx: Context,
  request: Request,
  submitted: SubmittedContact | undefined,
  error: unknown,
): Promise<Response> =>
  refusedPage(ctx, request, submitted, error, {
    isField,
    failed: 'a contact message was not stored',
    show: (found, locale, status, state) =>
      showForm(ctx, contactPage(ctx, found, locale), locale, status, {
        values: submitted ? contactValues(submitted) : {},
        ...state,
      }),
  })

/** The page, when it shows a contact form, and otherwise one with only the form. */
export const contactPage = (
  ctx: Pick<Context, 'site' | 'actor'>,
  page: PageWithForm | undefined,
  locale: Locale,
): PageWithForm => (page && showsContactForm(ctx, page, locale) ? page : contactOnlyPage(ctx, locale))

/** Whether a contact form is on the page, or in its header or footer. */
const showsContactForm = (ctx: Pick<Context, 'site' | 'actor'>, page: LivePage, locale: Locale): boolean =>
  hasContactForm([...page.body, ...areaBlocks(ctx.site, locale)], audienceOf(ctx))

/** A page with only the form, which needs no database. */
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
  return pageOfForm({ site }, locale, { slug: '', title, block })
}

const isField = (path: string) => (contactFields as readonly string[]).includes(path)

/** Prefills the form with the product that the URL names; unknown ids are ignored, to limit the cached variants. */
export function messageAbout(
  ctx: Context,
  page: LivePage,
  locale: Locale,
  id: string | null,
): ContactState | undefined {
  const item = [...ctx.site.offer.prices, ...ctx.site.offer.subscriptions].find((one) => one.id === id)
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

/** The confirmation after submitting the form, when the signature in the URL is valid. */
export function sentMessage(ctx: Context, locale: Locale, signed: string | null): ContactState['sent'] {
  const [, id = '', signature = ''] = /^(\d{1,15})\.([\w-]{16})$/.exec(signed ?? '') ?? []
  if (!isSignature(ctx.secret, 'sent', String(Number(id)), signature)) return undefined
  return { reference: referenceNumber(Number(id), locale) }
}
