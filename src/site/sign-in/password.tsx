import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { RenderContext } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { intlTagOf, localizedPath } from '../../contract/locales.ts'
import {
  forgottenPassword as askForLinkBody,
  linkPaths,
  passwordByLink,
  setup as setupBody,
} from '../../contract/sign-in.ts'
import { confirmEmail } from '../../domain/profile/change-email.ts'
import { createFirstAdministrator, isSetupOpen } from '../../domain/sign-in/first-administrator.ts'
import { isEmailLinkOpen, readPasswordLink } from '../../domain/sign-in/links.ts'
import { requestPasswordLink, setPasswordByLink } from '../../domain/sign-in/password-link.ts'
import { readForm } from '../../http/body.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import {
  asRefusal,
  backToLogin,
  emailField,
  type FormState,
  field,
  loginUrlWithNotice,
  parseForm,
  postForm,
  textWithName,
} from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'

const passwordPath = linkPaths.password

/** The page of a link that sets a password, requested or as an invitation. */
export const password: SignInRoute = {
  path: passwordPath,
  get: (c) => passwordPage(c, c.req.query('token') ?? '', {}),
  async post(c) {
    const form = await readForm(c.req.raw, ['token', 'password', 'repeat'])
    const { token = '', password = '', repeat = '' } = form
    try {
      await setPasswordByLink(c.var.ctx, parseForm(passwordByLink, { token, password, repeat }), clientOrigin(c))
      return seeOther(c, loginUrlWithNotice('gewijzigd', pageLocale(c), c.var.ctx.site))
    } catch (error) {
      return passwordPage(c, token, { refusal: asRefusal(error) })
    }
  },
}

async function passwordPage(c: HonoContext<Env>, token: string, state: FormState): Promise<Response> {
  const context = pageRenderContext(c)
  const { t } = context
  const link = await readPasswordLink(c.var.ctx, token)
  if (!link)
    return expiredLinkPage(
      c,
      context,
      t('errors.link_ended.detail'),
      '/wachtwoord-vergeten',
      t('signIn.password.again'),
    )
  return signInPage(c, {
    renderContext: context,
    title: t('signIn.password.title'),
    lead: textWithName((email) => t('signIn.password.lead', { email }), link.email),
    refusal: state.refusal,
    query: `token=${encodeURIComponent(token)}`,
    body: postForm(
      context,
      { path: passwordPath, submit: t('signIn.password.submit'), hidden: { token }, refusal: state.refusal },
      <>
        {/* For password managers. */}
        <input
          type="text"
          className="visually-hidden"
          autoComplete="username"
          defaultValue={link.email}
          tabIndex={-1}
          readOnly
          aria-hidden
        />
        {newPasswordFields(context, state)}
      </>,
    ),
  })
}

/** A new password, entered twice. */
function newPasswordFields(context: RenderContext, state: FormState): ReactNode {
  const { t, locale } = context
  const chars = new Intl.NumberFormat(intlTagOf(locale)).format(limits.passwordMinChars)
  const own = { type: 'password', autoComplete: 'new-password', maxLength: limits.passwordMaxChars } as const
  return (
    <>
      {field(
        { ...own, name: 'password', label: t('signIn.password.password'), hint: t('signIn.password.hint', { chars }) },
        context,
        state,
      )}
      {field({ ...own, name: 'repeat', label: t('signIn.password.repeat') }, context, state)}
    </>
  )
}

/** The page for a used, expired or unknown link; the three look the same. */
function expiredLinkPage(
  c: HonoContext<Env>,
  context: RenderContext,
  text: string,
  next: string,
  label: string,
): Promise<Response> {
  const { t, locale, site } = context
  return signInPage(c, {
    renderContext: context,
    title: t('errors.link_ended.title'),
    lead: text,
    refusal: new Refusal('link_ended'),
    body: (
      <a className="button" href={localizedPath(next, locale, site)}>
        {label}
      </a>
    ),
  })
}

const forgottenPath = '/wachtwoord-vergeten'
const sentField = 'verstuurd'

export const forgotten: SignInRoute = {
  path: forgottenPath,
  get: (c) => (c.req.query(sentField) === undefined ? requestFormPage(c, {}) : sentPage(c)),
  async post(c) {
    const form = await readForm(c.req.raw, ['email'])
    try {
      const { email } = parseForm(askForLinkBody, { email: form.email ?? '' })
      await requestPasswordLink(c.var.ctx, { email, locale: pageLocale(c) }, clientOrigin(c))
      return seeOther(c, `${localizedPath(forgottenPath, pageLocale(c), c.var.ctx.site)}?${sentField}=1`)
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
    lead: t(c.var.ctx.mail.sends ? 'signIn.forgotten.lead' : 'signIn.forgotten.noMail'),
    refusal: state.refusal,
    body: (
      <>
        {postForm(
          context,
          { path: forgottenPath, submit: t('signIn.forgotten.submit'), refusal: state.refusal },
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
  const { sends } = c.var.ctx.mail
  const { t } = context
  return signInPage(c, {
    renderContext: context,
    title: t(sends ? 'signIn.forgotten.sentTitle' : 'signIn.forgotten.notSentTitle'),
    lead: t(sends ? 'signIn.forgotten.sentText' : 'signIn.forgotten.noMail'),
    query: `${sentField}=1`,
    body: backToLogin(context),
  })
}

const setupPath = linkPaths.setup

/** The page that creates the first administrator, once. */
export const setup: SignInRoute = {
  path: setupPath,
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
      { path: setupPath, submit: t('signIn.setup.submit'), hidden: { token }, refusal: state.refusal },
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

const emailPath = linkPaths.email

/** The page of a link that confirms a new address. It needs a click on a button, because mail scanners open links too. */
export const confirmNewEmail: SignInRoute = {
  path: emailPath,
  async get(c) {
    const token = c.req.query('token') ?? ''
    const context = pageRenderContext(c)
    const { t } = context
    if (!(await isEmailLinkOpen(c.var.ctx, token))) {
      return expiredLinkPage(c, context, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
    return signInPage(c, {
      renderContext: context,
      title: t('signIn.email.title'),
      lead: t('signIn.email.lead'),
      query: `token=${encodeURIComponent(token)}`,
      body: postForm(context, { path: emailPath, submit: t('signIn.email.submit'), hidden: { token } }),
    })
  },
  async post(c) {
    const { token = '' } = await readForm(c.req.raw, ['token'])
    try {
      await confirmEmail(c.var.ctx, token)
      return seeOther(c, c.var.ctx.actor ? '/user' : loginUrlWithNotice('bevestigd', pageLocale(c), c.var.ctx.site))
    } catch (error) {
      asRefusal(error)
      const context = pageRenderContext(c)
      const { t } = context
      return expiredLinkPage(c, context, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
  },
}
