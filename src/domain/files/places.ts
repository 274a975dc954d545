import type { Place } from '../../contract/files.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
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

/** The parts of the configuration in force, its first pages included. */
export const placesInConfiguration: FindPlaces = async ({ site }, addresses) => {
  const wanted = new Set(addresses)
  return partsOf(site).flatMap(({ name, type, content }) =>
    addressesIn(JSON.stringify(content)).some((address) => wanted.has(address)) ? [{ type, name, id: null }] : [],
  )
}

function partsOf({ pages, branding, ...rest }: SiteConfig): { type: Place['type']; name: string; content: unknown }[] {
  const areas = Object.entries(branding).flatMap(([bar, inside]) =>
    Object.entries(inside).map(([name, content]) => ({
      type: 'configuration' as const,
      name: `${bar}.${name}`,
      content,
    })),
  )
  return [
    ...areas,
    ...Object.entries(rest).map(([name, content]) => ({ type: 'configuration' as const, name, content })),
    ...pages.map((page) => ({ type: 'page' as const, name: page.content.nl.title, content: page })),
  ]
}
