import { localizedPath } from '../../contract/locales.ts'
import { readForm } from '../../http/form.ts'
import { signOut } from '../../http/sign-in.ts'
import type { Entrance } from './entrance.ts'
import { targetAfterSignOut, withName } from './form.tsx'
import { sceneOf, signInPage } from './page.tsx'

/** A link only asks; the form signs out, so that no picture in a letter does. */
export const logout: Entrance = {
  path: '/logout',
  async show(c) {
    const target = targetAfterSignOut(c.req.query('redirect'))
    const { actor } = c.var.ctx
    if (!actor) return c.redirect(target, 303)
    const scene = sceneOf(c)
    const { t, locale } = scene
    return signInPage(c, {
      scene,
      title: t('signIn.logout.title'),
      lead: withName((name) => t('signIn.logout.lead', { name }), actor.name),
      body: (
        <form method="post" action={localizedPath('/logout', locale)}>
          <input type="hidden" name="redirect" value={target} />
          <button type="submit" className="button">
            {t('signIn.logout.submit')}
          </button>
        </form>
      ),
    })
  },
  async take(c) {
    await signOut(c)
    // Whatever came along, nobody stays signed in for it.
    const form = await readForm(c.req.raw, ['redirect']).catch(() => undefined)
    c.header('Cache-Control', 'private, no-store')
    return c.redirect(targetAfterSignOut(form?.redirect), 303)
  },
}
