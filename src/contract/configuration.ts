import { z } from 'zod'
import { configParts, type SiteParts } from './config-parts.ts'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { optionalParagraphs } from './text.ts'

/** `file`: as the file had it before the first change. */
export const revisionKinds = ['file', 'changed', 'imported', 'restored'] as const

export const configRevision = z
  .object({
    /** The number of the revision. */
    id: z.int(),
    createdAt: z.iso.datetime(),
    /** As they were called then; empty for an operator. */
    author: z.object({ id: z.int().nullable(), name: z.string() }),
    kind: z.enum(revisionKinds),
    /** With `restored`: the revision that was put in force again. */
    restoredId: z.int().nullable(),
    note: z.string(),
    /** What it changed; nothing is known of those of before there were screens. */
    parts: z.array(z.enum(configParts)),
  })
  .meta({ id: 'ConfigRevision' })
export type ConfigRevision = z.infer<typeof configRevision>

/** The parts as `site.schema.json` describes them; the server's own schema has judged them. */
const siteParts = z
  .custom<SiteParts>()
  .meta({ description: 'The configuration as site.schema.json describes it, without `$schema`, `version` and `pages`' })

export const configuration = z
  .object({
    /** The number of the revision in force; 0 is the file. */
    version: z.int(),
    /** `null`: nobody has changed anything yet, and the file counts. */
    revision: configRevision.nullable(),
    config: siteParts,
  })
  .meta({ id: 'Configuration' })
export type Configuration = z.infer<typeof configuration>

export const revisionWithConfig = z
  .object({
    revision: configRevision,
    config: siteParts,
    /** What stood before it; `null` for the first one. */
    before: siteParts.nullable(),
    /** The revision that this was, to go back to. */
    beforeId: z.int().nullable(),
    /** Whether it is the one in force. */
    inForce: z.boolean(),
  })
  .meta({ id: 'ConfigRevisionWithConfig' })
export type RevisionWithConfig = z.infer<typeof revisionWithConfig>

const note = optionalParagraphs(limits.configNoteChars).optional()

export const changedConfiguration = z
  .strictObject({
    version: counter,
    note,
    /** The parts that are to be different, each whole; what is left out stays. */
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parts of the configuration as site.schema.json describes them; the others stay' }),
  })
  .meta({ id: 'ChangedConfiguration' })
export type ChangedConfiguration = z.infer<typeof changedConfiguration>

export const restoredConfiguration = z.strictObject({ version: counter }).meta({ id: 'RestoredConfiguration' })
export type RestoredConfiguration = z.infer<typeof restoredConfiguration>

/** A whole file of version 1.2 or an older one, as text. */
const file = z.string({ error: 'type' }).min(1, 'required').max(limits.configFileChars, 'tooLong')
export const checkedFile = z.strictObject({ file }).meta({ id: 'CheckedFile' })
export const importedFile = z.strictObject({ version: counter, note, file }).meta({ id: 'ImportedFile' })
export type ImportedFile = z.infer<typeof importedFile>

/** What a file would put in force; nothing is changed yet. */
export const fileReport = z
  .object({
    version: z.int(),
    config: siteParts,
    /** Pages that visitors see otherwise now. */
    pages: z.array(z.object({ slug: z.string(), title: z.string() })),
    /** Whether the one who asks may replace pages; else they stay as they are. */
    withPages: z.boolean(),
  })
  .meta({ id: 'FileReport' })
export type FileReport = z.infer<typeof fileReport>
