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
import { contactAcceptedResponse, contactPageOrFallback } from './contact.ts'
import { emptyFormState, formAcceptedResponse, formPageOrFallback, formPageResponse } from './forms.ts'
import { errorPageResponse, getReturnPage, loadUncachedProps } from './site-pages.ts'

/** Responds with the page of a form, with the spam question in its place. @param problem of the previous answer */
export async function spamQuestionResponse(
  ctx: Context,
  { token, reference, formId, attempt, locale, page }: SpamCheck,
  problem?: Refusal | 'wrong',
): Promise<Response> {
  const t = siteTranslator(ctx.site, locale)
  const addends = addendsOf(ctx, reference, attempt)
  const spamQuestion: SpamQuestion = {
    action: `/api/checks/${token}/answer`,
    attempt,
    addends,
    problem: problem && (problem === 'wrong' ? t('contact.wrongAnswer') : t(`errors.${problem.code}.detail`)),
  }
  const status = problem === 'wrong' ? 422 : (problem?.status ?? 200)
  const form = formId === contactFormId ? undefined : await findForm(ctx, formId)
  const returnPage = await getReturnPage(ctx, page ?? '/', locale)
  const empty = { values: {}, errors: {} }
  return form
    ? formPageResponse(ctx, formPageOrFallback(ctx, returnPage, form, locale), locale, status, {
        ...empty,
        form: { ...emptyFormState(form), spamQuestion },
      })
    : formPageResponse(ctx, contactPageOrFallback(ctx, returnPage, locale), locale, status, { ...empty, spamQuestion })
}

/** Responds to the right answer with the confirmation of the form. */
export async function spamCheckPassedResponse(ctx: Context, spamCheck: SpamCheck): Promise<Response> {
  const { reference, formId } = spamCheck
  const form = formId === contactFormId ? undefined : await findForm(ctx, formId)
  return form
    ? formAcceptedResponse(ctx, form, spamCheck, reference)
    : contactAcceptedResponse(ctx, spamCheck, reference)
}

/** Responds to a refused answer with the question again after too many answers, otherwise with an error page. */
export async function spamCheckRefusedResponse(
  ctx: Context,
  request: Request,
  error: unknown,
  spamCheck: SpamCheck | undefined,
): Promise<Response> {
  const refusal = refusalOf(error)
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, 'the sender of a message was not checked')
  const { site } = ctx
  const locale = spamCheck?.locale ?? requestLocale(request, site.locales, rootLocaleOf(site))
  const response =
    spamCheck && refusal.code === 'too_many'
      ? await spamQuestionResponse(ctx, spamCheck, refusal)
      : errorPageResponse(await loadUncachedProps(ctx, locale), locale, '/', refusal.status, refusal.code)
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}
