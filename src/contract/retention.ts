import { z } from 'zod'

const days = (min: number, max: number) => z.int().min(min).max(max)

/** The number of days after which stored data is deleted automatically; the privacy statement shows these numbers. */
export const retentionSettings = z.strictObject({
  /** The audit log. */
  auditDays: days(30, 3_650),
  /** The daily totals of views and visits. */
  statisticsDays: days(30, 3_650),
  /** Emails after they were sent or have failed. */
  emailDays: days(1, 365),
  /** Hashes of browsers and addresses, after the last sign-in from there; of failed attempts a day at most. */
  signInDays: days(1, 365),
  /** Backups: scheduled, manual and those before updates, also those that the settings of backups would keep longer. */
  backupDays: days(30, 3_650).default(365),
})
export type RetentionSettings = z.infer<typeof retentionSettings>
export const retentionNames = Object.keys(retentionSettings.shape) as (keyof RetentionSettings)[]

/** The settings of a site that has none in its configuration. */
export const defaultRetention: RetentionSettings = {
  auditDays: 3_650,
  statisticsDays: 730,
  emailDays: 30,
  signInDays: 180,
  backupDays: 365,
}
