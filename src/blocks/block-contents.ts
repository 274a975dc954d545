import { adminLocales, type Locale, localized } from '../contract/locales.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { parseVideo, playerOrigins } from '../contract/video.ts'
import { logoPlaceholder, type Stylesheet, stylesheets } from './define-block.ts'
import { heroMedia } from './hero.tsx'
import { type AnyBlock, type BlockType, blocks } from './registry.ts'
import { type ShownSection, withContents } from './section.tsx'

/** Which blocks count: those that everyone sees, or that these visitors see. Omitted: all blocks. */
type Audience = 'everyone' | 'logged-in' | 'logged-out'

/** Whether a block of the page renders the main heading (`h1`), so that the page must not add one. */
export function hasMainHeading(body: readonly StoredBlock[], audience?: Audience): boolean {
  return everyBlock(body, audience).some(
    (block) => block.type === 'hero' || (block.type === 'content' && block.selector === 'h1'),
  )
}

/** The questions and answers of the FAQ blocks that anonymous visitors see, in the order of the page. */
export function questionsOf(body: readonly StoredBlock[]): { question: string; answer: string }[] {
  return everyBlock(body, 'logged-out').flatMap((block) => (block.type === 'faq' ? block.items : []))
}

/** The stylesheet parts of blocks, each once, in cascade order; with `prose` if they have no main heading. */
export function stylesheetsOf(
  body: readonly StoredBlock[],
  hasHeading = hasMainHeading(body, 'everyone'),
): Stylesheet[] {
  const all = everyBlock(body)
  const needed = new Set<Stylesheet>(all.flatMap(({ type }) => blocks[type].stylesheets ?? ['prose']))
  if (all.some((block) => block.type === 'hero' && heroMedia(block) !== 'illustration')) needed.add('hero-media')
  if (all.some(({ style }) => style && Object.keys(style).length > 0)) needed.add('block-style')
  if (all.some(({ style }) => style?.background === 'picture')) needed.add('image').add('block-background')
  // Blocks that are not full-width are placed in text margins.
  if ((withContents(body) as AnyBlock[]).some(({ type }) => !blocks[type].fullWidth)) needed.add('prose')
  if (!hasHeading) needed.add('prose')
  return stylesheets.filter((stylesheet) => needed.has(stylesheet))
}

/**
 * The parts down to the first block that everyone sees, and those for the blocks below, which may load later. No part
 * depends on another, but `block-style` must follow them all: it may be in both.
 */
export function splitStylesheets(body: readonly StoredBlock[]): { upper: Stylesheet[]; lower: Stylesheet[] } {
  const all = withContents(body) as AnyBlock[]
  // Without such a block (`findIndex` gives -1), all blocks are upper ones.
  const upperCount = all.findIndex(({ showIf }) => showIf === 'always') + 1 || all.length
  const upper = stylesheetsOf(all.slice(0, upperCount), hasMainHeading(body, 'everyone'))
  const lower = stylesheetsOf(all.slice(upperCount), true)
  return { upper, lower: lower.filter((part) => part === 'block-style' || !upper.includes(part)) }
}

/** The blocks of the header and footer. @param locale omitted: in all languages */
export const areaBlocks = ({ branding }: Pick<SiteConfig, 'branding'>, locale?: Locale): StoredBlock[] =>
  [...Object.values(branding.navbar), ...Object.values(branding.footer)].flatMap((area) =>
    locale === undefined ? Object.values(area).flatMap((list) => list ?? []) : localized(area, locale).value,
  )

/** The parts of header and footer, whose own styles replace `prose` and style the logo. */
export function areaStylesheets(site: Pick<SiteConfig, 'branding'>): Stylesheet[] {
  const isLogo = (block: StoredBlock) =>
    block.type === 'image' && (block as AnyBlock & { src: string }).src === logoPlaceholder
  const blocksWithoutLogo = areaBlocks(site).filter((block) => !isLogo(block))
  return stylesheetsOf(blocksWithoutLogo, true).filter((part) => part !== 'prose')
}

/** The origins of the external video players on a page, for `frame-src` of its Content-Security-Policy. */
export function playerOriginsOf(body: readonly StoredBlock[]): string[] {
  const kinds = everyBlock(body).flatMap(
    (block) => (block.type === 'video' ? parseVideo(block.src)?.kind : undefined) ?? [],
  )
  return [...new Set(kinds)].flatMap((kind) => (kind === 'own' ? [] : playerOrigins[kind]))
}

/** Whether a contact form is on the page, in its columns or in its sections. */
export const hasContactForm = (body: readonly StoredBlock[], audience?: Audience): boolean =>
  everyBlock(body, audience).some(({ type }) => type === 'contact-form')

/** Whether the page itself, without its sections, shows a contact form to anonymous visitors. */
export const showsVisitorsContactForm = (body: readonly StoredBlock[]): boolean =>
  (body as AnyBlock[]).some(
    (block) =>
      block.showIf !== 'logged-in' &&
      (block.type === 'contact-form' ||
        (block.type === 'columns' && block.columns.some((column) => showsVisitorsContactForm(column.blocks)))),
  )

/** The ids of the forms of the configuration on the page, for any audience; an id may repeat. */
export const formIdsOn = (body: readonly StoredBlock[]): string[] =>
  everyBlock(body).flatMap((block) => (block.type === 'form' ? [block.form] : []))

/** The first block that shows a form of the configuration to an audience; undefined when none does. */
export const findFormBlock = (body: readonly StoredBlock[], formId: string, audience: Audience) =>
  everyBlock(body, audience).find((block) => block.type === 'form' && block.form === formId) as
    | Extract<AnyBlock, { type: 'form' }>
    | undefined

/** The blocks of a page, those in columns and sections included, in order. */
export function everyBlock(body: readonly StoredBlock[], audience?: Audience): AnyBlock[] {
  const isVisible = ({ showIf }: AnyBlock) =>
    audience === undefined || showIf === audience || (showIf !== 'logged-in' && showIf !== 'logged-out')
  return (body as AnyBlock[]).filter(isVisible).flatMap((block) => {
    const nested = block.type === 'columns' ? block.columns.flatMap(({ blocks }) => blocks) : sectionBlocks(block)
    return [block, ...everyBlock(nested, audience)]
  })
}

const sectionBlocks = (block: StoredBlock): readonly StoredBlock[] => (block as ShownSection).content?.body ?? []

type Values = Record<string, unknown>

/** Whether a text equals that of a new block in its field, in any language. @param path without list indexes: `items.name` */
export const isDefaultText = (type: BlockType, path: string, text: string): boolean =>
  samplesOf(type).some((block) => textsAt(block, path).includes(plainTextOf(text)))

const samplesOf = (type: BlockType) =>
  adminLocales.map((locale) => ({ type, ...blocks[type].defaults[locale] }) as unknown as StoredBlock)

/** The texts at a path, through any lists; of HTML only the text content. */
export function textsAt(block: StoredBlock, path: string): string[] {
  const values = path
    .split('.')
    .reduce<unknown[]>((holders, name) => holders.flatMap((holder) => (holder as Values)[name] ?? []), [block])
  return values.map((value) => plainTextOf(String(value)))
}

const plainTextOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
