import { createElement, Fragment, type ReactNode } from 'react'
import { z } from 'zod'
import type { StoredBlock } from '../contract/site-config.ts'
import { banner } from './banner.tsx'
import { cases } from './cases.tsx'
import { columnsOf } from './columns.tsx'
import { comparison } from './comparison.tsx'
import { contactForm } from './contact-form.tsx'
import { content } from './content.tsx'
import { cta } from './cta.tsx'
import type { RenderContext } from './define-block.ts'
import { download } from './download.tsx'
import { entryList } from './entry-list.tsx'
import { faq } from './faq.tsx'
import { figures } from './figures.tsx'
import { footerLinks } from './footer-links.tsx'
import { form } from './form.tsx'
import { gallery } from './gallery.tsx'
import { hero } from './hero.tsx'
import { icon } from './icon.tsx'
import { image } from './image.tsx'
import { line } from './line.tsx'
import { link } from './link.tsx'
import { location } from './location.tsx'
import { logos } from './logos.tsx'
import { menu } from './menu.tsx'
import { pricing, subscriptions } from './pricing.tsx'
import { richText } from './rich-text.tsx'
import { sectionOf } from './section.tsx'
import { services } from './services.tsx'
import { socialIcons } from './social-icons.tsx'
import { steps } from './steps.tsx'
import { wrapInStyle } from './styled.tsx'
import { team } from './team.tsx'
import { testimonial } from './testimonial.tsx'
import { testimonials } from './testimonials.tsx'
import { textImage } from './text-image.tsx'
import { video } from './video.tsx'

/** The blocks that a column may hold: those that are not full-width, and no columns. */
const innerBlockSchemas = [
  content.schema,
  footerLinks.schema,
  icon.schema,
  image.schema,
  line.schema,
  link.schema,
  menu.schema,
  socialIcons.schema,
  gallery.schema,
  testimonial.schema,
  video.schema,
  download.schema,
] as const
const innerBlock = z.discriminatedUnion('type', innerBlockSchemas)
const columns = columnsOf({ innerBlock, render: renderBlocks })

const section = sectionOf({ render: renderBody })

/** All blocks by type. The server's schema, the editor's block picker and the site's views derive from it. */
export const blocks = {
  content,
  'footer-links': footerLinks,
  icon,
  image,
  line,
  link,
  menu,
  'social-icons': socialIcons,
  hero,
  services,
  pricing,
  subscriptions,
  'contact-form': contactForm,
  form,
  'rich-text': richText,
  faq,
  cta,
  columns,
  gallery,
  testimonial,
  'text-image': textImage,
  cases,
  testimonials,
  figures,
  team,
  steps,
  logos,
  video,
  location,
  comparison,
  banner,
  download,
  'entry-list': entryList,
  section,
}
export type BlockType = keyof typeof blocks

type BlockSchema = (typeof blocks)[BlockType]['schema']
export const blockSchema = z
  // Zod's type needs a non-empty tuple.
  .discriminatedUnion('type', Object.values(blocks).map(({ schema }) => schema) as [BlockSchema, ...BlockSchema[]])
  .meta({ id: 'Block' })
export type AnyBlock = z.output<typeof blockSchema>

/**
 * Renders the blocks of a column, the header or the footer, which `blockSchema` has validated, without those hidden
 * from this viewer.
 */
export function renderBlocks(list: readonly StoredBlock[], context: RenderContext): ReactNode[] {
  return visibleBlocks(list, context).map((block, index) =>
    createElement(
      Fragment,
      { key: index },
      renderCached(block, context, 'inner', (blockContext) => {
        const view = renderView(block, blockContext)
        return wrapInStyle(block.style, view, blockContext, { fullWidth: false, first: false }) ?? view
      }),
    ),
  )
}

/**
 * Renders the body of a page or section: blocks that are not full-width are wrapped in the page's margins.
 * @param afterFirst rendered between the first block and the second
 */
export function renderBody(list: readonly StoredBlock[], context: RenderContext, afterFirst?: ReactNode): ReactNode[] {
  return visibleBlocks(list, context).map((block, index) => {
    const first = index === 0
    const rendered = renderCached(block, context, first ? 'first' : 'body', (blockContext) => {
      const fullWidth = isFullWidth(block.type)
      const view = fullWidth
        ? renderView(block, blockContext)
        : createElement('div', { className: 'wrap loose' }, renderView(block, blockContext))
      return wrapInStyle(block.style, view, blockContext, { fullWidth, first }) ?? view
    })
    return createElement(Fragment, { key: index }, rendered, first ? afterFirst : undefined)
  })
}

function renderCached(
  block: AnyBlock,
  context: RenderContext,
  position: 'inner' | 'first' | 'body',
  render: (context: RenderContext) => ReactNode,
): ReactNode {
  return context.blockCache ? context.blockCache.render(block, context, position, render) : render(context)
}

/** Whether a block is a full-width section, which has its own margins. */
export const isFullWidth = (type: BlockType): boolean => 'fullWidth' in blocks[type] && blocks[type].fullWidth === true

/** The default side of a block's image, which its style may change; undefined for a block without such an image. */
export const imageSideOf = (type: BlockType): 'start' | 'end' | undefined =>
  'imageSide' in blocks[type] ? blocks[type].imageSide : undefined

function visibleBlocks(list: readonly StoredBlock[], context: RenderContext): AnyBlock[] {
  return (list as readonly AnyBlock[]).filter((block) => isVisible(block.showIf, context))
}

function isVisible(showIf: AnyBlock['showIf'], { viewer }: RenderContext): boolean {
  return showIf === 'always' || (showIf === 'logged-in') === (viewer !== undefined)
}

/** The cast is needed because TypeScript cannot relate a block to its view through a lookup. */
function renderView(block: AnyBlock, context: RenderContext): ReactNode {
  const { View } = blocks[block.type] as { View: (block: AnyBlock, context: RenderContext) => ReactNode }
  return View(block, context)
}
