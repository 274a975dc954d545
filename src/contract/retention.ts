import { z } from 'zod'

const days = (min: number, max: number) => z.int().min(min).max(max)

/** After how many days the program deletes what it stored by itself; the privacy statement shows these numbers. */
export const retentionSettings = z.strictObject({
  /** The audit log. */
  auditDays: days(30, 3_650),
  /** The daily totals of views and visits. */
  statisticsDays: days(30, 3_650),
  /** Emails after they were sent or have failed. */
  emailDays: days(1, 365),
  /** Fingerprints of browsers and addresses since the last sign-in there; those of failed attempts stay a day at most. */
  signInDays: days(1, 365),
  /** Backups by the clock or by hand, whatever the rule of the backups keeps; also those that updates make. */
  backupDays: days(30, 3_650).default(365),
})
export type RetentionSettings = z.infer<typeof retentionSettings>
export const retentionNames = Object.keys(retentionSettings.shape) as (keyof RetentionSettings)[]

/** In effect as long as staff set no others. */
export const defaultRetention: RetentionSettings = {
  auditDays: 3_650,
  statisticsDays: 730,
  emailDays: 30,
  signInDays: 180,
  backupDays: 365,
}
