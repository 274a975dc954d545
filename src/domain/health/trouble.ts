import type { HealthCheck, HealthTrouble } from '../../contract/health.ts'
import { adminLocale, adminLocales, type Locale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findTrouble, saveTrouble, type TroubleLines } from './alarm.queries.ts'

/** What the last look found, without looking: for every screen. The lines are for those who manage the settings. */
export async function getHealthTrouble(ctx: Context, locale: Locale): Promise<HealthTrouble> {
  const actor = allow(ctx, [])
  const lines = (await findTrouble(ctx.db))?.[adminLocale(locale)]
  const isFailed = (check: HealthCheck) => lines?.some((line) => line.check === check && line.outcome === 'failed')
  return {
    lines: (hasRight(actor, ['config.write']) && lines) || null,
    mail: isFailed('mailServer') ? 'server' : isFailed('emails') ? 'waiting' : null,
  }
}

/** After a change, what the last look found says nothing any more. @param tx holds the lock `health` */
export async function forgetTrouble(tx: Transaction, outdated: readonly HealthCheck[]): Promise<void> {
  const trouble = await findTrouble(tx)
  if (!trouble) return
  const left = adminLocales.map((locale) => [locale, trouble[locale].filter(({ check }) => !outdated.includes(check))])
  await saveTrouble(tx, Object.fromEntries(left) as TroubleLines)
}

/** `forgetTrouble` after a change of the mail server. */
export async function forgetMailTrouble(ctx: Pick<Context, 'transaction' | 'dialect'>): Promise<void> {
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    await forgetTrouble(tx, ['mailServer', 'emails'])
  })
}
