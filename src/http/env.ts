import type { Locale } from '../contract/locales.ts'
import type { Context } from '../platform/context.ts'

/** What the layers above a handler have put in its reach. */
export interface Env {
  Variables: {
    ctx: Context
    /** The client's address; never stored or logged as it is. */
    address: string
    requestId: string
    /** The language of a refusal, where the body names one; else that of the request's `Accept-Language`. */
    locale?: Locale
  }
}
