import { expect, onTestFinished, test, vi } from 'vitest'
import { addDays, dayAt, daysUpTo, startOfDay } from './day.ts'

test('a day begins at midnight in Amsterdam, in winter and in summer', () => {
  expect(dayAt(new Date('2026-01-31T22:59:59Z'))).toBe('2026-01-31')
  expect(dayAt(new Date('2026-01-31T23:00:00Z'))).toBe('2026-02-01')
  expect(dayAt(new Date('2026-07-31T21:59:59Z'))).toBe('2026-07-31')
  expect(dayAt(new Date('2026-07-31T22:00:00Z'))).toBe('2026-08-01')
})

test('a day has its year first, whatever order of year, month and day the browser knows for a language', () => {
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(Intl.DateTimeFormat.prototype as { readonly format: unknown }, 'format', 'get').mockReturnValue(
    () => '11/21/2026',
  )
  expect(dayAt(new Date('2026-11-21T12:00:00Z'))).toBe('2026-11-21')
  expect(addDays(dayAt(new Date('0999-05-05T12:00:00Z')), 1)).toBe('0999-05-06')
})

test('days are counted past a month, a leap day and a change of daylight saving time', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  expect(daysUpTo('2026-03-30', 3)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(daysUpTo('2026-10-26', 3)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
})

test('the start of a day is its first instant, also when daylight saving time changes', () => {
  for (const day of [
    '2026-01-15',
    '2026-03-28',
    '2026-03-29',
    '2026-03-30',
    '2026-07-01',
    '2026-10-25',
    '2026-10-26',
  ]) {
    const start = startOfDay(day)
    expect([day, dayAt(start), dayAt(new Date(start.getTime() - 1))]).toEqual([day, day, addDays(day, -1)])
  }
})
