import type { Place } from '../../contract/files.ts'
import type { Context } from '../../platform/context.ts'

/** Finds where something stands that has one of these addresses. Each noun that holds content brings its own. */
export type FindPlaces = (ctx: Pick<Context, 'db' | 'site'>, addresses: readonly string[]) => Promise<Place[]>

/** Every place in which a file stands that has, or had, these addresses. */
export async function findPlaces(
  ctx: Pick<Context, 'db' | 'site'>,
  addresses: readonly string[],
  finders: readonly FindPlaces[],
): Promise<Place[]> {
  return (await Promise.all(finders.map((find) => find(ctx, addresses)))).flat()
}
