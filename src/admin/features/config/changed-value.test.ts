import { describe, expect, test } from 'vitest'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { configParts } from '../../../contract/config-parts.ts'
import { config as fa } from '../../../i18n/fa/admin/config.ts'
import { config as nl } from '../../../i18n/nl/admin/config.ts'
import type { TFunction } from '../../i18n.ts'
import { changeLabel } from './changed-value.tsx'

const all = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => ('fields' in field ? [field, ...all(field.fields)] : [field]))

describe.each([
  ['nl', nl],
  ['fa', fa],
] as const)('in %s the settings are called by their names', (_, config) => {
  const t = ((key: string) =>
    key
      .split('.')
      .reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], { config }) ??
    key) as TFunction

  test.each(configParts.map((part) => [part]))('%s', (part) => {
    expect(changeLabel([part], t)).not.toContain(part)
  })

  test('a logo, and an area of the header', () => {
    expect(changeLabel(['logo', 'src'], t)).toBe(config.fields.logo)
    expect(changeLabel(['branding', 'navbar', 'top'], t)).toBe(
      `${config.screens.navbar.title} · ${config.fields.areas.navbar.top}`,
    )
  })

  test('every field of every block', () => {
    for (const type of Object.keys(blocks) as BlockType[])
      for (const { name } of all(fieldsOf(type))) expect(config.fields.block, `${type}: ${name}`).toHaveProperty(name)
  })
})
