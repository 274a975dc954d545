// @vitest-environment jsdom
import { expect, test } from 'vitest'
import type { DraftText } from '../../../contract/pages.ts'
import { compareTexts } from './difference.tsx'
import { plainText } from './page-text-view.tsx'

const text = (body: DraftText['body'], more: Partial<DraftText> = {}): DraftText => ({
  title: 'Over ons',
  slug: 'over-ons',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body,
  ...more,
})
const prose = (id: string, content: string) => ({ type: 'rich-text', id, content })

test('changed fields and added, removed, moved and changed blocks are listed by name', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => prose(id, `<p>${id}</p>`))
  const before = text([a, b, c, d] as DraftText['body'])
  const after = text([d, a, prose('b', '<p>bee</p>'), { type: 'line', id: 'n' }] as DraftText['body'], { title: 'Wij' })
  const { changedFields, changedBlocks } = compareTexts(before, after, 'nl')
  expect(changedFields).toEqual(['title'])
  expect(changedBlocks.map(({ kind, key, name }) => [kind, key, name])).toEqual([
    ['moved', 'd', 'Lopende tekst'],
    ['changed', 'b', 'Lopende tekst'],
    ['added', 'n', 'Lijn'],
    ['removed', 'c', 'Lopende tekst'],
  ])
  expect(changedBlocks[1]?.fields).toEqual([{ name: 'content', label: expect.any(String), before: 'b', after: 'bee' }])
})

test('a change of formatting only is reported as such', () => {
  const before = text([prose('a', '<p>Snel en <strong>goed</strong></p>')])
  const after = text([prose('a', '<p>Snel en goed</p>')])
  const [change] = compareTexts(before, after, 'nl').changedBlocks
  expect(change?.fields).toMatchObject([{ before: 'Snel en goed', after: 'Snel en goed' }])
  expect(compareTexts(before, structuredClone(before), 'nl')).toEqual({ changedFields: [], changedBlocks: [] })
})

test('an added or removed block is listed without the defaults of its type, and a change to a default is listed', () => {
  const complete = (id: string, more = {}) => ({ ...prose(id, '<p>Hoi</p>'), anchor: '', showIf: 'always', ...more })
  const staff = { showIf: 'logged-in' }
  const columns = (id: string, inner: object) => ({
    type: 'columns',
    id,
    widest: 'none',
    columns: [{ blocks: [inner] }],
  })
  const fieldsOf = (before: object[], after: object[]) =>
    compareTexts(text(before as DraftText['body']), text(after as DraftText['body']), 'nl').changedBlocks.map(
      ({ fields }) => fields.map(({ label, before, after }) => [label, before, after]),
    )
  expect(
    fieldsOf([complete('a')], [complete('b'), complete('c', staff), { type: 'line', id: 'd', showIf: 'always' }]),
  ).toEqual([
    [['Inhoud', '', 'Hoi']],
    [
      ['Inhoud', '', 'Hoi'],
      ['Tonen', '', 'Alleen ingelogd'],
    ],
    [],
    [['Inhoud', 'Hoi', '']],
  ])
  expect(fieldsOf([complete('a', staff)], [complete('a')])).toEqual([[['Tonen', 'Alleen ingelogd', 'Altijd']]])
  expect(fieldsOf([], [columns('k', complete('a'))])).toEqual([
    [['Kolommen', '', 'Blokken in deze kolom: Lopende tekst\nInhoud: Hoi']],
  ])
})

test('a change of a style is listed in words', () => {
  const styled = (style: object) => text([{ ...prose('a', '<p>Hoi</p>'), style }] as DraftText['body'])
  const fields = (locale: 'nl' | 'fa') =>
    compareTexts(
      styled({ space: 'large' }),
      styled({ space: 'large', background: 'picture', picture: `/files/${'a'.repeat(32)}/stad.jpg` }),
      locale,
    ).changedBlocks[0]?.fields
  expect(fields('nl')).toMatchObject([
    {
      label: 'Stijl',
      before: 'Ruimte: Groot',
      after: 'Achtergrond: Foto\nFoto op de achtergrond: stad.jpg\nRuimte: Groot',
    },
  ])
  expect(fields('fa')).toMatchObject([{ label: 'سبک', before: 'فاصله: زیاد' }])
})

test('a file and an icon are listed by name, and another file with the same name is reported as such', () => {
  const [one, other] = ['a', 'b'].map((sign) => `/files/${sign.repeat(32)}/Het%20kantoor.jpg`)
  const image = (src: string | undefined) => ({ type: 'image', id: 'i', src, className: '', alt: '' })
  const changed = (before: object, after: object) =>
    compareTexts(text([before] as DraftText['body']), text([after] as DraftText['body']), 'nl').changedBlocks[0]?.fields
  expect(changed(image('/logo.svg'), image(one))).toMatchObject([
    { before: '/logo.svg', after: 'Het kantoor.jpg', otherFile: true },
  ])
  const [same] = changed(image(one), image(other)) ?? []
  expect([same?.before, same?.otherFile]).toEqual([same?.after, true])
  const icon = (name: string) => ({ type: 'icon', id: 'i', icon: name, title: 'Bel', description: '' })
  expect(changed(icon('phone'), icon('mail'))).toMatchObject([{ before: 'Telefoon', after: 'Brief' }])
})

test('rich text is compared as lines with the URLs of links, and nothing in it is executed', () => {
  expect(plainText('<h2>Kop</h2><p>Bel <a href="tel:+31">ons</a><br>nu</p><ul><li>een</li><li>twee</li></ul>')).toBe(
    'Kop\nBel ons (tel:+31)\nnu\n• een\n• twee',
  )
  expect(plainText('<img src=x onerror="globalThis.ran = true">a &lt;b&gt;')).toBe('a <b>')
  expect('ran' in globalThis).toBe(false)
})
