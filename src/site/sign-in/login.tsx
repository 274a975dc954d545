import { passkeyUrl } from 'virtual:client-assets'
import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { RenderContext } from '../../blocks/define-block.ts'
import { renderIcon } from '../../blocks/icons.tsx'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import { secondStep as secondStepBody, signIn as signInBody } from '../../contract/sign-in.ts'
import { readForm } from '../../http/body.ts'
import type { Env } from '../../http/env.ts'
import { signIn, signOut, verifySecondStep } from '../../http/sign-in.ts'
import { secondStepPath } from '../../platform/auth/paths.ts'
import {
  asRefusal,
  parseForm,
  renderBackToLogin,
  renderEmailField,
  renderErrorAlert,
  renderField,
  renderPostForm,
  renderStatusMessage,
  renderTextWithName,
  type SignInFormState,
} from './form.tsx'
import { loginUrlWithNotice, readNotice } from './login-notices.ts'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPageResponse } from './page.tsx'
import { redirectQuery, signInTarget, signOutTarget, withQuery } from './redirect-targets.ts'

/** Shows the form to a signed-in user too: users without a password reauthenticate by signing in again. */
const reauthenticateField = 'opnieuw'

export const login: SignInRoute = {
  path: '/login',
  async get(c) {
    const query = new URL(c.req.url).searchParams
    const target = signInTarget(query.get('redirect'))
    const reauthenticate = query.has(reauthenticateField)
    if (c.var.ctx.actor && !reauthenticate) return seeOther(c, target)
    return loginPageResponse(c, target, reauthenticate, {})
  },
  async post(c) {
    const form = await readForm(c.req.raw, ['identifier', 'password', 'redirect', reauthenticateField])
    const target = signInTarget(form.redirect)
    try {
      const { identifier = '', password = '' } = form
      const { secondStep } = await signIn(c, parseForm(signInBody, { identifier, password }))
      const codeUrl = withQuery(localizedPath('/login/code', pageLocale(c), c.var.ctx.site), redirectQuery(target))
      return seeOther(c, secondStep ? codeUrl : target)
    } catch (error) {
      return loginPageResponse(c, target, form[reauthenticateField] !== undefined, {
        values: form,
        refusal: asRefusal(error),
      })
    }
  },
}

function loginPageResponse(
  c: HonoContext<Env>,
  target: string,
  reauthenticate: boolean,
  state: SignInFormState,
): Promise<Response> {
  const context = pageRenderContext(c)
  const { t, locale } = context
  const notice = readNotice(new URL(c.req.url).searchParams)
  const renderNotice = notice?.isError ? renderErrorAlert : renderStatusMessage
  const query = [reauthenticate && `${reauthenticateField}=1`, redirectQuery(target)].filter(Boolean).join('&')
  return signInPageResponse(c, {
    renderContext: context,
    title: t('signIn.login.title'),
    lead: t('signIn.login.lead'),
    refusal: state.refusal,
    ...(query && { query }),
    scripts: [passkeyUrl],
    body: (
      <>
        {!state.refusal && notice && renderNotice(t(`signIn.notice.${notice.key}`))}
        {renderPostForm(
          context,
          {
            path: '/login',
            submit: t('signIn.login.submit'),
            hidden: { redirect: target, ...(reauthenticate && { [reauthenticateField]: '1' }) },
            refusal: state.refusal,
          },
          <>
            {renderEmailField(context, state, 'identifier')}
            {renderField(
              {
                name: 'password',
                label: t('signIn.login.password'),
                type: 'password',
                autoComplete: 'current-password',
                maxLength: limits.passwordMaxChars,
              },
              context,
              state,
            )}
          </>,
        )}
        <p className="beside">
          <a href={localizedPath('/wachtwoord-vergeten', locale, c.var.ctx.site)}>{t('signIn.login.forgotten')}</a>
        </p>
        {renderOtherMethods(context, target, c.var.ctx.provider)}
      </>
    ),
  })
}

/** Renders the other ways to sign in. The passkey button is hidden until the script shows it. */
function renderOtherMethods(
  context: RenderContext,
  target: string,
  provider: { label: string | undefined } | undefined,
): ReactNode {
  const { t } = context
  return (
    <div className="others">
      <p className="or">{t('signIn.login.or')}</p>
      {provider && (
        <a className="button other" href={withQuery('/login/oidc', redirectQuery(target))} rel="nofollow">
          {renderIcon('log-in')}
          <bdi>{provider.label ?? t('signIn.login.provider')}</bdi>
        </a>
      )}
      <button type="button" className="button other" id="passkey" data-target={target} hidden>
        {renderIcon('key-round')}
        {t('signIn.login.passkey')}
      </button>
      <p className="error" id="passkey-failed" role="alert" hidden>
        {t('signIn.login.passkeyFailed')}
      </p>
    </div>
  )
}

export const secondStep: SignInRoute = {
  path: secondStepPath,
  get: (c) => codePageResponse(c, signInTarget(c.req.query('redirect')), {}),
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
      return codePageResponse(c, target, { refusal })
    }
  },
}

function codePageResponse(c: HonoContext<Env>, target: string, state: SignInFormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  const query = redirectQuery(target)
  return signInPageResponse(c, {
    renderContext: context,
    title: t('signIn.code.title'),
    lead: t('signIn.code.lead'),
    refusal: state.refusal,
    ...(query && { query }),
    body: (
      <>
        {renderPostForm(
          context,
          {
            path: secondStepPath,
            submit: t('signIn.code.submit'),
            hidden: { redirect: target },
            refusal: state.refusal,
          },
          renderField(
            {
              name: 'code',
              label: t('signIn.code.code'),
              autoComplete: 'one-time-code',
              maxLength: limits.codeChars,
              hint: t('signIn.code.recovery'),
              autoFocus: true,
            },
            context,
            state,
          ),
        )}
        {renderBackToLogin(context)}
      </>
    ),
  })
}

/** A GET only shows a form, so that an embedded image cannot sign the user out. */
export const logout: SignInRoute = {
  path: '/logout',
  async get(c) {
    const target = signOutTarget(c.req.query('redirect'))
    const { actor } = c.var.ctx
    if (!actor) return c.redirect(target, 303)
    const context = pageRenderContext(c)
    const { t } = context
    return signInPageResponse(c, {
      renderContext: context,
      title: t('signIn.logout.title'),
      lead: renderTextWithName((name) => t('signIn.logout.lead', { name }), actor.name),
      body: renderPostForm(context, {
        path: '/logout',
        submit: t('signIn.logout.submit'),
        hidden: { redirect: target },
      }),
    })
  },
  async post(c) {
    await signOut(c)
    // An invalid form must not prevent signing out.
    const form = await readForm(c.req.raw, ['redirect']).catch(() => undefined)
    return seeOther(c, signOutTarget(form?.redirect))
  },
}
