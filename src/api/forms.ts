import { z } from '@hono/zod-openapi'
import { honeypotField } from '../contract/contact.ts'
import { type FieldProblem, Refusal } from '../contract/errors.ts'
import type { Form } from '../contract/form-fields.ts'
import { type FormAnswer, messageOf } from '../contract/forms.ts'
import { languageTag } from '../contract/language-tag.ts'
import { limits } from '../contract/limits.ts'
import { type Localized, localized, programLocales, rootLocaleOf } from '../contract/locales.ts'
import { findForm, listFormerForms } from '../domain/configuration/find-form.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { calendarPath, getCalendar } from '../domain/messages/appointment.ts'
import { checkAttachments } from '../domain/messages/attachments.ts'
import { receiveMessage, requireRoomForMessage } from '../domain/messages/receive-message.ts'
import { createApi, defineRoute, refusalResponse, untyped } from '../http/api.ts'
import { wantsHtml } from '../http/contact-body.ts'
import { readFormPost, type SubmittedForm, validateForm, withFormPost } from '../http/form-body.ts'
import { createConcurrencyLimit, type RateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { createCheck, questionUrl } from './checks.ts'
import { formBody, formResponses, plainSchema } from './contact.ts'

/** The JSON body; its other members are the fields of the form. */
const posted: object = {
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

export interface FormParts {
  /** Counts every post, together with those of the contact form; without it, posts are not limited. */
  attempts?: RateLimit | undefined
  formPages: FormPages
}

/** `POST /forms/{id}`: JSON for programs and for the form with JavaScript, an HTML page for the form without. */
export function formsApi(parts: FormParts) {
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
        body: formBody(posted),
      },
      responses: { ...formResponses('the recipients of the form'), 404: refusalResponse('There is no such form') },
    }),
    async (c) => {
      const { ctx, clientAddress } = c.var
      const pages = wantsHtml(c.req.raw) ? parts.formPages : undefined
      // Before the body is read, it is refused in a language of the site, or of the program that asks.
      c.set('locale', requestLocale(c.req.raw, [...ctx.site.locales, ...programLocales], rootLocaleOf(ctx.site)))
      const id = c.req.param('id') ?? ''
      let form = ctx.site.forms?.find((one) => one.id === id)
      let submitted: SubmittedForm | undefined
      try {
        parts.attempts?.count(addressGroup(clientAddress))
        form ??= await findForm(ctx, id)
        if (!form) throw new Refusal('not_found')
        const asked = form
        const receive = async (read: SubmittedForm) => {
          submitted = read
          const { locale, honeypot } = read
          c.set('locale', locale)
          const { form: filled, answers, files: posted } = await readFilled(ctx, asked, read)
          // The files of spam are not stored; its answers name them.
          const stored = honeypot ? [] : [...posted]
          const files = stored.flatMap(([field, list]) => list.map((file) => ({ ...file, field })))
          if (files.length > 0) await requireRoomForMessage(ctx, clientAddress)
          const attachments = await checkAttachments(ctx, files, {
            address: clientAddress,
            signal: c.req.raw.signal,
          })
          const received = await receiveMessage(ctx, {
            message: messageOf(filled, answers),
            form: { form: { ...asked, fields: filled.fields }, answers },
            attachments,
            honeypot,
            moment: read.moment,
            locale,
            address: clientAddress,
            page: read.page,
          })
          return { read, ...received, proposes: answers.some(({ slot }) => slot) }
        }
        const { read, reference, canPassSpamCheck, proposes } = await runLimited(addressGroup(clientAddress), () =>
          withFormPost(ctx, c.req.raw, asked, receive),
        )

        if (pages && canPassSpamCheck) return untyped(c.redirect(questionUrl(ctx, reference, read), 303))
        if (pages) return untyped(await pages.accepted(ctx, form, read, reference))
        const { locale } = read
        const t = siteTranslator(ctx.site, locale)
        const textOr = (text: Localized<string> | undefined, otherwise: string) =>
          text ? localized(text, locale).value : otherwise
        const body = {
          id: reference,
          title: textOr(form.thanks?.title, t('contact.successTitle')),
          text: textOr(form.thanks?.text, t('contact.successText')),
          ...(canPassSpamCheck && read.moment !== undefined && { check: await createCheck(ctx, reference) }),
          ...(proposes && { calendar: calendarPath(ctx, reference) }),
        }
        return c.json(body, 201, { 'Content-Language': locale })
      } catch (error) {
        if (!pages || !form) throw error
        // The limits refuse before the body is read; it is read here to fill the form again, unless files make it large.
        submitted ??= await readFormPost(c.req.raw, form, ctx.site).catch(() => undefined)
        return untyped(await pages.refused(ctx, form, c.req.raw, submitted, error))
      }
    },
  )
  // A download that fails says nothing of the form.
  const calendar = createApi().openapi(
    defineRoute('get', '/forms/appointments/{file}', {
      summary: 'The calendar file of a proposed appointment',
      description: 'For its visitor: the address is signed, and given after sending.',
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
  return api.route('/', calendar)
}

/** The problems that occur when the form was changed while a visitor filled it in. */
const changedKeys: readonly FieldProblem['key'][] = ['unknownField', 'formChoice']

/**
 * Validates the answers to a form. Answers that do not fit the current form are accepted if they fit a recent earlier
 * version of it, which the visitor may have filled in.
 * @throws {Refusal} `invalid`
 */
async function readFilled(
  ctx: Context,
  form: Form,
  read: SubmittedForm,
): Promise<{ form: Form; answers: FormAnswer[]; files: SubmittedForm['files'] }> {
  try {
    return { form, answers: validateForm(ctx, form, read), files: read.files }
  } catch (error) {
    const keys = error instanceof Refusal ? error.problems.map(({ key }) => key) : []
    const fits = keys.every((key) => changedKeys.includes(key) || key === 'required')
    if (!fits || !keys.some((key) => changedKeys.includes(key))) throw error
    for (const former of await listFormerForms(ctx, form.id)) {
      const asFormer = read.readAs(former)
      try {
        return { form: former, answers: validateForm(ctx, former, asFormer), files: asFormer.files }
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem
      }
    }
    throw error
  }
}
