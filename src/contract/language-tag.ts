import { z } from 'zod'
import { isLanguageTag, languageTagFormat } from './locales.ts'

const wrong = { error: 'languageTag', abort: true }

/** Length and form are rules of their own, so that they are in the description of the API. */
export const languageTag = z
  .string()
  .max(languageTagFormat.maxChars, wrong)
  .regex(languageTagFormat.pattern, wrong)
  .refine(isLanguageTag, 'languageTag')
