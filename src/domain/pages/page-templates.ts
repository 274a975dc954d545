import { type BlockType, blocks } from '../../blocks/registry.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageTemplate, PageText } from '../../contract/pages.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import { faTemplates } from './page-templates.fa.ts'
import { nlTemplates } from './page-templates.nl.ts'

/**
 * The texts of all templates in one language. What only the company can know, such as a figure or the name of a
 * customer, stays the block's sample text, of which the editor warns before publishing.
 */
export type TemplateTexts = Record<
  PageTemplate,
  {
    description: string
    /** `entries`: how many sample entries the block's list begins with, where one would look poor. */
    blocks: readonly (readonly [type: BlockType, fields?: Record<string, unknown>, entries?: number])[]
  }
>

const templates: Record<Locale, TemplateTexts> = { nl: nlTemplates, fa: faTemplates }

/** What a new page of a template begins with. */
export function templateText(template: PageTemplate, locale: Locale): Pick<PageText, 'description' | 'body'> {
  const { description, blocks: parts } = templates[locale][template]
  const body = parts.map(([type, fields, entries = 1]) => {
    const sample: Record<string, unknown> = structuredClone(blocks[type].defaults[locale])
    if (entries > 1 && Array.isArray(sample.items)) sample.items = Array(entries).fill(sample.items[0])
    return { type, ...sample, ...fields } as StoredBlock
  })
  return { description, body }
}
