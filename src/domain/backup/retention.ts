import { addDays, type Day, dayAt } from '../../contract/day.ts'

interface RetentionRule {
  daily: number
  weekly: number
  monthly: number
}

/**
 * The backups that the retention rule retains: the newest of each day, week and month, for the given numbers of days, weeks
 * and months that have a backup. The newest backup is always retained.
 */
export function selectRetainedBackups<Backup extends { madeAt: Date }>(
  backups: readonly Backup[],
  rule: RetentionRule,
): Set<Backup> {
  const newestFirst = backups.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
  const retained = new Set(newestFirst.slice(0, 1))
  for (const [count, periodOf] of [
    [rule.daily, (day: Day) => day],
    [rule.weekly, mondayOf],
    [rule.monthly, (day: Day) => day.slice(0, 7)],
  ] as const) {
    const seen = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(dayAt(backup.madeAt))
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      retained.add(backup)
    }
  }
  return retained
}

const mondayOf = (day: Day): Day => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
