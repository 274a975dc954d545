import type { Place } from '../../contract/files.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { FindPlaces } from '../files/places.ts'
import { findSite } from './find-site.ts'

/** The parts of the configuration as the database has it at this moment; another copy may have put it in force just now. */
export const placesInConfiguration: FindPlaces = async ({ db, site: known }, addresses) => {
  const wanted = new Set(addresses)
  const site = (await findSite(db)) ?? known
  return partsOf(site).flatMap(({ name, type, content }) =>
    addressesIn(JSON.stringify(content)).some((address) => wanted.has(address)) ? [{ type, name, id: null }] : [],
  )
}

function partsOf({
  pages: _,
  branding,
  ...rest
}: SiteConfig): { type: Place['type']; name: string; content: unknown }[] {
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
  ]
}
