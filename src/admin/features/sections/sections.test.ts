import { expect, test } from 'vitest'
import { z } from 'zod'
import { newSectionSchema } from '../../../contract/sections.ts'
import { sectionTexts } from './sections.ts'

test.each(['nl', 'fa', 'en', 'de'])('the blocks of a section in %s are sent as the API wants them', (locale) => {
  const schema = newSectionSchema(z.any())
  expect(schema.safeParse({ name: 'Tarieven', ...sectionTexts({ [locale]: [{ type: 'text' }] }) }).success).toBe(true)
  expect(schema.safeParse({ name: 'Tarieven', ...sectionTexts({ [locale]: [] }) }).success).toBe(false)
})
