import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { RenderContext } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { intlTagOf, localizedPath } from '../../contract/locales.ts'
import {
  forgottenPassword as forgottenPasswordBody,
  linkPaths,
  passwordByLink,
  setup as setupBody,
} from '../../contract/sign-in.ts'
import { confirmEmail } from '../../domain/profile/change-email.ts'
import { createFirstAdministrator, isSetupLinkValid } from '../../domain/sign-in/first-administrator.ts'
import { findPasswordLinkUser, isEmailLinkValid } from '../../domain/sign-in/links.ts'
import { requestPasswordLink, setPasswordByLink } from '../../domain/sign-in/password-link.ts'
import { readForm } from '../../http/body.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import {
  asRefusal,
  parseForm,
  renderBackToLogin,
  renderEmailField,
  renderField,
  renderPostForm,
  renderTextWithName,
  type SignInFormState,
} from './form.tsx'
import { loginUrlWithNotice } from './login-notices.ts'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPageResponse } from './page.tsx'

const passwordPath = linkPaths.password

/** The page that sets a password, by a link from an email: requested, or an invitation. */
export const password: SignInRoute = {
  path: passwordPath,
  get: (c) => passwordPageResponse(c, c.req.query('token') ?? '', {}),
  async post(c) {
    const form = await readForm(c.req.raw, ['token', 'password', 'repeat'])
    const { token = '', password = '', repeat = '' } = form
    try {
      await setPasswordByLink(c.var.ctx, parseForm(passwordByLink, { token, password, repeat }), clientOrigin(c))
      return seeOther(c, loginUrlWithNotice('gewijzigd', pageLocale(c), c.var.ctx.site))
    } catch (error) {
      return passwordPageResponse(c, token, { refusal: asRefusal(error) })
    }
  },
}

async function passwordPageResponse(c: HonoContext<Env>, token: string, state: SignInFormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  const user = await findPasswordLinkUser(c.var.ctx, token)
  if (!user) {
    const text = t('errors.link_ended.detail')
    return invalidLinkPageResponse(c, context, text, '/wachtwoord-vergeten', t('signIn.password.again'))
  }
  return signInPageResponse(c, {
    renderContext: context,
    title: t('signIn.password.title'),
    lead: renderTextWithName((email) => t('signIn.password.lead', { email }), user.email),
    refusal: state.refusal,
    query: `token=${encodeURIComponent(token)}`,
    body: renderPostForm(
      context,
      { path: passwordPath, submit: t('signIn.password.submit'), hidden: { token }, refusal: state.refusal },
      <>
        {/* Tells password managers which account the password is of. */}
        <input
          type="text"
          className="visually-hidden"
          autoComplete="username"
          defaultValue={user.email}
          tabIndex={-1}
          readOnly
          aria-hidden
        />
        {renderNewPasswordFields(context, state)}
      </>,
    ),
  })
}

/** Renders the fields for a new password, which is entered twice. */
function renderNewPasswordFields(context: RenderContext, state: SignInFormState): ReactNode {
  const { t, locale } = context
  const chars = new Intl.NumberFormat(intlTagOf(locale)).format(limits.passwordMinChars)
  const common = { type: 'password', autoComplete: 'new-password', maxLength: limits.passwordMaxChars } as const
  return (
    <>
      {renderField(
        {
          ...common,
          name: 'password',
          label: t('signIn.password.password'),
          hint: t('signIn.password.hint', { chars }),
        },
        context,
        state,
      )}
      {renderField({ ...common, name: 'repeat', label: t('signIn.password.repeat') }, context, state)}
    </>
  )
}

/** Responds with the same page for a used, an expired and an unknown link. */
function invalidLinkPageResponse(
  c: HonoContext<Env>,
  context: RenderContext,
  text: string,
  nextPath: string,
  nextLabel: string,
): Promise<Response> {
  const { t, locale, site } = context
  return signInPageResponse(c, {
    renderContext: context,
    title: t('errors.link_ended.title'),
    lead: text,
    refusal: new Refusal('link_ended'),
    body: (
      <a className="button" href={localizedPath(nextPath, locale, site)}>
        {nextLabel}
      </a>
    ),
  })
}

const forgottenPath = '/wachtwoord-vergeten'
const sentParameter = 'verstuurd'

/** The page that requests a password link by email. */
export const forgotten: SignInRoute = {
  path: forgottenPath,
  get: (c) => (c.req.query(sentParameter) === undefined ? requestFormPageResponse(c, {}) : sentPageResponse(c)),
  async post(c) {
    const form = await readForm(c.req.raw, ['email'])
    try {
      const { email } = parseForm(forgottenPasswordBody, { email: form.email ?? '' })
      await requestPasswordLink(c.var.ctx, { email, locale: pageLocale(c) }, clientOrigin(c))
      return seeOther(c, `${localizedPath(forgottenPath, pageLocale(c), c.var.ctx.site)}?${sentParameter}=1`)
    } catch (error) {
      return requestFormPageResponse(c, { values: form, refusal: asRefusal(error) })
    }
  },
}

function requestFormPageResponse(c: HonoContext<Env>, state: SignInFormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  return signInPageResponse(c, {
    renderContext: context,
    title: t('signIn.forgotten.title'),
    lead: t(c.var.ctx.mail.sends ? 'signIn.forgotten.lead' : 'signIn.forgotten.noMail'),
    refusal: state.refusal,
    body: (
      <>
        {renderPostForm(
          context,
          { path: forgottenPath, submit: t('signIn.forgotten.submit'), refusal: state.refusal },
          renderEmailField(context, state),
        )}
        {renderBackToLogin(context)}
      </>
    ),
  })
}

/** Responds with the same page for every address: it must not reveal whether an account exists. */
function sentPageResponse(c: HonoContext<Env>): Promise<Response> {
  const context = pageRenderContext(c)
  const { sends } = c.var.ctx.mail
  const { t } = context
  return signInPageResponse(c, {
    renderContext: context,
    title: t(sends ? 'signIn.forgotten.sentTitle' : 'signIn.forgotten.notSentTitle'),
    lead: t(sends ? 'signIn.forgotten.sentText' : 'signIn.forgotten.noMail'),
    query: `${sentParameter}=1`,
    body: renderBackToLogin(context),
  })
}

const setupPath = linkPaths.setup

/** The page that creates the first administrator, once. */
export const setup: SignInRoute = {
  path: setupPath,
  get: (c) => setupPageResponse(c, c.req.query('token') ?? '', {}),
  async post(c) {
    const form = await readForm(c.req.raw, ['token', 'email', 'name', 'password', 'repeat'])
    const { token = '', email = '', name = '', password = '', repeat = '' } = form
    const locale = pageLocale(c)
    try {
      const input = parseForm(setupBody, { token, email, name, password, repeat })
      await createFirstAdministrator(c.var.ctx, { ...input, locale }, clientOrigin(c))
      return seeOther(c, loginUrlWithNotice('klaar', locale, c.var.ctx.site))
    } catch (error) {
      return setupPageResponse(c, token, { values: form, refusal: asRefusal(error) })
    }
  },
}

async function setupPageResponse(c: HonoContext<Env>, token: string, state: SignInFormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  if (!(await isSetupLinkValid(c.var.ctx, token))) {
    return invalidLinkPageResponse(c, context, t('signIn.setup.endedText'), '/login', t('signIn.login.title'))
  }
  return signInPageResponse(c, {
    renderContext: context,
    title: t('signIn.setup.title'),
    lead: t('signIn.setup.lead'),
    refusal: state.refusal,
    query: `token=${encodeURIComponent(token)}`,
    body: renderPostForm(
      context,
      { path: setupPath, submit: t('signIn.setup.submit'), hidden: { token }, refusal: state.refusal },
      <>
        {renderField(
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
        {renderEmailField(context, state)}
        {renderNewPasswordFields(context, state)}
      </>,
    ),
  })
}

const emailPath = linkPaths.email

/** The page of a link that confirms a new email address. It needs a click, because mail scanners open links. */
export const confirmNewEmail: SignInRoute = {
  path: emailPath,
  async get(c) {
    const token = c.req.query('token') ?? ''
    const context = pageRenderContext(c)
    const { t } = context
    if (!(await isEmailLinkValid(c.var.ctx, token))) {
      return invalidLinkPageResponse(c, context, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
    return signInPageResponse(c, {
      renderContext: context,
      title: t('signIn.email.title'),
      lead: t('signIn.email.lead'),
      query: `token=${encodeURIComponent(token)}`,
      body: renderPostForm(context, { path: emailPath, submit: t('signIn.email.submit'), hidden: { token } }),
    })
  },
  async post(c) {
    const { token = '' } = await readForm(c.req.raw, ['token'])
    try {
      await confirmEmail(c.var.ctx, token)
      return seeOther(c, c.var.ctx.actor ? '/user' : loginUrlWithNotice('bevestigd', pageLocale(c), c.var.ctx.site))
    } catch (error) {
      // Every refusal gets the same page; any other error is thrown again.
      asRefusal(error)
      const context = pageRenderContext(c)
      const { t } = context
      return invalidLinkPageResponse(c, context, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
  },
}
