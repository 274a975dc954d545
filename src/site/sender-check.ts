import { hasContactForm } from '../blocks/block-contents.ts'
import type { SenderQuestion } from '../blocks/define-block.ts'
import { contactFormId } from '../contract/form-fields.ts'
import { findForm } from '../domain/configuration/find-form.ts'
import { questionOf } from '../domain/messages/check-sender.ts'
import type { Context } from '../platform/context.ts'
import { contactAcceptedPage, contactOnlyPage } from './contact.ts'
import { formAcceptedPage, formPage, showForm, stateOf } from './forms.ts'
import { findContactPage } from './site-pages.ts'

interface At {
  locale: string
  page: string | undefined
}

/** Asks the sender of a suspected message a question, in the place of the form that was sent. */
export async function senderQuestionPage(
  ctx: Context,
  check: { token: string; reference: number; formId: string; attempt: number; isWrong: boolean },
  { locale, page }: At,
): Promise<Response> {
  const [one, other] = questionOf(ctx, check.reference, check.attempt)
  const question: SenderQuestion = {
    action: `/api/checks/${check.token}/answer`,
    attempt: check.attempt,
    one,
    other,
    isWrong: check.isWrong,
  }
  const status = check.isWrong ? 422 : 200
  const form = check.formId === contactFormId ? undefined : await findForm(ctx, check.formId)
  const found = await findContactPage(ctx, page ?? '/', locale)
  const empty = { values: {}, errors: {} }
  return form
    ? showForm(ctx, formPage(ctx, found, form, locale), locale, status, {
        ...empty,
        form: { ...stateOf(form), question },
      })
    : showForm(ctx, hasContactForm(found.body) ? found : contactOnlyPage(ctx, locale), locale, status, {
        ...empty,
        question,
      })
}

/** The confirmation after the right answer. */
export async function senderPassedPage(
  ctx: Context,
  { reference, formId }: { reference: number; formId: string },
  at: At,
): Promise<Response> {
  const form = formId === contactFormId ? undefined : await findForm(ctx, formId)
  return form ? formAcceptedPage(ctx, form, at, reference) : contactAcceptedPage(ctx, at, reference)
}
