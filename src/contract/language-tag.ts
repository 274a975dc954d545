import { z } from 'zod'
import { isLanguageTag, languageTagForm } from './locales.ts'

const wrong = { error: 'languageTag', abort: true }

/** Length and form are rules of their own, so that they are in the description of the API. */
export const languageTag = z
  .string()
  .max(languageTagForm.maxChars, wrong)
  .regex(languageTagForm.pattern, wrong)
  .refine(isLanguageTag, 'languageTag')
