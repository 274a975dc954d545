import { z } from 'zod'
import { blockSchema, blocks } from '../../blocks/registry.ts'
import { type AdminLocale, type Locale, sampleLocale } from '../../contract/locales.ts'
import type { PageTemplate, PageText } from '../../contract/pages.ts'
import { enTemplates } from './page-templates.en.ts'
import { faTemplates } from './page-templates.fa.ts'
import { nlTemplates, type TemplateTexts } from './page-templates.nl.ts'

const templates: Record<AdminLocale, TemplateTexts> = { nl: nlTemplates, fa: faTemplates, en: enTemplates }

/** What a new page of a template begins with. */
export function templateText(template: PageTemplate, locale: Locale): Pick<PageText, 'description' | 'body'> {
  const { description, blocks: parts } = templates[sampleLocale(locale)][template]
  const body = parts.map(([type, fields, entries = 1]) => {
    const sample: Record<string, unknown> = structuredClone(blocks[type].defaults[sampleLocale(locale)])
    if (entries > 1 && Array.isArray(sample.items)) sample.items = Array(entries).fill(sample.items[0])
    return { type, ...sample, ...fields }
  })
  return { description, body: z.array(blockSchema).parse(body) }
}
