import type { Context as HonoContext } from 'hono'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import { askForLink as askForLinkBody } from '../../contract/sign-in.ts'
import { askForLink } from '../../domain/sign-in/ask-for-link.ts'
import type { Env } from '../../http/env.ts'
import { readForm } from '../../http/form.ts'
import { placeOf } from '../../http/place.ts'
import type { Entrance } from './entrance.ts'
import { accept, type FormState, failure, field, refusalIn, refusedPage } from './form.tsx'
import { localeOf, sceneOf, signInPage } from './page.tsx'

const path = '/wachtwoord-vergeten'
const sentField = 'verstuurd'

export const forgotten: Entrance = {
  path,
  show: (c) => (c.req.query(sentField) === undefined ? askPage(c, {}) : sentPage(c)),
  async take(c) {
    const form = await readForm(c.req.raw, ['email'])
    try {
      const { email } = accept(askForLinkBody, { email: form.email ?? '' })
      await askForLink(c.var.ctx, { email, locale: localeOf(c) }, placeOf(c))
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(`${localizedPath(path, localeOf(c))}?${sentField}=1`, 303)
    } catch (error) {
      return askPage(c, { values: form, refusal: refusalIn(error) })
    }
  },
}

function askPage(c: HonoContext<Env>, state: FormState): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  return signInPage(c, {
    scene,
    title: t('signIn.forgotten.title'),
    lead: t('signIn.forgotten.lead'),
    ...refusedPage(state.refusal),
    body: (
      <>
        {failure(state.refusal, scene)}
        <form method="post" action={localizedPath(path, locale)} noValidate>
          {field(
            {
              name: 'email',
              label: t('signIn.login.identifier'),
              type: 'email',
              autoComplete: 'username',
              maxLength: limits.emailChars,
            },
            scene,
            state,
          )}
          <button type="submit" className="button">
            {t('signIn.forgotten.submit')}
          </button>
        </form>
        <p className="beside">
          <a href={localizedPath('/login', locale)}>{t('signIn.code.back')}</a>
        </p>
      </>
    ),
  })
}

/** The same for everybody: whether the address is known is told nobody. */
function sentPage(c: HonoContext<Env>): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  return signInPage(c, {
    scene,
    title: t('signIn.forgotten.sentTitle'),
    lead: t('signIn.forgotten.sentText'),
    query: `${sentField}=1`,
    body: (
      <p className="beside">
        <a href={localizedPath('/login', locale)}>{t('signIn.code.back')}</a>
      </p>
    ),
  })
}
