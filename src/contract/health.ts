import { z } from 'zod'
import { rowId } from './list.ts'
import { dnsCheckNames } from './mail-checks.ts'

/** The health checks by area, in display order. Names are permanent: alarms and metrics use them. */
export const healthAreas = {
  data: ['database', 'integrity', 'databaseSize', 'disk', 'storage', 'backup', 'backupRetention'],
  mail: ['mailServer', 'emails', 'mailbox', 'canary', 'arrival', ...dnsCheckNames],
  address: ['reachable', 'certificate', 'https', 'headers', 'ipv6', 'dnssec', 'securityTxt'],
  content: ['schedules', 'links', 'cdn'],
  program: ['version', 'clock', 'alarms'],
} as const
export type HealthArea = keyof typeof healthAreas
export type HealthCheck = (typeof healthAreas)[HealthArea][number]
export const healthChecks: HealthCheck[] = Object.values(healthAreas).flat()

/** `unknown`: the check has no result, for example because of a timeout. */
const healthOutcomes = ['good', 'attention', 'failed', 'unknown'] as const
export type HealthOutcome = (typeof healthOutcomes)[number]

export const healthQuery = z.strictObject({
  /** `yes`: run all checks now, instead of returning the results of the last check run. */
  fresh: z.enum(['yes', 'no']).default('no'),
})

const healthLine = z
  .object({
    check: z.enum(healthChecks),
    area: z.enum(Object.keys(healthAreas) as [HealthArea, ...HealthArea[]]),
    outcome: z.enum(healthOutcomes),
    /** The name of the check, in the reader's language. */
    label: z.string(),
    /** The finding, and what to do about it. */
    text: z.string(),
    /** The path of the admin's screen on which the problem can be solved. */
    screen: z.string().nullable(),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'HealthLine' })
export type HealthLine = z.infer<typeof healthLine>

export const healthProblems = z
  .object({
    /** Failed checks, then those that need attention; null before the first run, or without the right to change settings. */
    lines: z.array(healthLine).nullable(),
    /** `server`: the mail server does not work; `waiting`: emails have waited for more than an hour. */
    mail: z.enum(['server', 'waiting']).nullable(),
  })
  .meta({ id: 'HealthProblems' })
export type HealthProblems = z.infer<typeof healthProblems>

export const health = z.object({ lines: z.array(healthLine) }).meta({ id: 'Health' })
export type Health = z.infer<typeof health>

const webhook = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .nullable()

export const healthAlarms = z
  .object({
    /** The users who may get alerts. */
    people: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        email: z.string().nullable().describe('Null for those who may not see the users'),
        isNotified: z.boolean(),
        getsReport: z.boolean(),
      }),
    ),
    webhook: webhook.describe('Its path may be a secret: `/…` for those who may not see the users'),
    version: z.int(),
  })
  .meta({ id: 'HealthAlarms' })
export type HealthAlarms = z.infer<typeof healthAlarms>

export const newHealthAlarms = z
  .strictObject({
    people: z.array(rowId).max(200).describe('Who gets alerts: ids of users who may change the settings'),
    reports: z.array(rowId).max(200).describe('Who gets the monthly email, likewise'),
    webhook: webhook.describe(
      'Gets a POST with JSON when a problem begins and when it is over; as it was shown, it stays',
    ),
    version: z.int().optional(),
  })
  .meta({ id: 'NewHealthAlarms' })
export type NewHealthAlarms = z.infer<typeof newHealthAlarms>
