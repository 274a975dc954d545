import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { Scene } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { intlTag, localizedPath } from '../../contract/locales.ts'
import { linkPaths, passwordByLink } from '../../contract/sign-in.ts'
import { readPasswordLink } from '../../domain/sign-in/read-link.ts'
import { setPasswordByLink } from '../../domain/sign-in/set-password-by-link.ts'
import type { Env } from '../../http/env.ts'
import { readForm } from '../../http/form.ts'
import { placeOf } from '../../http/place.ts'
import type { Entrance } from './entrance.ts'
import { accept, type FormState, failure, field, refusalIn, refusedPage, withName } from './form.tsx'
import { loginWith } from './notices.ts'
import { localeOf, sceneOf, signInPage } from './page.tsx'

const path = linkPaths.password

/** Where a link leads that sets a password: one that was asked for, or one that invites. */
export const password: Entrance = {
  path,
  show: (c) => passwordPage(c, c.req.query('token') ?? '', {}),
  async take(c) {
    const form = await readForm(c.req.raw, ['token', 'password', 'repeat'])
    const { token = '', password = '', repeat = '' } = form
    try {
      await setPasswordByLink(c.var.ctx, accept(passwordByLink, { token, password, repeat }), placeOf(c))
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(loginWith('gewijzigd', localeOf(c)), 303)
    } catch (error) {
      return passwordPage(c, token, { refusal: refusalIn(error) })
    }
  },
}

async function passwordPage(c: HonoContext<Env>, token: string, state: FormState): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  const link = await readPasswordLink(c.var.ctx, token)
  if (!link)
    return endedPage(c, scene, t('errors.link_ended.detail'), '/wachtwoord-vergeten', t('signIn.password.again'))
  return signInPage(c, {
    scene,
    title: t('signIn.password.title'),
    lead: withName((email) => t('signIn.password.lead', { email }), link.email),
    ...refusedPage(state.refusal),
    query: `token=${encodeURIComponent(token)}`,
    body: (
      <>
        {failure(state.refusal, scene)}
        <form method="post" action={localizedPath(path, locale)} noValidate>
          <input type="hidden" name="token" value={token} />
          {/* For the browser's own keeper of passwords. */}
          <input
            type="text"
            className="unseen"
            autoComplete="username"
            defaultValue={link.email}
            tabIndex={-1}
            readOnly
            aria-hidden
          />
          {twice(scene, state)}
          <button type="submit" className="button">
            {t('signIn.password.submit')}
          </button>
        </form>
      </>
    ),
  })
}

/** A new password and the same again. */
export function twice(scene: Scene, state: FormState): ReactNode {
  const { t, locale } = scene
  const chars = new Intl.NumberFormat(intlTag[locale]).format(limits.passwordMinChars)
  const own = { type: 'password', autoComplete: 'new-password', maxLength: limits.passwordMaxChars } as const
  return (
    <>
      {field(
        { ...own, name: 'password', label: t('signIn.password.password'), hint: t('signIn.password.hint', { chars }) },
        scene,
        state,
      )}
      {field({ ...own, name: 'repeat', label: t('signIn.password.repeat') }, scene, state)}
    </>
  )
}

/** For a link that was used, is past its time, or never was: one cannot be told from another. */
export function endedPage(
  c: HonoContext<Env>,
  scene: Scene,
  text: string,
  next: string,
  label: string,
): Promise<Response> {
  const { t, locale } = scene
  return signInPage(c, {
    scene,
    title: t('errors.link_ended.title'),
    lead: text,
    status: new Refusal('link_ended').status,
    body: (
      <a className="button" href={localizedPath(next, locale)}>
        {label}
      </a>
    ),
  })
}
