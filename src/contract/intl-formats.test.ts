import { expect, test } from 'vitest'
import { longDate } from './intl-formats.ts'

test('a date of the calendar is written out, and any other text with a number in it is unchanged', () => {
  expect(longDate('2026-11-21', 'nl')).toBe('21 november 2026')
  for (const text of ['in overleg 3', '2026', '2026-13-40', '2026-02-31', '']) expect(longDate(text, 'nl')).toBe(text)
})
