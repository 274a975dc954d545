import { z } from 'zod'
import { limits } from './limits.ts'
import { picture } from './pictures.ts'
import { siteConfigSchema } from './site-config.ts'

const config = siteConfigSchema(z.never()).shape

/** What blocks look at: of the configuration what any visitor sees, so neither recipients nor sender. */
export const scene = z
  .object({
    site: z.object({
      brand: config.brand,
      url: config.url,
      business: config.business,
      legal: config.legal,
      logo: config.logo,
      offer: config.offer,
      contact: z.object(config.contact.shape).pick({ action: true, fields: true, retentionDays: true }),
    }),
    /** The uploads that were asked for, by what names them in their address. */
    pictures: z.record(z.string(), picture),
  })
  .meta({ id: 'Scene' })
export type SceneParts = z.infer<typeof scene>

export const sceneQuery = z
  .strictObject({
    /** What stands between `/files/` and the name, in the addresses of the pictures that blocks hold. */
    pictures: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(limits.manyMost),
  })
  .meta({ id: 'SceneQuery' })
export type SceneQuery = z.infer<typeof sceneQuery>
