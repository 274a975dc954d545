import { publicFileIdsIn } from '../../contract/file-urls.ts'
import type { FileUsage } from '../../contract/files.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { ListFileUsages } from '../files/list-files.ts'
import { findCurrentConfiguration } from './apply-configuration.ts'

/** Reads the configuration from the database: another instance may have changed it a moment ago. */
export const fileUsagesInConfiguration: ListFileUsages = async ({ db, site: known, publicDir }, publicIds) => {
  const wanted = new Set(publicIds)
  const { site } = await findCurrentConfiguration(db, known, publicDir)
  return namedContents(site).flatMap(({ name, type, content }) =>
    publicFileIdsIn(JSON.stringify(content)).some((publicId) => wanted.has(publicId)) ? [{ type, name, id: null }] : [],
  )
}

function namedContents({
  pages: _,
  branding,
  ...rest
}: SiteConfig): { type: FileUsage['type']; name: string; content: unknown }[] {
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
