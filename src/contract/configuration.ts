import { z } from 'zod'
import { configParts, type SiteParts } from './config-parts.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { pageLanguage } from './pages.ts'
import { optionalMultiLine } from './text.ts'

/** How a revision was made. `file`: the configuration file, stored at the first change. */
const revisionKinds = ['file', 'changed', 'imported', 'restored'] as const

export const configRevision = z
  .object({
    /** The revision number. */
    id: z.int(),
    createdAt: z.iso.datetime(),
    /** The author's name at that time; empty for the command line. */
    author: z.object({ id: z.int().nullable(), name: z.string() }),
    kind: z.enum(revisionKinds),
    /** Only with `restored`: the revision that was restored. */
    restoredId: z.int().nullable(),
    note: z.string(),
    /** The changed parts; empty for old revisions that did not record them. */
    parts: z.array(z.enum(configParts)),
  })
  .meta({ id: 'ConfigRevision' })
export type ConfigRevision = z.infer<typeof configRevision>

/** The parts of the configuration. They are not validated here, because `siteConfigSchema` needs the blocks. */
const siteParts = z
  .custom<SiteParts>()
  .meta({ description: 'The configuration as site.schema.json describes it, without `$schema`, `version` and `pages`' })

export const configuration = z
  .object({
    /** The current revision number; 0 is the file. */
    version: z.int(),
    /** `null`: nothing has been changed yet, and the file applies. */
    revision: configRevision.nullable(),
    config: siteParts,
  })
  .meta({ id: 'Configuration' })
export type Configuration = z.infer<typeof configuration>

export const revisionWithConfig = z
  .object({
    revision: configRevision,
    config: siteParts,
    /** The previous configuration; null for the first revision, and when it is no longer valid. */
    before: siteParts.nullable(),
    /** The number of the previous revision, for restoring it; null for the first one. */
    beforeId: z.int().nullable(),
    /** Whether this is the current configuration. */
    inForce: z.boolean(),
  })
  .meta({ id: 'ConfigRevisionWithConfig' })
export type RevisionWithConfig = z.infer<typeof revisionWithConfig>

const note = optionalMultiLine(limits.configNoteChars).optional()

export const changedConfiguration = z
  .strictObject({
    version: counter,
    note,
    /** Each part replaces the stored one completely; other parts stay unchanged. */
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parts of the configuration as site.schema.json describes them; the others stay' }),
  })
  .meta({ id: 'ChangedConfiguration' })
export type ChangedConfiguration = z.infer<typeof changedConfiguration>

export const restoredConfiguration = z.strictObject({ version: counter }).meta({ id: 'RestoredConfiguration' })
export type RestoredConfiguration = z.infer<typeof restoredConfiguration>

/** A complete configuration file of version 1.2 or older, as JSON text. */
const file = z.string({ error: 'type' }).min(1, 'required').max(limits.configFileChars, 'tooLong')
export const checkedFile = z.strictObject({ file }).meta({ id: 'CheckedFile' })
export const importedFile = z.strictObject({ version: counter, note, file }).meta({ id: 'ImportedFile' })
export type ImportedFile = z.infer<typeof importedFile>

/** The number of entries of the collection with this id, without those in the trash. */
export const entryCount = z.object({ id: z.string(), entries: z.int() })
export type EntryCount = z.infer<typeof entryCount>

/** What importing a file would change. */
export const fileReport = z
  .object({
    version: z.int(),
    config: siteParts,
    /** Pages whose live text would change. */
    pages: z.array(z.object({ slug: z.string(), title: z.string() })),
    /** Whether the actor may replace pages; otherwise they stay unchanged. */
    withPages: z.boolean(),
    /** Collections with entries that the file lacks: their entries stay stored but become hidden. */
    hidden: z.array(entryCount),
    /** Languages with pages that the file lacks: their pages stay stored but become hidden. */
    hiddenLanguages: z.array(pageLanguage),
  })
  .meta({ id: 'FileReport' })
export type FileReport = z.infer<typeof fileReport>

export const visitorTextsParameter = z.object({ locale: languageTag })

/** A built-in text for visitors, which the site can replace. */
const visitorText = z.object({
  /** Its translation key, like `contact.send`; a plural form ends in its category: `site.search.found_one`. */
  path: z.string(),
  /** The built-in text in the language, or else the text in the fallback language that visitors read. */
  text: z.string(),
  /** Whether there is a built-in text in the language, or in its base language (`en` for `en-GB`). */
  delivered: z.boolean(),
})
export type VisitorText = z.infer<typeof visitorText>
export const visitorTexts = z.object({ data: z.array(visitorText) }).meta({ id: 'VisitorTexts' })
