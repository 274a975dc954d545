import { passkeyUrl } from 'virtual:client-assets'
import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import type { Scene } from '../../blocks/define-block.ts'
import { icon } from '../../blocks/icons.tsx'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import { signIn as signInBody } from '../../contract/sign-in.ts'
import type { Env } from '../../http/env.ts'
import { readForm } from '../../http/form.ts'
import { signIn } from '../../http/sign-in.ts'
import type { Entrance } from './entrance.ts'
import {
  accept,
  type FormState,
  failed,
  failure,
  field,
  redirectQuery,
  refusalIn,
  refusedPage,
  targetOf,
  told,
  withQuery,
} from './form.tsx'
import { noticeIn } from './notices.ts'
import { localeOf, sceneOf, signInPage } from './page.tsx'

/** Asks again whoever is signed in already: people without a password confirm themselves by it. */
const againField = 'opnieuw'

export const login: Entrance = {
  path: '/login',
  async show(c) {
    const query = new URL(c.req.url).searchParams
    const target = targetOf(query.get('redirect'))
    if (c.var.ctx.actor && !query.has(againField)) {
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(target, 303)
    }
    return loginPage(c, target, {})
  },
  async take(c) {
    const form = await readForm(c.req.raw, ['identifier', 'password', 'redirect'])
    const target = targetOf(form.redirect)
    try {
      const { identifier = '', password = '' } = form
      const { secondStep } = await signIn(c, accept(signInBody, { identifier, password }))
      c.header('Cache-Control', 'private, no-store')
      const code = withQuery(localizedPath('/login/code', localeOf(c)), redirectQuery(target))
      return c.redirect(secondStep ? code : target, 303)
    } catch (error) {
      return loginPage(c, target, { values: form, refusal: refusalIn(error) })
    }
  },
}

function loginPage(c: HonoContext<Env>, target: string, state: FormState): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  const notice = noticeIn(new URL(c.req.url).searchParams)
  const query = redirectQuery(target)
  return signInPage(c, {
    scene,
    title: t('signIn.login.title'),
    lead: t('signIn.login.lead'),
    ...refusedPage(state.refusal),
    ...(query && { query }),
    scripts: [passkeyUrl],
    body: (
      <>
        {failure(state.refusal, scene)}
        {!state.refusal && notice && (notice.bad ? failed : told)(t(`signIn.notice.${notice.key}`))}
        <form method="post" action={localizedPath('/login', locale)} noValidate>
          {field(
            {
              name: 'identifier',
              label: t('signIn.login.identifier'),
              type: 'email',
              autoComplete: 'username',
              maxLength: limits.emailChars,
            },
            scene,
            state,
          )}
          {field(
            {
              name: 'password',
              label: t('signIn.login.password'),
              type: 'password',
              autoComplete: 'current-password',
              maxLength: limits.passwordMaxChars,
            },
            scene,
            state,
          )}
          <input type="hidden" name="redirect" value={target} />
          <button type="submit" className="button">
            {t('signIn.login.submit')}
          </button>
        </form>
        <p className="beside">
          <a href={localizedPath('/wachtwoord-vergeten', locale)}>{t('signIn.login.forgotten')}</a>
        </p>
        {otherWays(scene, target, c.var.ctx.provider)}
      </>
    ),
  })
}

/** The button of a passkey is shown by the script that makes it work. */
function otherWays(scene: Scene, target: string, provider: { label: string | undefined } | undefined): ReactNode {
  const { t } = scene
  return (
    <div className="others">
      <p className="or">{t('signIn.login.or')}</p>
      {provider && (
        <a className="button other" href={withQuery('/login/oidc', redirectQuery(target))} rel="nofollow">
          {icon('log-in')}
          <bdi>{provider.label ?? t('signIn.login.provider')}</bdi>
        </a>
      )}
      <button type="button" className="button other" id="passkey" data-target={target} hidden>
        {icon('key-round')}
        {t('signIn.login.passkey')}
      </button>
      <p className="error" id="passkey-failed" role="alert" hidden>
        {t('signIn.login.passkeyFailed')}
      </p>
    </div>
  )
}
