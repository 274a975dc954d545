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
import { findStoredLines, getAlarmSetting, type LinesByLocale, storeLines } from './alarm.queries.ts'
import { canary } from './canary.ts'
import {
  type Check,
  type CheckContext,
  type CheckDependencies,
  type Finding,
  type FindingValue,
  minuteMs,
} from './check.ts'
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

/** The result of one check. */
export interface HealthResult extends Finding {
  check: HealthCheck
  checkedAt: Date
}

/** Runs the checks, and caches their results in this process. */
export interface HealthMonitor {
  /**
   * Runs the checks whose cached results have expired.
   * @param options.fresh runs all checks
   * @returns the results of all checks
   */
  runChecks(options?: { fresh?: boolean }): Promise<HealthResult[]>
  /** Returns the cached results without running any check. */
  getLastResults(): HealthResult[]
}

const checkTimeoutMs = 20_000
/** The system clock was set if it moved this much more or less than the monotonic clock. */
const jumpMs = 5_000

/**
 * @param getDependencies called for each check run, because the configuration may have changed
 * @param options.monotonicMs returns the time of a clock that never jumps
 */
export function createHealthMonitor(
  getDependencies: () => CheckDependencies,
  options: { probe?: ProbeOptions; monotonicMs?: () => number } = {},
): HealthMonitor {
  const results = new Map<HealthCheck, HealthResult>()
  const measureClockJump = watchClock(options.monotonicMs ?? (() => performance.now()))
  let running: { fresh: boolean; done: Promise<void> } | undefined

  const updateResults = async (fresh: boolean) => {
    const dependencies = getDependencies()
    const now = dependencies.now()
    let siteProbe: ReturnType<typeof probeSite> | undefined
    let smtpTest: ReturnType<typeof testMailServer> | undefined
    let senderDns: ReturnType<typeof checkSenderDns> | undefined
    const context: Omit<CheckContext, 'previous'> = {
      ...dependencies,
      clockJump: measureClockJump(now),
      siteProbe: () => {
        siteProbe ??= probeSite(dependencies.origin, options.probe)
        return siteProbe
      },
      smtpTest: () => {
        smtpTest ??= testMailServer(dependencies)
        return smtpTest
      },
      senderDns: () => {
        senderDns ??= checkSenderDns(dependencies)
        return senderDns
      },
    }
    const hasExpired = (check: HealthCheck) => {
      const cached = results.get(check)
      if (!cached) return true
      // A failed check is repeated soon, because an alert needs two failed runs.
      const cachedForMs = cached.outcome === 'failed' ? minuteMs : registry[check].everyMs
      // The absolute value, because the system clock may have been set back.
      return Math.abs(now.getTime() - cached.checkedAt.getTime()) >= cachedForMs
    }
    const isWanted = (check: HealthCheck) => registry[check].isWanted?.(dependencies) ?? true
    for (const check of healthChecks.filter((name) => isWanted(name) && (fresh || hasExpired(name)))) {
      results.set(check, {
        ...(await runCheck(check, { ...context, previous: results.get(check) })),
        check,
        checkedAt: now,
      })
    }
  }
  const getLastResults = () => healthChecks.flatMap((check) => results.get(check) ?? [])
  return {
    async runChecks({ fresh = false } = {}) {
      // Concurrent callers share one run; a caller that wants fresh results first waits for a run with cached ones to end.
      while (running && fresh && !running.fresh) await running.done.catch(() => {})
      if (!running) {
        running = {
          fresh,
          done: updateResults(fresh).finally(() => {
            running = undefined
          }),
        }
      }
      await running.done
      return getLastResults()
    },
    getLastResults,
  }
}

/** Runs one check. If it throws, or does not end in time, the outcome is `unknown`. */
async function runCheck(check: HealthCheck, context: CheckContext): Promise<Finding> {
  try {
    return await withTimeout(registry[check].run(context), checkTimeoutMs)
  } catch (error) {
    const reason = reasonOf(error)
    const reasonValue =
      typeof reason === 'string' ? reason.slice(0, 200) : (locale: Locale) => reasonText(reason, locale)
    return { outcome: 'unknown', text: 'notChecked', values: { reason: reasonValue } }
  }
}

/**
 * Compares the system clock with the monotonic clock.
 * @returns a function that takes the system time, and returns the size of the last jump within 24 hours, in seconds: what the
 * system clock moved more or less than the monotonic clock between two calls
 */
function watchClock(monotonicMs: () => number): (now: Date) => number {
  let previous: { systemMs: number; monotonicMs: number } | undefined
  let lastJump: { seconds: number; atMonotonicMs: number } | undefined
  return (now) => {
    const current = { systemMs: now.getTime(), monotonicMs: monotonicMs() }
    const systemElapsedMs = current.systemMs - (previous ?? current).systemMs
    const elapsedMs = current.monotonicMs - (previous ?? current).monotonicMs
    const jumpedMs = systemElapsedMs - elapsedMs
    previous = current
    if (Math.abs(jumpedMs) > jumpMs) {
      lastJump = { seconds: Math.abs(Math.round(jumpedMs / 1_000)), atMonotonicMs: current.monotonicMs }
    }
    return lastJump && current.monotonicMs - lastJump.atMonotonicMs < dayMs ? lastJump.seconds : 0
  }
}

/**
 * Runs the checks, and returns the results of all of them as texts.
 * @param options.fresh runs all checks instead of those whose cached results have expired, and stores the results
 * @throws {Refusal} `not_allowed`
 */
export async function getHealth(
  ctx: Context,
  monitor: HealthMonitor,
  { locale, fresh }: { locale: Locale; fresh: boolean },
): Promise<Health> {
  allow(ctx, ['config.write'])
  const lines = await loadCompleteLines(ctx, await monitor.runChecks({ fresh }))
  if (fresh) await tryToStoreLines(ctx, lines)
  return { lines: lines[adminLocale(locale)] }
}

/** Stores the results for the other screens. An error is only logged: the disk may be full. */
async function tryToStoreLines(ctx: Context, lines: LinesByLocale): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'health')
      await storeLines(tx, lines)
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
export const toLinesByLocale = (results: readonly HealthResult[]): LinesByLocale =>
  Object.fromEntries(adminLocales.map((locale) => [locale, toLines(results, locale)])) as LinesByLocale

function formatValues(values: NonNullable<Finding['values']>, locale: Locale): Record<string, string | number> {
  const formatValue = (value: FindingValue) => {
    if (value instanceof Date) return longDateTime(value, locale)
    if (typeof value === 'function') return isolated(value(locale), locale)
    if (typeof value === 'string') return isolated(value, locale)
    return typeof value === 'object' ? formatSize(value.bytes, locale) : value
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, formatValue(value)]])),
  )
}

function formatSize(bytes: number, locale: Locale): string {
  const { unit, size } = bytes >= 1e9 ? { unit: 'gigabyte', size: 1e9 } : { unit: 'megabyte', size: 1e6 }
  const format = new Intl.NumberFormat(intlTagOf(locale), { style: 'unit', unit, maximumFractionDigits: 1 })
  return format.format(bytes / size)
}

/** The running program runs the checks every five minutes; after this time without a recorded run it counts as stopped. */
const stoppedAfterMs = 15 * minuteMs

/**
 * Translates the results of this process, and takes the stored results of the running program for the checks that this
 * process cannot run, unless the program has stopped: `doctor`, for example, cannot check links.
 */
export async function loadCompleteLines(
  { db, dialect }: Pick<Context, 'db' | 'dialect'>,
  results: readonly HealthResult[],
): Promise<LinesByLocale> {
  const lines = toLinesByLocale(results)
  const unchecked = new Set(results.filter(({ text }) => text === 'programNeeded').map(({ check }) => check))
  if (unchecked.size === 0) return lines
  const { lastRunAt } = await getAlarmSetting(db)
  const hasStopped = !lastRunAt || (await dialect.clock(db)).getTime() - lastRunAt.getTime() > stoppedAfterMs
  const storedLines = hasStopped ? undefined : await findStoredLines(db)
  const findStoredLine = (check: HealthCheck, locale: AdminLocale) =>
    unchecked.has(check) ? storedLines?.[locale].find((line) => line.check === check) : undefined
  const merged = adminLocales.map((locale) => [
    locale,
    lines[locale].map((line) => findStoredLine(line.check, locale) ?? line),
  ])
  return Object.fromEntries(merged) as LinesByLocale
}

/** The worst outcome of all, in this order: `failed`, `attention`, `unknown`, `good`. */
export function worstOutcome(results: readonly Pick<HealthResult, 'outcome'>[]): HealthOutcome {
  const worstFirst: HealthOutcome[] = ['failed', 'attention', 'unknown']
  return worstFirst.find((outcome) => results.some((result) => result.outcome === outcome)) ?? 'good'
}
