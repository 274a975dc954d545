import { linkPaths } from '../../contract/sign-in.ts'
import { confirmEmail } from '../../domain/profile/change-email.ts'
import { isEmailLinkOpen } from '../../domain/sign-in/links.ts'
import { readForm } from '../../http/body.ts'
import { asRefusal, loginUrlWithNotice, postForm } from './form.tsx'
import { pageLocale, pageRenderContext, type SignInRoute, seeOther, signInPage } from './page.tsx'
import { expiredLinkPage } from './password.tsx'

const path = linkPaths.email

/** The page of a link that confirms a new address. It needs a click on a button, because mail scanners open links too. */
export const confirmNewEmail: SignInRoute = {
  path,
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
      body: postForm(context, { path, submit: t('signIn.email.submit'), hidden: { token } }),
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
