import type { Context as HonoContext } from 'hono'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import { linkPaths, setup as setupBody } from '../../contract/sign-in.ts'
import { isSetupOpen, setUp } from '../../domain/sign-in/first-administrator.ts'
import type { Env } from '../../http/env.ts'
import { readForm } from '../../http/form.ts'
import { placeOf } from '../../http/place.ts'
import type { Entrance } from './entrance.ts'
import { accept, type FormState, failure, field, refusalIn, refusedPage } from './form.tsx'
import { loginWith } from './notices.ts'
import { localeOf, sceneOf, signInPage } from './page.tsx'
import { endedPage, twice } from './password.tsx'

const path = linkPaths.setup

/** Where the first administrator is made, once. */
export const setup: Entrance = {
  path,
  show: (c) => setupPage(c, c.req.query('token') ?? '', {}),
  async take(c) {
    const form = await readForm(c.req.raw, ['token', 'email', 'name', 'password', 'repeat'])
    const { token = '', email = '', name = '', password = '', repeat = '' } = form
    const locale = localeOf(c)
    try {
      const input = accept(setupBody, { token, email, name, password, repeat })
      await setUp(c.var.ctx, { ...input, locale }, placeOf(c))
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(loginWith('klaar', locale), 303)
    } catch (error) {
      return setupPage(c, token, { values: form, refusal: refusalIn(error) })
    }
  },
}

async function setupPage(c: HonoContext<Env>, token: string, state: FormState): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  if (!(await isSetupOpen(c.var.ctx, token))) {
    return endedPage(c, scene, t('signIn.setup.endedText'), '/login', t('signIn.login.title'))
  }
  return signInPage(c, {
    scene,
    title: t('signIn.setup.title'),
    lead: t('signIn.setup.lead'),
    ...refusedPage(state.refusal),
    query: `token=${encodeURIComponent(token)}`,
    body: (
      <>
        {failure(state.refusal, scene)}
        <form method="post" action={localizedPath(path, locale)} noValidate>
          <input type="hidden" name="token" value={token} />
          {field(
            {
              name: 'name',
              label: t('signIn.setup.name'),
              autoComplete: 'name',
              maxLength: limits.nameChars,
              dir: 'auto',
            },
            scene,
            state,
          )}
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
          {twice(scene, state)}
          <button type="submit" className="button">
            {t('signIn.setup.submit')}
          </button>
        </form>
      </>
    ),
  })
}
