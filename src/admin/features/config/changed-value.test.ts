import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { configParts, type SiteParts } from '../../../contract/config-parts.ts'
import { languageName } from '../../../contract/locales.ts'
import { config as fa } from '../../../i18n/fa/admin/config.ts'
import { config as nl } from '../../../i18n/nl/admin/config.ts'
import { loadLanguage, type TFunction, withTexts } from '../../i18n.ts'
import { ChangedValue, configPathLabel } from './changed-value.tsx'

const all = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => ('fields' in field ? [field, ...all(field.fields)] : [field]))

describe.each([
  ['nl', nl],
  ['fa', fa],
] as const)('in %s a changed setting has a readable label:', (_, config) => {
  const t = ((key: string) =>
    key
      .split('.')
      .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], { config }) ??
    key) as TFunction

  test.each(configParts.map((part) => [part]))('%s', (part) => {
    expect(configPathLabel([part], t)).not.toContain(part)
  })

  test('a logo, and an area of the header', () => {
    expect(configPathLabel(['logo', 'src'], t)).toBe(config.fields.logo)
    expect(configPathLabel(['branding', 'navbar', 'top'], t)).toBe(
      `${config.screens.navbar.title} · ${config.fields.areas.navbar.top}`,
    )
  })

  test('a form condition, whose property `is` is also the language tag of Icelandic, and language tags of three letters', () => {
    const { form } = config.fields
    expect(configPathLabel(['forms', 'offerte', 'fields', 'niveau', 'showIf', 'is'], t)).toBe(
      `${config.fields.forms} · offerte · ${form.fields} · niveau · ${form.showIf} · ${form.is}`,
    )
    for (const tag of ['nds', 'id', 'is'])
      expect(configPathLabel(['tagline', tag], t)).toBe(`${config.fields.tagline} · ${languageName(tag)}`)
  })

  test('a question, an option and a price, with their names before or after the change', () => {
    const { form } = config.fields
    const label = { nl: 'Niveau', fa: 'Niveau' }
    const field = { id: 'vraag-77aa01fe', kind: 'text', label, required: true }
    const item = { id: 'aanbod-3', name: label }
    const before = { forms: [{ id: 'formulier-0f3a9c27', name: { nl: 'Offerte', fa: 'Offerte' }, fields: [field] }] }
    const configs = [before, { offer: { prices: [item] } }] as never
    const path = ['forms', 'formulier-0f3a9c27', 'fields', 'vraag-77aa01fe', 'required']
    expect(configPathLabel(path, t, configs)).toBe(
      `${config.fields.forms} · Offerte · ${form.fields} · Niveau · ${form.required}`,
    )
    expect(configPathLabel(path, t)).toContain(' · vraag-77aa01fe · ')
    expect(configPathLabel(['offer', 'prices', 'aanbod-3', 'amount'], t, configs)).toContain(' · Niveau · ')
  })

  test('every property of a collection', () => {
    const { collections } = config
    const item = { name: { nl: '' }, slug: {}, intro: {}, kind: '', order: '', pageSize: 1, fields: [] }
    for (const name of Object.keys(item))
      expect(configPathLabel(['collections', 'nieuws', name], t)).not.toContain(name)
    for (const name of ['name', 'type', 'required', 'inList', 'inDetail', 'options'])
      expect(configPathLabel(['collections', 'nieuws', 'fields', 'url', name], t)).toMatch(
        new RegExp(`nieuws · ${collections.fields} · url · (?!${name})`),
      )
  })

  test('every field of every block', () => {
    for (const type of Object.keys(blocks) as BlockType[])
      for (const { name } of all(fieldsOf(type))) expect(config.fields.block, `${type}: ${name}`).toHaveProperty(name)
  })
})

describe('a value is shown', () => {
  const shown = async (path: string[], value: unknown, configs?: Partial<SiteParts>[]) => {
    vi.stubGlobal('document', { documentElement: {} })
    await loadLanguage('nl')
    await withTexts(['config'], async () => undefined)()
    vi.unstubAllGlobals()
    return renderToStaticMarkup(createElement(ChangedValue, { path, value, configs }))
  }

  test('a coordinate with all its decimals', async () => {
    expect(await shown(['business', 'geo', 'latitude'], 50.8507)).toBe('50,8507')
    expect(await shown(['business', 'geo', 'latitude'], 50.850712345678)).toBe('50,850712345678')
  })

  test('a choice of a collection in words', async () => {
    expect(await shown(['collections', 'nieuws', 'order'], 'newest')).toContain(nl.collections.orders.newest)
    expect(await shown(['collections', 'nieuws', 'fields', 'foto', 'type'], 'picture')).toContain(
      nl.collections.types.picture,
    )
  })

  test('an added object by its texts, without its id', async () => {
    const item = {
      id: 'aanbod-3',
      name: { nl: 'Hosting', 'pt-BR': 'Hospedagem', nds: 'Hosten', is: 'Hýsing' },
      amount: 100,
    }
    expect(await shown(['offer', 'prices', 'aanbod-3'], item)).toBe('<bdi>Hosting · Hospedagem · Hosten · Hýsing</bdi>')
    const field = { ...item, name: { id: 'Hosting' }, showIf: { field: 'soort', is: 'Website' } }
    expect(await shown(['forms', 'offerte', 'fields', 'aanbod-3'], field)).toBe('<bdi>Hosting</bdi>')
  })

  test('the question of a condition, and the order of questions, by their names', async () => {
    const fields = ['Soort', 'Niveau'].map((nl, index) => ({ id: `vraag-${index}`, label: { nl } }))
    const configs = [{ forms: [{ id: 'offerte', fields }] }] as never
    const path = ['forms', 'offerte', 'fields']
    expect(await shown([...path, 'vraag-1', 'showIf', 'field'], 'vraag-0', configs)).toBe('<bdi>Soort</bdi>')
    expect(await shown(path, ['vraag-1', 'vraag-0', 'vraag-2'], configs)).toMatch(/Niveau.*Soort.*vraag-2/)
  })
})
