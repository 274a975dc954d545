import { readForm } from '../../http/body.ts'
import { signOut } from '../../http/sign-in.ts'
import { postForm, signOutTarget, textWithName } from './form.tsx'
import { pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'

/** A GET only shows a form, so that an embedded image cannot sign the user out. */
export const logout: SignInRoute = {
  path: '/logout',
  async get(c) {
    const target = signOutTarget(c.req.query('redirect'))
    const { actor } = c.var.ctx
    if (!actor) return c.redirect(target, 303)
    const context = pageRenderContext(c)
    const { t } = context
    return signInPage(c, {
      renderContext: context,
      title: t('signIn.logout.title'),
      lead: textWithName((name) => t('signIn.logout.lead', { name }), actor.name),
      body: postForm(context, { path: '/logout', submit: t('signIn.logout.submit'), hidden: { redirect: target } }),
    })
  },
  async post(c) {
    await signOut(c)
    // An invalid form must not prevent signing out.
    const form = await readForm(c.req.raw, ['redirect']).catch(() => undefined)
    return seeOther(c, signOutTarget(form?.redirect))
  },
}
