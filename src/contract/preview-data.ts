import { z } from 'zod'
import { fileFacts, responsiveImage } from './images.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import type { MenuItem } from './menus.ts'
import { sectionId } from './page-body.ts'
import { storedBlock } from './pages.ts'
import { siteConfigSchema } from './site-config.ts'
import { linkUrl } from './url.ts'

const config = siteConfigSchema(z.looseObject({ type: z.string() }), z.custom<MenuItem>()).shape

const listedEntry = z.object({
  path: z.string(),
  title: z.string(),
  locale: languageTag,
  values: z.array(z.looseObject({ value: z.union([z.string(), z.number()]) })),
})

/** What the editor needs to render blocks. Of the configuration only the public part, without recipients and sender. */
export const previewData = z
  .object({
    site: z.object({
      brand: config.brand,
      url: config.url,
      business: config.business,
      legal: config.legal,
      logo: config.logo,
      offer: config.offer,
      menus: config.menus,
      branding: config.branding,
      look: config.look,
      retention: config.retention,
      fallbackLocales: config.fallbackLocales,
      /** The replaced texts that blocks use, in the requested language and its fallback languages. */
      texts: config.texts,
      locales: config.locales,
      rootLocale: config.rootLocale,
      languages: config.languages,
      /** Without recipients and subjects. */
      forms: z.array(z.looseObject({ id: z.string() })),
      collections: config.collections,
      contact: z.object(config.contact.shape).pick({ action: true, fields: true, retentionDays: true }),
    }),
    /** The requested images and those of the header and footer, by public id. */
    pictures: z.record(z.string(), responsiveImage),
    /** The requested files that are no images, by public id. */
    files: z.record(z.string(), fileFacts),
    /** The pages of the menu, by id. */
    menuPages: z.record(z.string(), z.record(languageTag, z.object({ title: z.string(), slug: z.string() }))),
    /** The requested sections and those nested in them, by id, in the requested language or else in the main one. */
    sections: z.record(z.string(), z.object({ name: z.string(), locale: languageTag, body: z.array(storedBlock) })),
    /** The entries of the requested lists and of those in the sections, by the key of the list. */
    entryLists: z.record(z.string(), z.array(listedEntry)),
  })
  .meta({ id: 'PreviewData' })
export type PreviewData = z.infer<typeof previewData>

export const previewDataRequest = z
  .strictObject({
    /** The public ids of the images and files that the blocks use. */
    pictures: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(limits.bulkIdsMax),
    /** The sections that the blocks refer to. */
    sections: z.array(sectionId).max(limits.draftBlocks).optional(),
    /** The entry lists in the blocks. */
    entryLists: z
      .array(
        z.strictObject({
          from: z.string().max(81),
          urls: z.array(linkUrl).max(limits.listedEntries),
          count: z.int().min(1).max(limits.listedEntries),
        }),
      )
      .max(limits.entryLists)
      .optional(),
    /** The language of the blocks. */
    locale: languageTag.default('nl'),
  })
  .meta({ id: 'PreviewDataRequest' })
export type PreviewDataRequest = z.infer<typeof previewDataRequest>
