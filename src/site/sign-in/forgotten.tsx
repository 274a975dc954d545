import type { Context as HonoContext } from 'hono'
import { localizedPath } from '../../contract/locales.ts'
import { forgottenPassword as askForLinkBody } from '../../contract/sign-in.ts'
import { requestPasswordLink } from '../../domain/sign-in/password-link.ts'
import { readForm } from '../../http/body.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import { asRefusal, backToLogin, emailField, type FormState, parseForm, postForm } from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'

const path = '/wachtwoord-vergeten'
const sentField = 'verstuurd'

export const forgotten: SignInRoute = {
  path,
  get: (c) => (c.req.query(sentField) === undefined ? requestFormPage(c, {}) : sentPage(c)),
  async post(c) {
    const form = await readForm(c.req.raw, ['email'])
    try {
      const { email } = parseForm(askForLinkBody, { email: form.email ?? '' })
      await requestPasswordLink(c.var.ctx, { email, locale: pageLocale(c) }, clientOrigin(c))
      return seeOther(c, `${localizedPath(path, pageLocale(c), c.var.ctx.site)}?${sentField}=1`)
    } catch (error) {
      return requestFormPage(c, { values: form, refusal: asRefusal(error) })
    }
  },
}

function requestFormPage(c: HonoContext<Env>, state: FormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  return signInPage(c, {
    renderContext: context,
    title: t('signIn.forgotten.title'),
    lead: t('signIn.forgotten.lead'),
    refusal: state.refusal,
    body: (
      <>
        {postForm(
          context,
          { path, submit: t('signIn.forgotten.submit'), refusal: state.refusal },
          emailField(context, state),
        )}
        {backToLogin(context)}
      </>
    ),
  })
}

/** Identical for every address, so that it does not reveal whether an account exists. */
function sentPage(c: HonoContext<Env>): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  return signInPage(c, {
    renderContext: context,
    title: t('signIn.forgotten.sentTitle'),
    lead: t('signIn.forgotten.sentText'),
    query: `${sentField}=1`,
    body: backToLogin(context),
  })
}
