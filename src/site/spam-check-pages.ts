import type { SpamQuestion } from '../blocks/define-block.ts'
import type { Refusal } from '../contract/errors.ts'
import { contactFormId } from '../contract/form-fields.ts'
import { rootLocaleOf } from '../contract/locales.ts'
import { findForm } from '../domain/configuration/find-form.ts'
import { addendsOf, type SpamCheck } from '../domain/messages/spam-check.ts'
import { refusalHeaders, refusalOf } from '../http/problem.ts'
import { requestLocale } from '../http/request-locale.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { contactAcceptedPage, contactPage } from './contact.ts'
import { formAcceptedPage, formPage, showForm, stateOf } from './forms.ts'
import { errorPage, findContactPage, uncachedProps } from './site-pages.ts'

/** The page with the anti-spam question for the sender of a suspected message, in place of the form that was sent. */
export async function spamQuestionPage(
  ctx: Context,
  { token, reference, formId, attempt, locale, page }: SpamCheck,
  problem?: Refusal | 'wrong',
): Promise<Response> {
  const t = siteTranslator(ctx.site, locale)
  const addends = addendsOf(ctx, reference, attempt)
  const question: SpamQuestion = {
    action: `/api/checks/${token}/answer`,
    attempt,
    addends,
    problem: problem && (problem === 'wrong' ? t('contact.wrongAnswer') : t(`errors.${problem.code}.detail`)),
  }
  const status = problem === 'wrong' ? 422 : (problem?.status ?? 200)
  const form = formId === contactFormId ? undefined : await findForm(ctx, formId)
  const found = await findContactPage(ctx, page ?? '/', locale)
  const empty = { values: {}, errors: {} }
  return form
    ? showForm(ctx, formPage(ctx, found, form, locale), locale, status, {
        ...empty,
        form: { ...stateOf(form), question },
      })
    : showForm(ctx, contactPage(ctx, found, locale), locale, status, {
        ...empty,
        question,
      })
}

/** The confirmation after the right answer. */
export async function spamCheckPassedPage(ctx: Context, { reference, formId, ...at }: SpamCheck): Promise<Response> {
  const form = formId === contactFormId ? undefined : await findForm(ctx, formId)
  return form ? formAcceptedPage(ctx, form, at, reference) : contactAcceptedPage(ctx, at, reference)
}

/** Asks the question again after too many answers; any other refusal gets a page with its message. */
export async function spamCheckRefusedPage(
  ctx: Context,
  request: Request,
  error: unknown,
  asked: SpamCheck | undefined,
): Promise<Response> {
  const refusal = refusalOf(error)
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, 'the sender of a message was not checked')
  const { site } = ctx
  const locale = asked?.locale ?? requestLocale(request, site.locales, rootLocaleOf(site))
  const response =
    asked && refusal.code === 'too_many'
      ? await spamQuestionPage(ctx, asked, refusal)
      : errorPage(await uncachedProps(ctx, locale), locale, '/', refusal.status, refusal.code)
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}
