import type { Context as HonoContext } from 'hono'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import { secondStep as secondStepBody } from '../../contract/sign-in.ts'
import type { Env } from '../../http/env.ts'
import { readForm } from '../../http/form.ts'
import { takeSecondStep } from '../../http/sign-in.ts'
import { secondStepPath } from '../../platform/auth/paths.ts'
import type { Entrance } from './entrance.ts'
import { accept, type FormState, failure, field, redirectQuery, refusalIn, refusedPage, targetOf } from './form.tsx'
import { loginWith } from './notices.ts'
import { localeOf, sceneOf, signInPage } from './page.tsx'

export const secondStep: Entrance = {
  path: secondStepPath,
  show: (c) => codePage(c, targetOf(c.req.query('redirect')), {}),
  async take(c) {
    const form = await readForm(c.req.raw, ['code', 'redirect'])
    const target = targetOf(form.redirect)
    try {
      await takeSecondStep(c, accept(secondStepBody, { code: form.code ?? '' }))
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(target, 303)
    } catch (error) {
      const refusal = refusalIn(error)
      // Nothing waits for a code any more: it took too long, or too many were wrong.
      if (refusal.code === 'signed_out') return c.redirect(loginWith('opnieuw', localeOf(c)), 303)
      return codePage(c, target, { refusal })
    }
  },
}

function codePage(c: HonoContext<Env>, target: string, state: FormState): Promise<Response> {
  const scene = sceneOf(c)
  const { t, locale } = scene
  const query = redirectQuery(target)
  return signInPage(c, {
    scene,
    title: t('signIn.code.title'),
    lead: t('signIn.code.lead'),
    ...refusedPage(state.refusal),
    ...(query && { query }),
    body: (
      <>
        {failure(state.refusal, scene)}
        <form method="post" action={localizedPath(secondStepPath, locale)} noValidate>
          {field(
            {
              name: 'code',
              label: t('signIn.code.code'),
              autoComplete: 'one-time-code',
              maxLength: limits.codeChars,
              hint: t('signIn.code.recovery'),
              only: true,
            },
            scene,
            state,
          )}
          <input type="hidden" name="redirect" value={target} />
          <button type="submit" className="button">
            {t('signIn.code.submit')}
          </button>
        </form>
        <p className="beside">
          <a href={localizedPath('/login', locale)}>{t('signIn.code.back')}</a>
        </p>
      </>
    ),
  })
}
