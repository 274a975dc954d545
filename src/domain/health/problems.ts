import type { HealthCheck, HealthOutcome, HealthProblems } from '../../contract/health.ts'
import { adminLocale, adminLocales, type Locale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { type FoundLines, findFoundLines, saveFoundLines } from './alarm.queries.ts'
import { waitsTooLongMs } from './check.ts'
import { findWaitingSince } from './health.queries.ts'

/** What the last check run found, which every screen shows. `lines` is null for users without the right `config.write`. */
export async function getHealthProblems(ctx: Context, locale: Locale): Promise<HealthProblems> {
  const actor = allow(ctx, [])
  const found = (await findFoundLines(ctx.db))?.[adminLocale(locale)]
  const linesWith = (outcome: HealthOutcome) => found?.filter((line) => line.outcome === outcome) ?? []
  const lines = found && [...linesWith('failed'), ...linesWith('attention')]
  const isFailed = (check: HealthCheck) => lines?.some((line) => line.check === check && line.outcome === 'failed')
  return {
    lines: (hasRight(actor, ['config.write']) && lines) || null,
    mail: isFailed('mailServer') ? 'server' : isFailed('emails') && (await isMailWaiting(ctx)) ? 'waiting' : null,
  }
}

/** Whether an email waits for too long. The check `emails` also fails when an email was returned, which does not wait. */
async function isMailWaiting({ db, now }: Context): Promise<boolean> {
  const since = await findWaitingSince(db)
  return since !== undefined && now().getTime() - since.getTime() > waitsTooLongMs
}

/**
 * Removes the stored results of checks that a change has made outdated.
 * @param tx holds the lock `health`
 */
export async function forgetProblems(tx: Transaction, outdated: readonly HealthCheck[]): Promise<void> {
  const lines = await findFoundLines(tx)
  if (!lines) return
  const valid = adminLocales.map((locale) => [locale, lines[locale].filter(({ check }) => !outdated.includes(check))])
  await saveFoundLines(tx, Object.fromEntries(valid) as FoundLines)
}

/** Removes the stored results on mail after a change of the mail server. A failure is only logged. */
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
