import { z } from 'zod'

/** Every check, by what it is about, in the order in which they are shown. Names are permanent: alarms and metrics use them. */
export const healthAreas = {
  data: ['database', 'integrity', 'databaseSize', 'disk', 'storage', 'backup'],
  mail: ['mailServer', 'emails', 'canary'],
  address: ['reachable', 'certificate', 'https', 'headers', 'ipv6', 'securityTxt'],
  content: ['schedules', 'links'],
  program: ['version', 'clock'],
} as const
export type HealthArea = keyof typeof healthAreas
export type HealthCheck = (typeof healthAreas)[HealthArea][number]
export const healthChecks: HealthCheck[] = Object.values(healthAreas).flat()

/** `unknown`: the check could not tell, for example because something did not answer in time. */
export const healthOutcomes = ['good', 'attention', 'failed', 'unknown'] as const
export type HealthOutcome = (typeof healthOutcomes)[number]

export const healthQuery = z.strictObject({
  /** `yes`: check everything now, instead of showing what was found in the last minutes. */
  fresh: z.enum(['yes', 'no']).default('no'),
})
export type HealthQuery = z.infer<typeof healthQuery>

export const healthLine = z
  .object({
    check: z.enum(healthChecks),
    area: z.enum(Object.keys(healthAreas) as [HealthArea, ...HealthArea[]]),
    outcome: z.enum(healthOutcomes),
    /** In the reader's language. */
    label: z.string(),
    /** What was found, and in one sentence what to do about it. */
    text: z.string(),
    /** The screen of the admin where it is cured. */
    screen: z.string().nullable(),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'HealthLine' })
export type HealthLine = z.infer<typeof healthLine>

export const health = z.object({ lines: z.array(healthLine) }).meta({ id: 'Health' })
export type Health = z.infer<typeof health>
