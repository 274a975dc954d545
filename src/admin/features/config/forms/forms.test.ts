import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { parseHtml } from '../../../../../test/support/parse-html.ts'
import { defaultSiteFile } from '../../../../../test/support/site-file.ts'
import { siteMenuItem } from '../../../../blocks/menu.tsx'
import { blockSchema } from '../../../../blocks/registry.ts'
import { siteConfigSchema } from '../../../../contract/site-config.ts'
import { config as nl } from '../../../../i18n/nl/admin/config.ts'
import { createQueryClient } from '../../../admin.tsx'
import { loadLanguage, withTexts } from '../../../i18n.ts'
import { storeSiteLanguages } from '../../../site-languages.ts'
import { forms } from './forms.tsx'

const schema = siteConfigSchema(blockSchema, siteMenuItem)
const site = schema.parse(defaultSiteFile())

test('the default forms are saved unchanged, with their texts in languages that the site lacks', () => {
  expect(forms.partsOf(forms.valuesOf(site, 'nl'), site)).toEqual({ forms: site.forms })
})

test('changed options lose their texts in languages that the site lacks, so that they can be saved', () => {
  const values = forms.valuesOf(site, 'nl')
  const field = values.forms[0]?.fields.find(({ id }) => id === 'soort')
  if (!field) throw new Error('the form has no such field')
  field.options.nl += '\nOnderhoud'
  field.options.fa += '\nنگهداری'
  const changed = { ...defaultSiteFile(), ...forms.partsOf(values, site) }
  const saved = schema.parse(changed).forms?.[0]?.fields
  expect(Object.keys(saved?.find(({ id }) => id === 'soort')?.options ?? {})).toEqual(['nl', 'fa'])
  expect(Object.keys(saved?.find(({ id }) => id === 'onderdelen')?.options ?? {})).toEqual(['nl', 'fa', 'en'])
})

test('a thank-you title of a form requires a text in the main language, and both may be empty', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  await withTexts(['config'], async () => undefined)()
  vi.unstubAllGlobals()
  const client = createQueryClient()
  storeSiteLanguages(client, { locales: ['nl', 'fa'] })
  const isRequired = (title: string) => {
    const values = forms.valuesOf(site, 'nl')
    const [first] = values.forms
    if (first) first.thanks = { title: { nl: title }, text: { nl: '', fa: 'متشکریم' } }
    const valueAt = (path: string) =>
      path.split('.').reduce<unknown>((inside, name) => (inside as never)?.[name], values)
    const getInputProps = (path: string) => ({ value: valueAt(path), onChange: () => undefined })
    // An error shows the fields of the form.
    const form = { errors: { 'forms.0.subject': 'Vul dit in' }, getValues: () => values, getInputProps }
    const fields = createElement(forms.Fields, { form: form as never, config: site, saveFailed: false })
    const shown = parseHtml(
      renderToStaticMarkup(
        createElement(QueryClientProvider, { client }, createElement(MantineProvider, null, fields)),
      ),
    )
    const text = [...shown.querySelectorAll('fieldset')].find(
      (one) => one.querySelector('legend')?.textContent === nl.fields.form.thanksText,
    )
    return [text?.querySelector('textarea')?.required, text?.textContent?.includes('wordt deze niet bewaard')]
  }
  expect(isRequired('')).toEqual([false, true])
  expect(isRequired('Verstuurd')).toEqual([true, false])
})
