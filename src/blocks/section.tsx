import type { ReactNode } from 'react'
import { limits } from '../contract/limits.ts'
import { sectionId } from '../contract/page-body.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { defineBlock, type RenderContext, type SectionContent } from './define-block.ts'
import { langAttributes } from './render-text.tsx'

/** A `section` block with its content, which is never stored. */
export interface ShownSection extends StoredBlock {
  content?: SectionContent
}

/**
 * Defines the block of a saved section, which several pages show: a change appears on all of them.
 * @param options passed by the registry, which knows all blocks
 */
export const sectionOf = (options: { render: (list: readonly StoredBlock[], context: RenderContext) => ReactNode[] }) =>
  defineBlock({
    type: 'section',
    group: 'saved',
    fullWidth: true,
    stylesheets: [],
    fields: { section: sectionId },
    labels: {
      name: { nl: 'Gedeelde sectie', fa: 'بخش مشترک', en: 'Shared section' },
      hint: {
        nl: 'Een opgeslagen sectie die op elke pagina tegelijk verandert.',
        fa: 'بخشی ذخیره‌شده که تغییرش در همهٔ صفحه‌ها دیده می‌شود.',
        en: 'A saved section that changes on every page at once.',
      },
      fields: { section: { nl: 'Sectie', fa: 'بخش', en: 'Section' } },
    },
    defaults: { nl: { section: '0'.repeat(32) }, fa: { section: '0'.repeat(32) }, en: { section: '0'.repeat(32) } },
    View(block, context) {
      const { sections } = context
      const { content } = (sections ? withSections([block], sections)[0] : block) as ShownSection
      if (!content) return null
      const { locale } = content
      const localeContext = locale !== context.contentLocale && {
        contentLocale: locale,
        t: context.translatorFor(locale),
        placeholders: context.placeholdersIn(locale),
      }
      // The blocks of a section are not edited within a page, so they render as on the site.
      const blocks = options.render(content.body, {
        ...context,
        ...localeContext,
        sections: undefined,
        renderNested: undefined,
      })
      // The editor needs one element to select; another language needs one with `lang`.
      return sections || localeContext ? (
        <div {...langAttributes(locale, context.contentLocale, context.site)}>{blocks}</div>
      ) : (
        blocks
      )
    },
  })

/** The section ids in the `section` blocks of a body, each with the index of its block; invalid ones are left out. */
export function sectionIdsIn(body: readonly StoredBlock[]): [index: number, id: string][] {
  return body.flatMap((block, index) => {
    // A draft is not validated.
    const { type, section } = block as StoredBlock & { section?: unknown }
    const id = sectionId.safeParse(section)
    return type === 'section' && id.success ? [[index, id.data]] : []
  })
}

/**
 * Copies a body with the content of each `section` block, nested ones included.
 * @param sections by id, including nested ones
 * @param maxSections by default more than a valid page has; further sections, unknown ones and those inside themselves
 * get no content
 */
export function withSections(
  body: readonly StoredBlock[],
  sections: ReadonlyMap<string, SectionContent>,
  maxSections: number = limits.sectionsPerPage * limits.sectionsInSection,
): StoredBlock[] {
  let remaining = maxSections
  const fill = (list: readonly StoredBlock[], outerIds: readonly string[]): StoredBlock[] =>
    list.map((block) => {
      if (block.type !== 'section') return block
      const { section: id } = block as { section?: unknown }
      const section = typeof id === 'string' ? sections.get(id) : undefined
      if (typeof id !== 'string' || !section || outerIds.includes(id) || remaining-- <= 0) return block
      const content: SectionContent = { locale: section.locale, body: fill(section.body, [...outerIds, id]) }
      return { ...block, content } as ShownSection
    })
  return fill(body, [])
}

/** Flattens a body: each `section` block is followed by the blocks of its content, nested ones included. */
export function withContents(body: readonly StoredBlock[]): StoredBlock[] {
  return body.flatMap((block) => [block, ...withContents((block as ShownSection).content?.body ?? [])])
}

/** Replaces `section` blocks by copies of their blocks, limited to the visitors who see the section. */
export function inlineSections(body: readonly StoredBlock[]): StoredBlock[] {
  return body.flatMap((block) => {
    if (block.type !== 'section') return [block]
    const { content, showIf = 'always' } = block as ShownSection & { showIf?: string }
    const copies = inlineSections(content?.body ?? []) as (StoredBlock & { showIf?: string })[]
    if (showIf === 'always') return copies
    return copies.flatMap((copy) => {
      if ((copy.showIf ?? 'always') === 'always') return [{ ...copy, showIf }]
      return copy.showIf === showIf ? [copy] : []
    })
  })
}
