import { z } from 'zod'
import { languageTag } from './language-tag.ts'

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
