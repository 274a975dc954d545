import { localizedPath } from '../../contract/locales.ts'
import { linkPaths } from '../../contract/sign-in.ts'
import { confirmEmail } from '../../domain/profile/confirm-email.ts'
import { isEmailLinkOpen } from '../../domain/sign-in/read-link.ts'
import { readForm } from '../../http/form.ts'
import type { Entrance } from './entrance.ts'
import { refusalIn } from './form.tsx'
import { loginWith } from './notices.ts'
import { localeOf, sceneOf, signInPage } from './page.tsx'
import { endedPage } from './password.tsx'

const path = linkPaths.email

/** Where a link leads that confirms a new address. It asks once more: programs that read mail open links too. */
export const confirmNewEmail: Entrance = {
  path,
  async show(c) {
    const token = c.req.query('token') ?? ''
    const scene = sceneOf(c)
    const { t, locale } = scene
    if (!(await isEmailLinkOpen(c.var.ctx, token))) {
      return endedPage(c, scene, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
    return signInPage(c, {
      scene,
      title: t('signIn.email.title'),
      lead: t('signIn.email.lead'),
      query: `token=${encodeURIComponent(token)}`,
      body: (
        <form method="post" action={localizedPath(path, locale)}>
          <input type="hidden" name="token" value={token} />
          <button type="submit" className="button">
            {t('signIn.email.submit')}
          </button>
        </form>
      ),
    })
  },
  async take(c) {
    const { token = '' } = await readForm(c.req.raw, ['token'])
    try {
      await confirmEmail(c.var.ctx, token)
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(c.var.ctx.actor ? '/user' : loginWith('bevestigd', localeOf(c)), 303)
    } catch (error) {
      refusalIn(error)
      const scene = sceneOf(c)
      const { t } = scene
      return endedPage(c, scene, t('errors.link_ended.detail'), '/login', t('signIn.login.title'))
    }
  },
}
