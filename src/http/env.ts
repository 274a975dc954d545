import type { Locale } from '../contract/locales.ts'
import type { Context } from '../platform/context.ts'

/** The variables that the middleware sets. */
export interface Env {
  Variables: {
    ctx: Context
    /** The client's address; never stored or logged in plain form. */
    clientAddress: string
    requestId: string
    /** The language of a refusal, where the body names one; without it, that of `Accept-Language`. */
    locale?: Locale
  }
}
