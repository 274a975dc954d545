import type { Context as HonoContext } from 'hono'
import { limits } from '../../contract/limits.ts'
import { linkPaths, setup as setupBody } from '../../contract/sign-in.ts'
import { createFirstAdministrator, isSetupOpen } from '../../domain/sign-in/first-administrator.ts'
import { readForm } from '../../http/body.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import { asRefusal, emailField, type FormState, field, loginUrlWithNotice, parseForm, postForm } from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'
import { expiredLinkPage, newPasswordFields } from './password.tsx'

const path = linkPaths.setup

/** The page that creates the first administrator, once. */
export const setup: SignInRoute = {
  path,
  get: (c) => setupPage(c, c.req.query('token') ?? '', {}),
  async post(c) {
    const form = await readForm(c.req.raw, ['token', 'email', 'name', 'password', 'repeat'])
    const { token = '', email = '', name = '', password = '', repeat = '' } = form
    const locale = pageLocale(c)
    try {
      const input = parseForm(setupBody, { token, email, name, password, repeat })
      await createFirstAdministrator(c.var.ctx, { ...input, locale }, clientOrigin(c))
      return seeOther(c, loginUrlWithNotice('klaar', locale, c.var.ctx.site))
    } catch (error) {
      return setupPage(c, token, { values: form, refusal: asRefusal(error) })
    }
  },
}

async function setupPage(c: HonoContext<Env>, token: string, state: FormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  if (!(await isSetupOpen(c.var.ctx, token))) {
    return expiredLinkPage(c, context, t('signIn.setup.endedText'), '/login', t('signIn.login.title'))
  }
  return signInPage(c, {
    renderContext: context,
    title: t('signIn.setup.title'),
    lead: t('signIn.setup.lead'),
    refusal: state.refusal,
    query: `token=${encodeURIComponent(token)}`,
    body: postForm(
      context,
      { path, submit: t('signIn.setup.submit'), hidden: { token }, refusal: state.refusal },
      <>
        {field(
          {
            name: 'name',
            label: t('signIn.setup.name'),
            autoComplete: 'name',
            maxLength: limits.nameChars,
            dir: 'auto',
          },
          context,
          state,
        )}
        {emailField(context, state)}
        {newPasswordFields(context, state)}
      </>,
    ),
  })
}
