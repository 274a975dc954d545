/** The periods to choose from, in days. Each is compared with the same number of days before it. */
export const statisticsPeriods = [30, 7, 90, 365] as const

/** The classes of devices, by what the browser calls itself. */
export const devices = ['desktop', 'phone', 'tablet'] as const
export type Device = (typeof devices)[number]

/** The value that all values beyond `limits.statisticsValues` of one day share. No site has a name without a dot. */
export const otherValue = 'other'
/** The source of a visit without a referring site. */
export const directSource = 'direct'
