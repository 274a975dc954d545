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

/** A saved section, shared by pages: a change appears on all of them. */
export const sectionOf = (parts: { render: (list: readonly StoredBlock[], context: RenderContext) => ReactNode[] }) =>
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
      const inOther = locale !== context.contentLocale && {
        contentLocale: locale,
        t: context.textsIn(locale),
        placeholders: context.placeholdersIn(locale),
      }
      // Its blocks are not edited where it is shown.
      const blocks = parts.render(content.body, {
        ...context,
        ...inOther,
        sections: undefined,
        renderNested: undefined,
      })
      // The editor needs one element to select.
      return sections || inOther ? (
        <div {...langAttributes(locale, context.contentLocale, context.site)}>{blocks}</div>
      ) : (
        blocks
      )
    },
  })

/** The ids of the sections that these blocks refer to, by the index of the block. */
export function sectionIdsIn(body: readonly StoredBlock[]): [index: number, id: string][] {
  return body.flatMap((block, index) => {
    // A draft may hold anything here.
    const { type, section } = block as StoredBlock & { section?: unknown }
    const id = sectionId.safeParse(section)
    return type === 'section' && id.success ? [[index, id.data]] : []
  })
}

/**
 * Gives each `section` block its content, and those in it theirs.
 * @param sections by id, including those in others
 * @param most the number of sections that are shown, by default more than a valid page has; further sections, unknown
 * ones and those inside themselves show nothing
 */
export function withSections(
  body: readonly StoredBlock[],
  sections: ReadonlyMap<string, SectionContent>,
  most: number = limits.sectionsPerPage * limits.sectionsInSection,
): StoredBlock[] {
  let left = most
  const fill = (list: readonly StoredBlock[], around: readonly string[]): StoredBlock[] =>
    list.map((block) => {
      if (block.type !== 'section') return block
      const { section: id } = block as { section?: unknown }
      const found = typeof id === 'string' ? sections.get(id) : undefined
      if (typeof id !== 'string' || !found || around.includes(id) || left-- <= 0) return block
      const content: SectionContent = { locale: found.locale, body: fill(found.body, [...around, id]) }
      return { ...block, content } as ShownSection
    })
  return fill(body, [])
}

/** The blocks that visitors see: each section is followed by its content. */
export function withContents(body: readonly StoredBlock[]): StoredBlock[] {
  return body.flatMap((block) => [block, ...withContents((block as ShownSection).content?.body ?? [])])
}

/** The same blocks with copies of the sections in their place. A section that is shown to some visitors stays so. */
export function inlineSections(body: readonly StoredBlock[]): StoredBlock[] {
  return body.flatMap((block) => {
    if (block.type !== 'section') return [block]
    const { content, showIf = 'always' } = block as ShownSection & { showIf?: string }
    const copies = inlineSections(content?.body ?? []) as (StoredBlock & { showIf?: string })[]
    return showIf === 'always'
      ? copies
      : copies.flatMap((copy) => {
          const own = copy.showIf ?? 'always'
          return own === 'always' ? [{ ...copy, showIf }] : own === showIf ? [copy] : []
        })
  })
}
