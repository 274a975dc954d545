import { z } from '@hono/zod-openapi'
import { honeypotField } from '../contract/contact.ts'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import type { Form } from '../contract/form-fields.ts'
import { type FormAnswer, messageOf } from '../contract/forms.ts'
import { languageTag } from '../contract/language-tag.ts'
import { limits } from '../contract/limits.ts'
import { builtInLocales, type Localized, localized, rootLocaleOf } from '../contract/locales.ts'
import { findForm, listFormerForms } from '../domain/configuration/find-form.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { calendarPath, getCalendar } from '../domain/messages/appointment.ts'
import { checkAttachments } from '../domain/messages/attachments.ts'
import { receiveMessage, refuseAboveMessageLimit } from '../domain/messages/receive-message.ts'
import { createApi, defineRoute, refusalResponse, untypedResponse } from '../http/api.ts'
import { wantsHtml } from '../http/contact-body.ts'
import { readFormPost, type SubmittedForm, validateForm, withFormPost } from '../http/form-body.ts'
import { createConcurrencyLimit, type RateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { createCheck, questionUrl } from './checks.ts'
import { formBody, formResponses, plainSchema } from './contact.ts'

/** The JSON body; its other members are the fields of the form. */
const formFields: object = {
  type: 'object',
  properties: {
    taal: plainSchema(languageTag.describe('The language of the answer; without it that of Accept-Language')),
    [honeypotField]: { type: 'string', description: 'A honeypot: leave it empty; a message that fills it in is spam' },
  },
  additionalProperties: {
    description: 'The answer to the field with this id; of a field of several options a list',
  },
}

/** The HTML responses for a form without JavaScript. */
interface FormPages {
  accepted(ctx: Context, form: Form, submitted: SubmittedForm, reference: number): Promise<Response>
  refused(
    ctx: Context,
    form: Form,
    request: Request,
    submitted: SubmittedForm | undefined,
    error: unknown,
  ): Promise<Response>
}

export interface FormDependencies {
  /** Counts every post, together with those of the contact form; without it, posts are not limited. */
  postLimit?: RateLimit | undefined
  formPages: FormPages
}

/** `POST /forms/{id}`: JSON for programs and for the form with JavaScript, an HTML page for the form without. */
export function formsApi(dependencies: FormDependencies) {
  const runLimited = createConcurrencyLimit({
    perKey: limits.formPostsAtOncePerAddress,
    inAll: limits.formPostsAtOnce,
  })
  const api = createApi('contact_failed').openapi(
    defineRoute('post', '/forms/{id}', {
      summary: 'Send the answers to a form',
      description: 'The forms and their fields are part of the configuration.',
      request: {
        params: z.object({ id: z.string().max(40) }),
        body: formBody(formFields),
      },
      responses: { ...formResponses('the recipients of the form'), 404: refusalResponse('There is no such form') },
    }),
    async (c) => {
      const { ctx, clientAddress } = c.var
      const pages = wantsHtml(c.req.raw) ? dependencies.formPages : undefined
      // The language of a refusal before the body is read: one of the site or of the built-in texts.
      c.set('locale', requestLocale(c.req.raw, [...ctx.site.locales, ...builtInLocales], rootLocaleOf(ctx.site)))
      const id = c.req.param('id') ?? ''
      let form = ctx.site.forms?.find((candidate) => candidate.id === id)
      let submitted: SubmittedForm | undefined
      try {
        dependencies.postLimit?.count(addressGroup(clientAddress))
        form ??= await findForm(ctx, id)
        if (!form) throw new Refusal('not_found')
        const currentForm = form
        const receive = async (post: SubmittedForm) => {
          submitted = post
          const { locale, honeypot } = post
          c.set('locale', locale)
          const { form: matchedForm, answers, files: postedFiles } = await validateAnswers(ctx, currentForm, post)
          // The files of spam are not stored; its answers name them.
          const filesByField = honeypot ? [] : [...postedFiles]
          const files = filesByField.flatMap(([field, list]) => list.map((file) => ({ ...file, field })))
          if (files.length > 0) await refuseAboveMessageLimit(ctx, clientAddress)
          const attachments = await checkAttachments(ctx, files, {
            address: clientAddress,
            signal: c.req.raw.signal,
          })
          const received = await receiveMessage(ctx, {
            message: messageOf(matchedForm, answers, locale),
            form: { form: { ...currentForm, fields: matchedForm.fields }, answers },
            attachments,
            honeypot,
            moment: post.moment,
            locale,
            address: clientAddress,
            page: post.page,
          })
          return { post, ...received, hasAppointment: answers.some(({ slot }) => slot) }
        }
        const { post, reference, canPassSpamCheck, hasAppointment } = await withFormPost(
          ctx,
          c.req.raw,
          currentForm,
          // Other posts are as small as those of the contact form, and slow ones must not keep visitors from sending.
          (task) => runLimited(addressGroup(clientAddress), task),
          receive,
        )

        if (pages && canPassSpamCheck) return untypedResponse(c.redirect(questionUrl(ctx, reference, post), 303))
        if (pages) return untypedResponse(await pages.accepted(ctx, form, post, reference))
        const { locale } = post
        const t = siteTranslator(ctx.site, locale)
        const textOr = (text: Localized<string> | undefined, fallback: string) =>
          text ? localized(text, locale).value : fallback
        const body = {
          id: reference,
          title: textOr(form.thanks?.title, t('contact.successTitle')),
          text: textOr(form.thanks?.text, t('contact.successText')),
          ...(canPassSpamCheck && post.moment !== undefined && { check: await createCheck(ctx, reference) }),
          ...(hasAppointment && { calendar: calendarPath(ctx, reference) }),
        }
        return c.json(body, 201, { 'Content-Language': locale })
      } catch (error) {
        if (!pages || !form) throw error
        // The limits refuse before the body is read; it is read here to fill in the form, unless files make it large.
        submitted ??= await readFormPost(c.req.raw, form, ctx.site).catch(() => undefined)
        return untypedResponse(await pages.refused(ctx, form, c.req.raw, submitted, error))
      }
    },
  )
  // Not in the group above: an error in a download must not get the code `contact_failed`.
  const calendarApi = createApi().openapi(
    defineRoute('get', '/forms/appointments/{file}', {
      summary: 'The calendar file of a proposed appointment',
      description: 'For the visitor who sent the form: the address is signed, and part of the response to the post.',
      request: { params: z.object({ file: z.string().max(60) }) },
      responses: {
        200: { description: 'iCalendar', content: { 'text/calendar': { schema: { type: 'string' } } } },
      },
    }),
    async (c) => {
      const { filename, contentType, content } = await getCalendar(c.var.ctx, c.req.valid('param').file)
      return c.body(content, 200, {
        'Content-Type': contentType,
        'Content-Disposition': `attachment; filename="${filename}"`,
        'Cache-Control': 'private, no-store',
      })
    },
  )
  api.all('/forms/:id', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return api.route('/', calendarApi)
}

/** The problems that can mean that the form was changed while the visitor filled it in. */
const changedFormKeys: readonly FieldProblem['key'][] = ['unknownField', 'formChoice']

/**
 * Validates the answers to a form. Answers that do not fit the current form are accepted if they fit a recent earlier
 * version of it, which the visitor may have filled in.
 * @throws {Refusal} `invalid`
 */
async function validateAnswers(
  ctx: Context,
  form: Form,
  submitted: SubmittedForm,
): Promise<{ form: Form; answers: FormAnswer[]; files: SubmittedForm['files'] }> {
  try {
    return { form, answers: validateForm(ctx, form, submitted), files: submitted.files }
  } catch (error) {
    const keys = error instanceof Refusal ? error.problems.map(({ key }) => key) : []
    // A new required field has no answer in an earlier version.
    const fits = keys.every((key) => changedFormKeys.includes(key) || key === 'required')
    if (!fits || !keys.some((key) => changedFormKeys.includes(key))) throw error
    for (const earlierForm of await listFormerForms(ctx, form.id)) {
      const post = submitted.readAs(earlierForm)
      try {
        return { form: earlierForm, answers: validateForm(ctx, earlierForm, post), files: post.files }
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem
      }
    }
    throw error
  }
}
