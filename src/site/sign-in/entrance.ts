import type { Context as HonoContext } from 'hono'
import type { Env } from '../../http/env.ts'

type Answer = Response | Promise<Response>

/** A page on which somebody comes in or goes out, in every language of the site. */
export interface Entrance {
  path: string
  show(c: HonoContext<Env>): Answer
  /** Takes its form; left out, there is none. */
  take?(c: HonoContext<Env>): Answer
}
