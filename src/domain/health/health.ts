import {
  type Health,
  type HealthArea,
  type HealthCheck,
  type HealthLine,
  type HealthOutcome,
  healthAreas,
  healthChecks,
} from '../../contract/health.ts'
import { dayMs } from '../../contract/limits.ts'
import { type AdminLocale, adminLocale, adminLocales, intlTagOf, type Locale } from '../../contract/locales.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { isolated, reasonOf, reasonText } from '../../i18n/reason.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { type ProbeOptions, probeSite } from '../../platform/net/probe-site.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { allow } from '../allow.ts'
import { testMailServer } from '../mail/mail-server.ts'
import { type FoundLines, findFoundLines, getAlarmSetting, saveFoundLines } from './alarm.queries.ts'
import { canary } from './canary.ts'
import { type Check, type CheckContext, type Finding, type FindingValue, type HealthSource, minuteMs } from './check.ts'
import * as dataChecks from './data-checks.ts'
import { arrival, checkSenderDns, emails, mailbox, mailServer, senderChecks } from './mail-checks.ts'
import * as programChecks from './program-checks.ts'
import * as publicUrlChecks from './public-url-checks.ts'

/** All checks, by name: used by the health page, the `doctor` command, the alerts and the metrics. */
const registry: Record<HealthCheck, Check> = {
  ...dataChecks,
  mailServer,
  emails,
  mailbox,
  canary,
  arrival,
  ...senderChecks,
  ...publicUrlChecks,
  ...programChecks,
}

export interface HealthResult extends Finding {
  check: HealthCheck
  checkedAt: Date
}

export interface HealthMonitor {
  /** Runs the checks whose cached results have expired. @param options.fresh runs all checks */
  runChecks(options?: { fresh?: boolean }): Promise<HealthResult[]>
  /** The cached results, without running any check: for metrics. */
  last(): HealthResult[]
}

const checkWithinMs = 20_000
/** The system clock was set if it moved this much more or less than the monotonic clock. */
const jumpMs = 5_000

/** @param source called for each check run, because the configuration may have changed */
export function createHealthMonitor(
  source: () => HealthSource,
  options: { probe?: ProbeOptions; steadyMs?: () => number } = {},
): HealthMonitor {
  const results = new Map<HealthCheck, HealthResult>()
  const clockJump = watchClock(options.steadyMs ?? (() => performance.now()))
  let running: { fresh: boolean; done: Promise<void> } | undefined

  const checkEach = async (fresh: boolean) => {
    const current = source()
    const now = current.now()
    let siteProbe: ReturnType<typeof probeSite> | undefined
    let smtpTest: ReturnType<typeof testMailServer> | undefined
    let senderDns: ReturnType<typeof checkSenderDns> | undefined
    const context: Omit<CheckContext, 'previous'> = {
      ...current,
      clockJump: clockJump(now),
      siteProbe: () => {
        siteProbe ??= probeSite(current.origin, options.probe)
        return siteProbe
      },
      smtpTest: () => {
        smtpTest ??= testMailServer(current)
        return smtpTest
      },
      senderDns: () => {
        senderDns ??= checkSenderDns(current)
        return senderDns
      },
    }
    const isOld = (check: HealthCheck) => {
      const known = results.get(check)
      if (!known) return true
      // A failed check is repeated soon, because an alert needs two failed runs.
      const reusedForMs = known.outcome === 'failed' ? minuteMs : registry[check].everyMs
      // The absolute value, because the system clock may have been set back.
      return Math.abs(now.getTime() - known.checkedAt.getTime()) >= reusedForMs
    }
    const isWanted = (check: HealthCheck) => registry[check].isWanted?.(current) ?? true
    for (const check of healthChecks.filter((one) => isWanted(one) && (fresh || isOld(one)))) {
      results.set(check, {
        ...(await runCheck(check, { ...context, previous: results.get(check) })),
        check,
        checkedAt: now,
      })
    }
  }
  const last = () => healthChecks.flatMap((check) => results.get(check) ?? [])
  return {
    async runChecks({ fresh = false } = {}) {
      // Concurrent callers share one run; a caller that wants fresh results first waits for a run with cached ones to end.
      while (running && fresh && !running.fresh) await running.done.catch(() => {})
      if (!running) {
        running = {
          fresh,
          done: checkEach(fresh).finally(() => {
            running = undefined
          }),
        }
      }
      await running.done
      return last()
    },
    last,
  }
}

async function runCheck(check: HealthCheck, context: CheckContext): Promise<Finding> {
  try {
    return await withTimeout(registry[check].run(context), checkWithinMs)
  } catch (error) {
    const reason = reasonOf(error)
    const shown = typeof reason === 'string' ? reason.slice(0, 200) : (locale: Locale) => reasonText(reason, locale)
    return { outcome: 'unknown', text: 'notChecked', values: { reason: shown } }
  }
}

/** @returns a function that gives the last jump of the system clock within 24 hours, in seconds */
function watchClock(steadyMs: () => number): (now: Date) => number {
  let known: { now: number; steady: number } | undefined
  let jump: { seconds: number; at: number } | undefined
  return (now) => {
    const at = { now: now.getTime(), steady: steadyMs() }
    const by = known ? at.now - known.now - (at.steady - known.steady) : 0
    known = at
    if (Math.abs(by) > jumpMs) jump = { seconds: Math.abs(Math.round(by / 1_000)), at: at.steady }
    return jump && at.steady - jump.at < dayMs ? jump.seconds : 0
  }
}

/** For those who manage the settings of the site. */
export async function getHealth(
  ctx: Context,
  monitor: HealthMonitor,
  { locale, fresh }: { locale: Locale; fresh: boolean },
): Promise<Health> {
  allow(ctx, ['config.write'])
  const found = await linesWithProgram(ctx, await monitor.runChecks({ fresh }))
  if (fresh) await shareFound(ctx, found)
  return { lines: found[adminLocale(locale)] }
}

/** Other screens show what the reader sees here. A disk that takes no writes does not hide it from the reader. */
async function shareFound(ctx: Context, found: FoundLines): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'health')
      await saveFoundLines(tx, found)
    })
  } catch (error) {
    ctx.log.warn({ err: error }, 'what was found about the health of the site could not be stored')
  }
}

const areaOf = new Map(
  Object.entries(healthAreas).flatMap(([area, checks]) =>
    checks.map((check): [HealthCheck, HealthArea] => [check, area as HealthArea]),
  ),
)

/** The results as texts in a language. */
export function toLines(results: readonly HealthResult[], locale: Locale): HealthLine[] {
  const t = translator(locale)
  return results.map(({ check, outcome, text, values = {}, checkedAt }) => ({
    check,
    area: areaOf.get(check) as HealthArea,
    outcome,
    label: t(`health.checks.${check}`),
    text: t(`health.findings.${text}`, written(values, locale)),
    screen: registry[check].screen ?? null,
    checkedAt: checkedAt.toISOString(),
  }))
}

export const linesByLanguage = (results: readonly HealthResult[]): FoundLines =>
  Object.fromEntries(adminLocales.map((locale) => [locale, toLines(results, locale)])) as FoundLines

function written(values: NonNullable<Finding['values']>, locale: Locale): Record<string, string | number> {
  const text = (value: FindingValue) => {
    if (value instanceof Date) return longDateTime(value, locale)
    if (typeof value === 'function') return isolated(value(locale), locale)
    if (typeof value === 'string') return isolated(value, locale)
    return typeof value === 'object' ? sizeText(value.bytes, locale) : value
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])),
  )
}

function sizeText(bytes: number, locale: Locale): string {
  const [unit, of] = bytes >= 1e9 ? ['gigabyte', 1e9] : ['megabyte', 1e6]
  return new Intl.NumberFormat(intlTagOf(locale), {
    style: 'unit',
    unit: unit as string,
    maximumFractionDigits: 1,
  }).format(bytes / (of as number))
}

/** The program checks every five minutes. */
const silentMs = 15 * minuteMs

/**
 * The lines for any process, such as `doctor` or a worker that runs no jobs. What it cannot check is what the running program
 * found last, unless that does not check any more.
 */
export async function linesWithProgram(
  { db, dialect }: Pick<Context, 'db' | 'dialect'>,
  results: readonly HealthResult[],
): Promise<FoundLines> {
  const own = linesByLanguage(results)
  const unchecked = new Set(results.filter(({ text }) => text === 'programNeeded').map(({ check }) => check))
  if (unchecked.size === 0) return own
  const { lastRunAt } = await getAlarmSetting(db)
  const isSilent = !lastRunAt || (await dialect.clock(db)).getTime() - lastRunAt.getTime() > silentMs
  const stored = isSilent ? undefined : await findFoundLines(db)
  const storedLine = (check: HealthCheck, locale: AdminLocale) =>
    unchecked.has(check) ? stored?.[locale].find((line) => line.check === check) : undefined
  const merged = adminLocales.map((locale) => [
    locale,
    own[locale].map((line) => storedLine(line.check, locale) ?? line),
  ])
  return Object.fromEntries(merged) as FoundLines
}

/** The worst outcome of all, in this order: `failed`, `attention`, `unknown`, `good`. */
export function worstOutcome(results: readonly Pick<HealthResult, 'outcome'>[]): HealthOutcome {
  const order: HealthOutcome[] = ['failed', 'attention', 'unknown']
  return order.find((outcome) => results.some((one) => one.outcome === outcome)) ?? 'good'
}
