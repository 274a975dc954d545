import { z } from 'zod'
import { configParts, type SiteParts } from './config-parts.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { pageLanguage } from './pages.ts'
import { optionalMultiLine } from './text.ts'

/** `file`: the configuration file as it was before the first change. */
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

/** The parts as described by `site.schema.json`; the full schema runs on the server. */
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
    /** The configuration before it; `null` for the first one, and when that is no longer valid. */
    before: siteParts.nullable(),
    /** The previous revision, for restoring it. */
    beforeId: z.int().nullable(),
    /** Whether it is the current one. */
    inForce: z.boolean(),
  })
  .meta({ id: 'ConfigRevisionWithConfig' })
export type RevisionWithConfig = z.infer<typeof revisionWithConfig>

const note = optionalMultiLine(limits.configNoteChars).optional()

export const changedConfiguration = z
  .strictObject({
    version: counter,
    note,
    /** The parts to replace, each whole; the others stay. */
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parts of the configuration as site.schema.json describes them; the others stay' }),
  })
  .meta({ id: 'ChangedConfiguration' })
export type ChangedConfiguration = z.infer<typeof changedConfiguration>

export const restoredConfiguration = z.strictObject({ version: counter }).meta({ id: 'RestoredConfiguration' })
export type RestoredConfiguration = z.infer<typeof restoredConfiguration>

/** A whole file of version 1.2 or older, as text. */
const file = z.string({ error: 'type' }).min(1, 'required').max(limits.configFileChars, 'tooLong')
export const checkedFile = z.strictObject({ file }).meta({ id: 'CheckedFile' })
export const importedFile = z.strictObject({ version: counter, note, file }).meta({ id: 'ImportedFile' })
export type ImportedFile = z.infer<typeof importedFile>

/** How many entries the collection with this id has, without those in the trash. */
export const entryCount = z.object({ id: z.string(), entries: z.int() })
export type EntryCount = z.infer<typeof entryCount>

/** The changes that importing a file would make; nothing is changed yet. */
export const fileReport = z
  .object({
    version: z.int(),
    config: siteParts,
    /** Pages whose live text would change. */
    pages: z.array(z.object({ slug: z.string(), title: z.string() })),
    /** Whether the actor may replace pages; otherwise they stay unchanged. */
    withPages: z.boolean(),
    /** Collections that the file lacks and that have entries, which stay, hidden. */
    hidden: z.array(entryCount),
    /** Languages that the file lacks and that have pages, which stay, hidden. */
    hiddenLanguages: z.array(pageLanguage),
  })
  .meta({ id: 'FileReport' })
export type FileReport = z.infer<typeof fileReport>

export const visitorTextsParameter = z.object({ locale: languageTag })

/** A text of the program that visitors read. */
const visitorText = z.object({
  /** `contact.send`; plural forms end in their category, such as `site.search.found_one`. */
  path: z.string(),
  /** The program's text, in the language itself or else what visitors read in the one that it falls back to. */
  text: z.string(),
  /** Whether the program has it in the language itself. */
  delivered: z.boolean(),
})
export type VisitorText = z.infer<typeof visitorText>
export const visitorTexts = z.object({ data: z.array(visitorText) }).meta({ id: 'VisitorTexts' })
