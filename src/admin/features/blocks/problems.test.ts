import { expect, test } from 'vitest'
import { problemsAfterChange } from './problems.ts'

const before = [
  { id: 'a', title: '', url: 'fout' },
  { id: 'b', items: [{ url: 'ook fout' }, { url: '/' }] },
]
const problems = {
  'nl.0.url': 'Geen url',
  'nl.0.title': 'Verplicht',
  'nl.1.items.0.url': 'Geen url',
  'fa.0.url': 'Geen url',
}

test('changing a field removes the error of that field only', () => {
  const after = [{ ...before[0], url: '/contact' }, before[1]]
  const { 'nl.0.url': _, ...others } = problems
  expect(problemsAfterChange(problems, 'nl', before, after)).toEqual(others)
})

test('errors move along with their block or list entry, and disappear with a removed block', () => {
  expect(problemsAfterChange(problems, 'nl', before, before.toReversed())).toEqual({
    'nl.1.url': 'Geen url',
    'nl.1.title': 'Verplicht',
    'nl.0.items.0.url': 'Geen url',
    'fa.0.url': 'Geen url',
  })
  const swapped = [before[0], { id: 'b', items: [{ url: '/' }, { url: 'ook fout' }] }]
  expect(problemsAfterChange(problems, 'nl', before, swapped)).toHaveProperty(['nl.1.items.1.url'])
  expect(problemsAfterChange(problems, 'nl', before, [before[1]])).toEqual({
    'nl.0.items.0.url': 'Geen url',
    'fa.0.url': 'Geen url',
  })
})

test('the errors of a removed block do not pass to the next one, whose field is the same', () => {
  const list = [
    { id: 'a', title: '' },
    { id: 'b', title: '' },
  ]
  expect(problemsAfterChange({ 'nl.0.title': 'Verplicht' }, 'nl', list, list.slice(1))).toEqual({})
})

test('changing one of two equal list entries keeps the error of the other', () => {
  const list = (...urls: string[]) => [{ id: 'a', items: urls.map((url) => ({ url })) }]
  const found = { 'nl.0.items.1.url': 'Geen url' }
  expect(problemsAfterChange(found, 'nl', list('fout', 'fout', '/'), list('/', 'fout', '/'))).toEqual(found)
  expect(problemsAfterChange(found, 'nl', list('/', 'fout', '/'), list('/', '/', '/'))).toEqual({})
  expect(problemsAfterChange(found, 'nl', list('fout', 'fout', '/'), list('fout', '/', '/'))).toEqual({})
})
