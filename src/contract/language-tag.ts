import { z } from 'zod'
import { isLanguageTag, languageTagFormat } from './locales.ts'

const issue = { error: 'languageTag', abort: true }

/** The schema of a language tag. Length and pattern are separate rules, so that the OpenAPI document has them. */
export const languageTag = z
  .string()
  .max(languageTagFormat.maxChars, issue)
  .regex(languageTagFormat.pattern, issue)
  .refine(isLanguageTag, 'languageTag')
