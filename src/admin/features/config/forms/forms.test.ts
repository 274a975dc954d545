import { expect, test } from 'vitest'
import { deliveredSite } from '../../../../../test/support/site-file.ts'
import { menuTreeItem } from '../../../../blocks/menu.tsx'
import { blockSchema } from '../../../../blocks/registry.ts'
import { siteConfigSchema } from '../../../../contract/site-config.ts'
import { forms } from './forms.tsx'

const schema = siteConfigSchema(blockSchema, menuTreeItem)
const site = schema.parse(deliveredSite())

test('the delivered forms are saved as they were, also in a language that the site lacks', () => {
  expect(forms.partsOf(forms.valuesOf(site, 'nl'), site)).toEqual({ forms: site.forms })
})

test('options that are changed lose their text in a language that the site lacks, so that they can be saved', () => {
  const values = forms.valuesOf(site, 'nl')
  const field = values.forms[0]?.fields.find(({ id }) => id === 'soort')
  if (!field) throw new Error('the form has no such field')
  field.options.nl += '\nOnderhoud'
  field.options.fa += '\nنگهداری'
  const changed = { ...deliveredSite(), ...forms.partsOf(values, site) }
  const saved = schema.parse(changed).forms?.[0]?.fields
  expect(Object.keys(saved?.find(({ id }) => id === 'soort')?.options ?? {})).toEqual(['nl', 'fa'])
  expect(Object.keys(saved?.find(({ id }) => id === 'onderdelen')?.options ?? {})).toEqual(['nl', 'fa', 'en'])
})
