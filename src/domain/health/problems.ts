import type { HealthCheck, HealthOutcome, HealthProblems } from '../../contract/health.ts'
import { adminLocale, adminLocales, type Locale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findStoredLines, type LinesByLocale, storeLines } from './alarm.queries.ts'
import { maxEmailWaitMs } from './check.ts'
import { findWaitingSince } from './health.queries.ts'

/**
 * Returns the problems that the last check run found, which every screen of the admin shows.
 * @throws {Refusal} `signed_out`
 */
export async function getHealthProblems(ctx: Context, locale: Locale): Promise<HealthProblems> {
  const actor = allow(ctx, [])
  const storedLines = (await findStoredLines(ctx.db))?.[adminLocale(locale)]
  const linesWith = (outcome: HealthOutcome) => storedLines?.filter((line) => line.outcome === outcome) ?? []
  const problems = storedLines && [...linesWith('failed'), ...linesWith('attention')]
  const hasFailed = (check: HealthCheck) => linesWith('failed').some((line) => line.check === check)
  const findMailProblem = async (): Promise<HealthProblems['mail']> => {
    if (hasFailed('mailServer')) return 'server'
    return hasFailed('emails') && (await hasLateEmail(ctx)) ? 'waiting' : null
  }
  return {
    lines: hasRight(actor, ['config.write']) ? (problems ?? null) : null,
    mail: await findMailProblem(),
  }
}

/** Whether an email waits too long. The check `emails` does not tell: it also fails when an email was not delivered. */
async function hasLateEmail({ db, now }: Context): Promise<boolean> {
  const since = await findWaitingSince(db)
  return since !== undefined && now().getTime() - since.getTime() > maxEmailWaitMs
}

/**
 * Removes the stored results of checks that a change has made outdated.
 * @param tx holds the lock `health`
 */
export async function forgetProblems(tx: Transaction, outdated: readonly HealthCheck[]): Promise<void> {
  const lines = await findStoredLines(tx)
  if (!lines) return
  const remaining = adminLocales.map((locale) => [
    locale,
    lines[locale].filter(({ check }) => !outdated.includes(check)),
  ])
  await storeLines(tx, Object.fromEntries(remaining) as LinesByLocale)
}

/** Removes the stored results of the checks of outgoing mail, after a change of the mail server. A failure is only logged. */
export async function forgetMailProblems(ctx: Pick<Context, 'transaction' | 'dialect' | 'log'>): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'health')
      await forgetProblems(tx, ['mailServer', 'emails'])
    })
  } catch (error) {
    // The change of the mail server is saved, and the next check run replaces the results anyway.
    ctx.log.error({ err: error }, 'the stored problems of the former mail server were not removed')
  }
}
