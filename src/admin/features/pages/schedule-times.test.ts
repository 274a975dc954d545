import { expect, test } from 'vitest'
import { instantOf, mondayAtNine, tomorrowAtNine, wallTimeOf } from './schedule-times.ts'

test('nine o’clock is in the Dutch time zone, in summer and in winter', () => {
  expect(instantOf({ date: '2026-11-22', time: '09:00' })).toBe('2026-11-22T08:00:00.000Z')
  expect(instantOf({ date: '2026-07-22', time: '09:00' })).toBe('2026-07-22T07:00:00.000Z')
  expect(wallTimeOf('2026-11-22T08:00:00.000Z')).toEqual({ date: '2026-11-22', time: '09:00' })
  expect(wallTimeOf('2026-12-31T23:30:00.000Z')).toEqual({ date: '2027-01-01', time: '00:30' })
})

test('tomorrow is the next day in the Netherlands, also when summer time or the month ends that night', () => {
  const tomorrow = (now: string) => instantOf(tomorrowAtNine(new Date(now)))
  expect(tomorrow('2026-11-21T13:00:00Z')).toBe('2026-11-22T08:00:00.000Z')
  // It is already the 22nd in the Netherlands.
  expect(tomorrow('2026-11-21T23:30:00Z')).toBe('2026-11-23T08:00:00.000Z')
  expect(tomorrow('2026-10-24T12:00:00Z')).toBe('2026-10-25T08:00:00.000Z')
  expect(tomorrow('2026-11-30T12:00:00Z')).toBe('2026-12-01T08:00:00.000Z')
})

test('the next Monday is never today', () => {
  expect(mondayAtNine(new Date('2026-11-21T12:00:00Z')).date).toBe('2026-11-23')
  expect(mondayAtNine(new Date('2026-11-23T12:00:00Z')).date).toBe('2026-11-30')
  expect(mondayAtNine(new Date('2026-11-22T12:00:00Z')).date).toBe('2026-11-23')
})

test('an hour that the clock skips becomes the next one, and an incomplete date is invalid', () => {
  expect(instantOf({ date: '2026-03-29', time: '02:30' })).toBe('2026-03-29T01:30:00.000Z')
  expect(instantOf({ date: '', time: '09:00' })).toBeUndefined()
  expect(instantOf({ date: '2026-11-22', time: '' })).toBeUndefined()
  expect(instantOf({ date: '2026-13-01', time: '09:00' })).toBeUndefined()
  expect(instantOf({ date: '2026-11-22', time: '25:00' })).toBeUndefined()
})
