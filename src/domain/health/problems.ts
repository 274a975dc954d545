import type { HealthCheck, HealthProblems } from '../../contract/health.ts'
import { adminLocale, adminLocales, type Locale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { type FoundLines, findFoundLines, saveFoundLines } from './alarm.queries.ts'
import { waitsTooLongMs } from './check.ts'
import { findWaitingSince } from './health.queries.ts'

/** What the last check run found, without checking: for every screen. The lines are for those who manage the settings. */
export async function getHealthProblems(ctx: Context, locale: Locale): Promise<HealthProblems> {
  const actor = allow(ctx, [])
  const found = (await findFoundLines(ctx.db))?.[adminLocale(locale)]
  const lines = found && (['failed', 'attention'] as const).flatMap((of) => found.filter((line) => line.outcome === of))
  const isFailed = (check: HealthCheck) => lines?.some((line) => line.check === check && line.outcome === 'failed')
  return {
    lines: (hasRight(actor, ['config.write']) && lines) || null,
    mail: isFailed('mailServer') ? 'server' : isFailed('emails') && (await isMailWaiting(ctx)) ? 'waiting' : null,
  }
}

/** The check `emails` also fails when an email was returned, which waits for nothing. */
async function isMailWaiting({ db, now }: Context): Promise<boolean> {
  const since = await findWaitingSince(db)
  return since !== undefined && now().getTime() - since.getTime() > waitsTooLongMs
}

/** Removes the lines that a change has made outdated. @param tx holds the lock `health` */
export async function forgetProblems(tx: Transaction, outdated: readonly HealthCheck[]): Promise<void> {
  const found = await findFoundLines(tx)
  if (!found) return
  const left = adminLocales.map((locale) => [locale, found[locale].filter(({ check }) => !outdated.includes(check))])
  await saveFoundLines(tx, Object.fromEntries(left) as FoundLines)
}

/** `forgetProblems` after a change of the mail server. */
export async function forgetMailProblems(ctx: Pick<Context, 'transaction' | 'dialect' | 'log'>): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'health')
      await forgetProblems(tx, ['mailServer', 'emails'])
    })
  } catch (error) {
    // The change of the mail server is saved; the next run of the checks forgets them too.
    ctx.log.error({ err: error }, 'the stored problems of the former mail server were not removed')
  }
}
