import { expect, test } from 'vitest'
import { addDays, instantAt } from '../../contract/day.ts'
import { selectRetainedBackups } from './retention.ts'

/** A backup of each night up to this day. */
const nightly = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const day = addDays(last, -index)
    return { day, madeAt: instantAt(day, '03:00') }
  })

test('the newest of the last seven days, five weeks and twelve months stay', () => {
  const retained = [...selectRetainedBackups(nightly('2026-11-25', 500), { daily: 7, weekly: 5, monthly: 12 })].map(
    ({ day }) => day,
  )
  expect(retained.toSorted().reverse()).toEqual([
    ...['2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19'],
    ...['2026-11-15', '2026-11-08', '2026-11-01', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
    ...['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ])
})

test('days without a backup do not count, and the newest backup stays even if the rule keeps none', () => {
  const old = nightly('2024-02-03', 3)
  expect([...selectRetainedBackups(old, { daily: 2, weekly: 0, monthly: 0 })].map(({ day }) => day)).toEqual([
    '2024-02-03',
    '2024-02-02',
  ])
  expect([...selectRetainedBackups(old, { daily: 0, weekly: 0, monthly: 0 })].map(({ day }) => day)).toEqual([
    '2024-02-03',
  ])
  expect(selectRetainedBackups([], { daily: 7, weekly: 5, monthly: 12 }).size).toBe(0)
})

test('of two backups of one day the later one stays, by the calendar of the site', () => {
  const evening = { madeAt: new Date('2026-07-01T21:59:00Z') }
  const afterMidnight = { madeAt: new Date('2026-07-01T22:01:00Z') }
  const morning = { madeAt: new Date('2026-07-02T08:00:00Z') }
  const retained = selectRetainedBackups([evening, afterMidnight, morning], { daily: 2, weekly: 0, monthly: 0 })
  expect([...retained]).toEqual([morning, evening])
})
