import type { Context as HonoContext } from 'hono'
import { limits } from '../../contract/limits.ts'
import { secondStep as secondStepBody } from '../../contract/sign-in.ts'
import { readForm } from '../../http/body.ts'
import type { Env } from '../../http/env.ts'
import { verifySecondStep } from '../../http/sign-in.ts'
import { secondStepPath } from '../../platform/auth/paths.ts'
import {
  asRefusal,
  backToLogin,
  type FormState,
  field,
  loginUrlWithNotice,
  parseForm,
  postForm,
  redirectQuery,
  signInTarget,
} from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'

export const secondStep: SignInRoute = {
  path: secondStepPath,
  get: (c) => codePage(c, signInTarget(c.req.query('redirect')), {}),
  async post(c) {
    const form = await readForm(c.req.raw, ['code', 'redirect'])
    const target = signInTarget(form.redirect)
    try {
      await verifySecondStep(c, parseForm(secondStepBody, { code: form.code ?? '' }))
      return seeOther(c, target)
    } catch (error) {
      const refusal = asRefusal(error)
      // The pending sign-in expired, or had too many wrong codes.
      if (refusal.code === 'signed_out')
        return c.redirect(loginUrlWithNotice('opnieuw', pageLocale(c), c.var.ctx.site), 303)
      return codePage(c, target, { refusal })
    }
  },
}

function codePage(c: HonoContext<Env>, target: string, state: FormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  const query = redirectQuery(target)
  return signInPage(c, {
    renderContext: context,
    title: t('signIn.code.title'),
    lead: t('signIn.code.lead'),
    refusal: state.refusal,
    ...(query && { query }),
    body: (
      <>
        {postForm(
          context,
          {
            path: secondStepPath,
            submit: t('signIn.code.submit'),
            hidden: { redirect: target },
            refusal: state.refusal,
          },
          field(
            {
              name: 'code',
              label: t('signIn.code.code'),
              autoComplete: 'one-time-code',
              maxLength: limits.codeChars,
              hint: t('signIn.code.recovery'),
              only: true,
            },
            context,
            state,
          ),
        )}
        {backToLogin(context)}
      </>
    ),
  })
}
