import { createElement, Fragment, type ReactNode } from 'react'
import { z } from 'zod'
import type { StoredBlock } from '../contract/site-config.ts'
import { columnsOf } from './columns.tsx'
import { contactForm } from './contact-form.tsx'
import { content } from './content.tsx'
import { cta } from './cta.tsx'
import type { Scene } from './define-block.ts'
import { faq } from './faq.tsx'
import { footerLinks } from './footer-links.tsx'
import { gallery } from './gallery.tsx'
import { hero } from './hero.tsx'
import { icon } from './icon.tsx'
import { image } from './image.tsx'
import { line } from './line.tsx'
import { link } from './link.tsx'
import { menu } from './menu.tsx'
import { pricing } from './pricing.tsx'
import { richText } from './rich-text.tsx'
import { services } from './services.tsx'
import { socialIcons } from './social-icons.tsx'
import { subscriptions } from './subscriptions.tsx'
import { testimonial } from './testimonial.tsx'

const wanted = (types: readonly string[]) => ({
  error: ({ code }: { code?: string | undefined }) =>
    code === 'invalid_union' ? `One of these is wanted: ${types.join(', ')}` : undefined,
})

/** What may stand in a column: all that is no section of its own, and no columns again. */
const inner = [
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
] as const
const innerBlock = z.discriminatedUnion('type', inner, wanted(inner.map((schema) => schema.shape.type.value)))
const columns = columnsOf({ inner: innerBlock, draw: renderBlocks })

/** Every block, by its type. What the server accepts, the editor offers and the site shows follows from this. */
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
  'rich-text': richText,
  faq,
  cta,
  columns,
  gallery,
  testimonial,
}
export type BlockType = keyof typeof blocks

export const blockSchema = z.discriminatedUnion(
  'type',
  [
    content.schema,
    footerLinks.schema,
    icon.schema,
    image.schema,
    line.schema,
    link.schema,
    menu.schema,
    socialIcons.schema,
    hero.schema,
    services.schema,
    pricing.schema,
    subscriptions.schema,
    contactForm.schema,
    richText.schema,
    faq.schema,
    cta.schema,
    columns.schema,
    gallery.schema,
    testimonial.schema,
  ],
  wanted(Object.keys(blocks)),
)
export type AnyBlock = z.output<typeof blockSchema>

/** Draws blocks that `blockSchema` has read, leaving out what is not meant for this viewer. */
export function renderBlocks(list: readonly StoredBlock[], scene: Scene): ReactNode[] {
  return shown(list, scene).map((block, index) => createElement(Fragment, { key: index }, viewOf(block, scene)))
}

/** The same as a page's body: what is no section of its own stands between the page's margins. */
export function renderBody(list: readonly StoredBlock[], scene: Scene): ReactNode[] {
  return shown(list, scene).map((block, index) =>
    blocks[block.type].band
      ? createElement(Fragment, { key: index }, viewOf(block, scene))
      : createElement('div', { key: index, className: 'wrap loose' }, viewOf(block, scene)),
  )
}

function shown(list: readonly StoredBlock[], scene: Scene): AnyBlock[] {
  return (list as readonly AnyBlock[]).filter((block) => isShown(block.showIf, scene))
}

function isShown(showIf: AnyBlock['showIf'], { viewer }: Scene): boolean {
  return showIf === 'always' || (showIf === 'logged-in') === (viewer !== undefined)
}

/** The type of a block decides its view, which TypeScript cannot follow through a lookup. */
function viewOf(block: AnyBlock, scene: Scene): ReactNode {
  const { View } = blocks[block.type] as { View: (block: AnyBlock, scene: Scene) => ReactNode }
  return View(block, scene)
}
