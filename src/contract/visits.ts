/** The periods to choose from, in days. Each is compared with the same number of days before it. */
export const statisticsPeriods = [30, 7, 90, 365] as const

/** The classes of devices, derived from the User-Agent header. */
export const devices = ['desktop', 'phone', 'tablet'] as const
export type Device = (typeof devices)[number]

/** The name under which values beyond `limits.statisticsValues` of a day are counted. A host name always has a dot. */
export const otherValue = 'other'
/** The source of a visit without a referring site. */
export const directSource = 'direct'
