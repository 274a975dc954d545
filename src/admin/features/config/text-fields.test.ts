// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../admin.tsx'
import { loadLanguage, withTexts } from '../../i18n.ts'
import { storeSiteLanguages } from '../../site-languages.ts'
import { TranslatedFields } from './text-fields.tsx'

async function fieldsWith(
  values: Record<string, string>,
  errors: Record<string, string>,
  optional: boolean | 'withMain',
): Promise<HTMLElement> {
  await loadLanguage('nl')
  await withTexts(['config'], async () => undefined)()
  const client = createQueryClient()
  storeSiteLanguages(client, { locales: ['nl', 'fa'] })
  const getInputProps = (path: string) => ({ value: values[path.split('.')[1] ?? ''], error: errors[path] })
  const form = { errors, getInputProps } as never
  const fields = createElement(TranslatedFields, { form, path: 'slug', label: 'Adres', optional })
  const holder = document.createElement('div')
  holder.innerHTML = renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(MantineProvider, null, fields)),
  )
  return holder
}

test('an error in a language that a text lacks is shown at the text, and marks the empty field', async () => {
  const fields = await fieldsWith({ nl: 'blog' }, { slug: 'Dit adres is al in gebruik.' }, false)
  expect(fields.querySelector('[role=alert]')?.textContent).toBe('Dit adres is al in gebruik.')
  const invalid = [...fields.querySelectorAll('[aria-invalid=true]')].map((field) => field.getAttribute('lang'))
  expect(invalid).toEqual(['fa'])
})

test('a text that cannot be saved without one in the main language shows a warning', async () => {
  const isNotKept = async (values: Record<string, string>) =>
    (await fieldsWith(values, {}, 'withMain')).textContent?.includes('wordt deze niet bewaard')
  expect(await isNotKept({ nl: '', fa: 'سلام' })).toBe(true)
  expect(await isNotKept({ nl: 'Hallo', fa: 'سلام' })).toBe(false)
})
