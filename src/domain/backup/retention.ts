import { addDays, type Day, dayAt } from '../../contract/day.ts'

interface RetentionRule {
  daily: number
  weekly: number
  monthly: number
}

/**
 * Selects the backups that a retention rule retains: the newest of each day, week and month, for the last `daily` days,
 * `weekly` weeks and `monthly` months that have a backup. The newest backup is always retained.
 */
export function selectRetainedBackups<Backup extends { madeAt: Date }>(
  backups: readonly Backup[],
  rule: RetentionRule,
): Set<Backup> {
  const newestFirst = backups.toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  const retained = new Set(newestFirst.slice(0, 1))
  for (const [count, periodOf] of [
    [rule.daily, (day: Day) => day],
    [rule.weekly, mondayOf],
    [rule.monthly, (day: Day) => day.slice(0, 7)],
  ] as const) {
    const retainedPeriods = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(dayAt(backup.madeAt))
      if (retainedPeriods.has(period) || retainedPeriods.size >= count) continue
      retainedPeriods.add(period)
      retained.add(backup)
    }
  }
  return retained
}

/** The first day of the week. `getUTCDay` counts from Sunday. */
const mondayOf = (day: Day): Day => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
