import type { Context } from '../../platform/context.ts'
import { findLastVisit } from './visit.queries.ts'

/** When somebody was here before, or else when their account was made; undefined when there is no such user. */
export const lastVisit = (ctx: Pick<Context, 'db'>, userId: number): Promise<Date | undefined> =>
  findLastVisit(ctx.db, userId)
