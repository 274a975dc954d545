import { expect, test } from 'vitest'
import { daysOf, openingLine, openingSpans, timesOf } from './opening-hours.ts'

const day = { opens: '09:00', closes: '18:00' }
const closed = null
const week = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: closed, sunday: closed }

test('consecutive days with the same hours are combined', () => {
  const spans = openingSpans(week)

  expect(spans.map((span) => `${daysOf(span, 'nl')} ${timesOf(span, 'nl')}`)).toEqual([
    'maandag t/m vrijdag 09:00–18:00',
  ])
  expect(spans.map((span) => daysOf(span, 'fa'))).toEqual(['دوشنبه تا جمعه'])
  expect(spans.map((span) => daysOf(span, 'de'))).toEqual(['Montag – Freitag'])
  expect(spans.map((span) => daysOf(span, 'nl-BE'))).toEqual(['maandag t/m vrijdag'])
})

test('a closed day or other hours start a new line', () => {
  const spans = openingSpans({ ...week, wednesday: closed, friday: { opens: '09:00', closes: '20:00' } })

  expect(spans.map((span) => `${daysOf(span, 'nl')} ${timesOf(span, 'nl')}`)).toEqual([
    'maandag t/m dinsdag 09:00–18:00',
    'donderdag 09:00–18:00',
    'vrijdag 09:00–20:00',
  ])
})

test('the whole week is one line, in the language and digits of the reader', () => {
  const hours = { ...week, friday: { opens: '09:00', closes: '20:00' } }

  expect(openingLine(hours, 'nl')).toBe('maandag t/m donderdag 09:00–18:00, vrijdag 09:00–20:00')
  expect(openingLine(hours, 'fa')).toBe('دوشنبه تا پنجشنبه ۰۹:۰۰ تا ۱۸:۰۰، جمعه ۰۹:۰۰ تا ۲۰:۰۰')
})
