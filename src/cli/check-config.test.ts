import { expect, test } from 'vitest'
import { lineOf } from './check-config.ts'

const text = `{
  "version": "1.2",
  "contact": {
    "recipients": ["a@example.nl",
      {"name": "x:y,{\\"}"},
      3
    ],
    "empty": []
  },
  "brand": "z",
  "texts": {
    "nl": { "form.send": "x",
      "form.send.again": "y" }
  }
}`

test.each([
  ['version', 2],
  ['contact.recipients', 4],
  ['contact.recipients.0', 4],
  ['contact.recipients.1.name', 5],
  ['contact.recipients.2', 6],
  ['contact.empty', 8],
  ['contact.missing.deeper', 3],
  ['brand', 10],
  ['texts.nl.form.send', 12],
  ['texts.nl.form.send.again', 13],
])('%j stands on line %i', (path, line) => {
  expect(lineOf(text, path)).toBe(line)
})
