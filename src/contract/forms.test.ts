import { expect, test } from 'vitest'
import type { FormField } from './form-fields.ts'
import { readAnswers } from './forms.ts'

const field: FormField = { id: 'aantal', kind: 'number', label: { nl: 'Aantal' }, required: true }

/** The stored text of a number or date that was typed on a page in a language, or the problem. */
function read(typed: unknown, locale: string, kind: 'number' | 'date' = 'number'): string | undefined {
  const { answers, problems } = readAnswers(
    { fields: [{ ...field, kind }] },
    { values: new Map([['aantal', [typed]]]), files: new Map() },
    { locale, yes: 'Ja', openingHours: {} as never, now: new Date() },
  )
  return answers[0]?.text ?? problems[0]?.key
}

test.each([
  ['nl', { '1.000': '1000', '1.234,5': '1234.5', '12,5': '12.5', '12.5': '12.5', '1,000': 'formNumberUnclear' }],
  ['en', { '1,000': '1000', '1,234.5': '1234.5', '12.5': '12.5', '12,5': '12.5', '1.000': 'formNumberUnclear' }],
  ['fa', { '۱٬۰۰۰': '1000', '۱٬۲۳۴٫۵': '1234.5', '۱۲٫۵': '12.5', '1,000': '1000', '1.000': 'formNumberUnclear' }],
  ['de', { '1.000': '1000', '1.000.000': '1000000', '-12,25': '-12.25', '1,000': 'formNumberUnclear' }],
  ['fr', { '1 000': '1000', '1\u202f000,5': '1000.5', '12,5': '12.5' }],
  ['de-CH', { '1’000.5': '1000.5', '1,000': '1000' }],
])('a number is read as people of %s write it, or refused', (locale, typed) => {
  expect(Object.fromEntries(Object.keys(typed).map((text) => [text, read(text, locale)]))).toEqual(typed)
})

test('an unambiguous number is read in every language, and what is no number is refused', () => {
  for (const locale of ['nl', 'en', 'fa']) {
    const typed = { '0,125': '0.125', '0.125': '0.125', '1,000,000': '1000000', '1.000,75': '1000.75', '+7': '+7' }
    expect(Object.fromEntries(Object.keys(typed).map((text) => [text, read(text, locale)]))).toEqual(typed)
    for (const text of ['1.2.3', '1,00,000', '1.000.', 'twaalf', '1e5', '.', '-', '1.000,000,5', '12 5']) {
      expect(read(text, locale), text).toBe('formNumber')
    }
    expect(read(1.125, locale)).toBe('1.125')
  }
})

test.each([
  [
    'nl',
    {
      '2026-12-31': '2026-12-31',
      '1-2-2027': '2027-02-01',
      '31-2-2026': 'formDate',
      '1405-10-15': 'formDateYear',
      // A browser posts a year that was typed halfway as `0026`, and lets people type six digits.
      '0026-12-31': 'formDateYear',
      '202612-12-31': 'formDate',
      '1899-12-31': 'formDateYear',
      '1900-01-01': '1900-01-01',
      '2200-12-31': '2200-12-31',
      '2201-01-01': 'formDateYear',
    },
  ],
  [
    'fa',
    {
      '1405-10-15': '2027-01-05',
      '۱۴۰۵/۲/۳۱': '2026-05-21',
      '۱-۱-۱۴۰۵': '2026-03-21',
      '1403/12/30': '2025-03-20',
      '1405/12/30': 'formDate',
      '1405/13/1': 'formDate',
      '2026-12-31': '2026-12-31',
      '1600-01-01': 'formDateYear',
    },
  ],
])('a date is read in the calendars of %s, or refused', (locale, typed) => {
  const results = Object.keys(typed).map((text) => [text, read(text, locale, 'date')])
  expect(Object.fromEntries(results)).toEqual(typed)
})
