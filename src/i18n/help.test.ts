import { expect, test } from 'vitest'
import { help as en } from './en/admin/help.ts'
import { help as fa } from './fa/admin/help.ts'
import { help as nl } from './nl/admin/help.ts'

test.each([
  ['nl', nl],
  ['fa', fa],
  ['en', en],
])('the help of each screen is two or three sentences in %s', (_, { screens }) => {
  const sentences = (text: string) => text.match(/[.!?؟](?=\s|$)/g)?.length ?? 0
  const others = Object.entries(screens).filter(([, text]) => ![2, 3].includes(sentences(text)))
  expect(others).toEqual([])
})
