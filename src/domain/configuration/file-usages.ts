import { publicFileIdsIn } from '../../contract/file-urls.ts'
import type { FileUsage } from '../../contract/files.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { ListFileUsages } from '../files/list-files.ts'
import { findCurrentConfiguration } from './apply-configuration.ts'

/**
 * The parts of the configuration that use one of the files. The configuration is read from the database: another
 * instance may have changed it a moment ago.
 */
export const listConfigurationFileUsages: ListFileUsages = async (ctx, publicIds) => {
  const searchedIds = new Set(publicIds)
  const { site } = await findCurrentConfiguration(ctx.db, ctx.site, ctx.publicDir)
  return listNamedParts(site).flatMap(({ name, content }): FileUsage[] => {
    const isUsing = publicFileIdsIn(JSON.stringify(content)).some((publicId) => searchedIds.has(publicId))
    return isUsing ? [{ type: 'configuration', name, id: null }] : []
  })
}

/**
 * The parts of the configuration without its pages; each area of the header and the footer is one, as `navbar.desktop`.
 */
function listNamedParts({ pages: _, branding, ...parts }: SiteConfig): { name: string; content: unknown }[] {
  const areas = Object.entries(branding).flatMap(([bar, areasOfBar]) =>
    Object.entries(areasOfBar).map(([area, content]) => ({ name: `${bar}.${area}`, content })),
  )
  return [...areas, ...Object.entries(parts).map(([name, content]) => ({ name, content }))]
}
