import { expect, test } from 'vitest'
import { defaultSiteFile } from '../../test/support/site-file.ts'
import { extractBlockTexts } from './block-texts.ts'

const reader = { site: defaultSiteFile(), locale: 'nl', placeholdersIn: () => ({}) }

test('the search does not find a page by the texts of blocks that show nothing', () => {
  const [form] = reader.site.forms ?? []
  const list = { type: 'entry-list', anchor: '', title: 'Lijst', intro: '', items: [], overview: 'Alle' }
  const shown = (...body: object[]) => extractBlockTexts(body as never, reader)
  expect(shown({ type: 'form', anchor: '', title: 'Formulier', intro: '', form: 'weg' })).toEqual([])
  expect(shown({ type: 'form', anchor: '', title: 'Formulier', intro: '', form: form?.id })).toContain('Formulier')
  expect(shown({ ...list, from: 'weg' })).toEqual([])
  expect(shown({ ...list, from: 'nieuws' })).toContain('Lijst')
  expect(shown({ type: 'text-image', title: 'Wij', text: '', linkTitle: 'Meer' })).toEqual(['Wij'])
})
