import { z } from 'zod'
import { isLanguageTag } from './locales.ts'

export const languageTag = z.string().refine(isLanguageTag, 'languageTag')
