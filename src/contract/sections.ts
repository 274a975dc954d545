import { z } from 'zod'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, idParameter } from './list.ts'
import { sectionId } from './page-body.ts'
import { author, instant, revisionGroup, storedBlock } from './pages.ts'
import type { StoredBlock } from './site-config.ts'
import { singleLine } from './text.ts'

export const sectionParameter = z.object({ id: sectionId })
/** As in `/sections/{id}/nl/revisions/12`, and there with the revision too. */
export const sectionTextParameters = sectionParameter.extend({ locale: languageTag })
export const sectionRevisionParameters = sectionTextParameters.extend({ revision: idParameter.shape.id })

/** A shared section: named blocks that pages refer to or copy. */
const listedSection = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The languages in which it has blocks. */
    locales: z.array(languageTag),
    /** The types of its blocks, in the first of `locales`. */
    types: z.array(z.string()),
    /** The number of pages and of other sections that refer to it. */
    usedBy: z.int(),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
    updatedBy: author,
    can: z.object({ change: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'ListedSection' })
export type ListedSection = z.infer<typeof listedSection>
export const sectionList = z.object({ data: z.array(listedSection) }).meta({ id: 'Sections' })

/** The references to a section: at most the first hundred pages, and all sections. */
const sectionUsages = z.object({
  pages: z.array(z.object({ id: z.int(), title: z.string() })),
  sections: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type SectionUsages = z.infer<typeof sectionUsages>

export const section = listedSection
  .extend({
    /** Null: no blocks in that language, so that those of the main language are shown. */
    nl: z.array(storedBlock).nullable(),
    fa: z.array(storedBlock).nullable(),
    /** The blocks in each language that has them. */
    texts: z.record(languageTag, z.array(storedBlock)),
    usages: sectionUsages,
    /** Whether the actor may change only texts and images, because the section is on a locked page or block. */
    locked: z.boolean(),
  })
  .meta({ id: 'Section' })
export type Section = z.infer<typeof section>

/** One save of the blocks in a language; empty when the save removed them. */
export const sectionRevision = revisionGroup
  .extend({ at: instant, body: z.array(storedBlock) })
  .meta({ id: 'SectionRevision' })
export type SectionRevision = z.infer<typeof sectionRevision>

/** The input for a section. The block schema is a parameter, because blocks are defined in a higher layer. */
const sectionInput = <B extends z.ZodType>(block: B) => {
  const body = z.array(block).min(1, 'required').max(limits.sectionBlocks, 'tooMany').optional()
  return z.strictObject({
    name: singleLine(limits.sectionNameChars),
    nl: body,
    fa: body,
    /** The blocks in other languages. In Dutch and Persian `nl` and `fa` come first. */
    texts: z.record(languageTag, body).optional(),
  })
}
export const newSectionSchema = <B extends z.ZodType>(block: B) => sectionInput(block).superRefine(requireBlocks)
/** An omitted language loses its blocks. */
export const changedSectionSchema = <B extends z.ZodType>(block: B) =>
  sectionInput(block).extend({ version: counter.optional() }).superRefine(requireBlocks)

function requireBlocks(
  { nl, fa, texts }: { nl?: unknown; fa?: unknown; texts?: object | undefined },
  { issues }: { issues: z.core.$ZodRawIssue[] },
): void {
  if (!nl && !fa && Object.values(texts ?? {}).length === 0)
    issues.push({ code: 'custom', message: 'required', path: ['nl'], input: nl })
}

export type NewSection = z.infer<ReturnType<typeof newSectionSchema<z.ZodType<StoredBlock>>>>
export type ChangedSection = z.infer<ReturnType<typeof changedSectionSchema<z.ZodType<StoredBlock>>>>
