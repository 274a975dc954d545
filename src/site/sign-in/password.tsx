import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { RenderContext } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { intlTagOf, localizedPath } from '../../contract/locales.ts'
import { linkPaths, passwordByLink } from '../../contract/sign-in.ts'
import { readPasswordLink } from '../../domain/sign-in/links.ts'
import { setPasswordByLink } from '../../domain/sign-in/password-link.ts'
import { readForm } from '../../http/body.ts'
import { clientOrigin } from '../../http/client-origin.ts'
import type { Env } from '../../http/env.ts'
import { asRefusal, type FormState, field, loginUrlWithNotice, parseForm, postForm, textWithName } from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'

const path = linkPaths.password

/** The page of a link that sets a password, requested or as an invitation. */
export const password: SignInRoute = {
  path,
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
      { path, submit: t('signIn.password.submit'), hidden: { token }, refusal: state.refusal },
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
export function newPasswordFields(context: RenderContext, state: FormState): ReactNode {
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
export function expiredLinkPage(
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
