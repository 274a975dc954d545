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
      const cached = results.get(check)
      if (!cached) return true
      // A failed check is repeated soon, because an alert needs two failed runs.
      const cachedForMs = cached.outcome === 'failed' ? minuteMs : registry[check].everyMs
      // The absolute value, because the system clock may have been set back.
      return Math.abs(now.getTime() - cached.checkedAt.getTime()) >= cachedForMs
    }
    const isWanted = (check: HealthCheck) => registry[check].isWanted?.(current) ?? true
    for (const check of healthChecks.filter((name) => isWanted(name) && (fresh || isOld(name)))) {
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
    const text = typeof reason === 'string' ? reason.slice(0, 200) : (locale: Locale) => reasonText(reason, locale)
    return { outcome: 'unknown', text: 'notChecked', values: { reason: text } }
  }
}

/** @returns a function that gives the last jump of the system clock within 24 hours, in seconds */
function watchClock(steadyMs: () => number): (now: Date) => number {
  let previous: { systemMs: number; steadyMs: number } | undefined
  let jump: { seconds: number; atSteadyMs: number } | undefined
  return (now) => {
    const current = { systemMs: now.getTime(), steadyMs: steadyMs() }
    const jumpedMs = previous ? current.systemMs - previous.systemMs - (current.steadyMs - previous.steadyMs) : 0
    previous = current
    if (Math.abs(jumpedMs) > jumpMs)
      jump = { seconds: Math.abs(Math.round(jumpedMs / 1_000)), atSteadyMs: current.steadyMs }
    return jump && current.steadyMs - jump.atSteadyMs < dayMs ? jump.seconds : 0
  }
}

/**
 * The results of all checks as texts, for users with `config.write`.
 * @param options.fresh runs all checks instead of those whose cached results have expired
 */
export async function getHealth(
  ctx: Context,
  monitor: HealthMonitor,
  { locale, fresh }: { locale: Locale; fresh: boolean },
): Promise<Health> {
  allow(ctx, ['config.write'])
  const lines = await linesWithProgram(ctx, await monitor.runChecks({ fresh }))
  if (fresh) await storeLines(ctx, lines)
  return { lines: lines[adminLocale(locale)] }
}

/** Stores the results for the other screens. If the disk takes no writes, the error is only logged. */
async function storeLines(ctx: Context, lines: FoundLines): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'health')
      await saveFoundLines(tx, lines)
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
    text: t(`health.findings.${text}`, formatValues(values, locale)),
    screen: registry[check].screen ?? null,
    checkedAt: checkedAt.toISOString(),
  }))
}

/** The results as texts in each language of the admin. */
export const linesByLanguage = (results: readonly HealthResult[]): FoundLines =>
  Object.fromEntries(adminLocales.map((locale) => [locale, toLines(results, locale)])) as FoundLines

function formatValues(values: NonNullable<Finding['values']>, locale: Locale): Record<string, string | number> {
  const format = (value: FindingValue) => {
    if (value instanceof Date) return longDateTime(value, locale)
    if (typeof value === 'function') return isolated(value(locale), locale)
    if (typeof value === 'string') return isolated(value, locale)
    return typeof value === 'object' ? sizeText(value.bytes, locale) : value
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, format(value)]])),
  )
}

function sizeText(bytes: number, locale: Locale): string {
  const { unit, size } = bytes >= 1e9 ? { unit: 'gigabyte', size: 1e9 } : { unit: 'megabyte', size: 1e6 }
  const format = new Intl.NumberFormat(intlTagOf(locale), { style: 'unit', unit, maximumFractionDigits: 1 })
  return format.format(bytes / size)
}

/** The running program checks every five minutes; after this time without a run it counts as stopped. */
const silentMs = 15 * minuteMs

/**
 * The results as texts, for any process, such as `doctor` or a worker that runs no jobs. Checks that need the running
 * program have its last result instead, unless it has stopped.
 * @param results of the checks that this process has run
 */
export async function linesWithProgram(
  { db, dialect }: Pick<Context, 'db' | 'dialect'>,
  results: readonly HealthResult[],
): Promise<FoundLines> {
  const lines = linesByLanguage(results)
  const unchecked = new Set(results.filter(({ text }) => text === 'programNeeded').map(({ check }) => check))
  if (unchecked.size === 0) return lines
  const { lastRunAt } = await getAlarmSetting(db)
  const isSilent = !lastRunAt || (await dialect.clock(db)).getTime() - lastRunAt.getTime() > silentMs
  const stored = isSilent ? undefined : await findFoundLines(db)
  const storedLine = (check: HealthCheck, locale: AdminLocale) =>
    unchecked.has(check) ? stored?.[locale].find((line) => line.check === check) : undefined
  const merged = adminLocales.map((locale) => [
    locale,
    lines[locale].map((line) => storedLine(line.check, locale) ?? line),
  ])
  return Object.fromEntries(merged) as FoundLines
}

/** The worst outcome of all, in this order: `failed`, `attention`, `unknown`, `good`. */
export function worstOutcome(results: readonly Pick<HealthResult, 'outcome'>[]): HealthOutcome {
  const order: HealthOutcome[] = ['failed', 'attention', 'unknown']
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? 'good'
}
