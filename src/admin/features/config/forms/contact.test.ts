import { expect, test } from 'vitest'
import { defaultSiteFile } from '../../../../../test/support/site-file.ts'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { contact } from './contact.tsx'

test('a placeholder stays with its field when somebody else puts the fields into another order meanwhile', () => {
  const opened: SiteParts = defaultSiteFile()
  const values = contact.valuesOf(opened, 'nl')
  const turned = { ...opened, contact: { ...opened.contact, fields: opened.contact.fields.toReversed() } }
  expect(contact.partsOf(values, turned).contact?.fields).toEqual(turned.contact.fields)
})
