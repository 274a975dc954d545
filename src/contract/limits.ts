/** For what is counted in days. */
export const dayMs = 24 * 60 * 60_000

/** Every number that bounds input, with its unit in its name. */
export const limits = {
  /** Characters of one contact field, after trimming. */
  naamChars: 200,
  emailChars: 254,
  telChars: 50,
  berichtChars: 10_000,
  /** Above this a body is refused unread. 10,000 Persian characters, percent-encoded, are 120 KB. */
  contactBodyBytes: 1_048_576,
  /** Above this an address is refused; browsers and proxies stop at about the same. */
  urlChars: 2_000,

  contactWindowMs: 10 * 60_000,
  contactAcceptedPerAddress: 20,
  contactAttemptsPerAddress: 100,
  contactAcceptedInAll: 1_000,

  passwordMinChars: 6,
  localeCookieDays: 365,
} as const
