import { type Locale, localized } from '../contract/locales.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { parseVideo, playerOrigins } from '../contract/video.ts'
import { logo, type Stylesheet, stylesheets } from './define-block.ts'
import { heroMedia } from './hero.tsx'
import { type AnyBlock, type BlockType, blocks } from './registry.ts'
import { type ShownSection, withContents } from './section.tsx'

/** Who sees a block: everyone, or also those who are signed in, or those who are not. */
type Audience = 'everyone' | 'logged-in' | 'logged-out'

/** Whether a block of the page renders the main heading, so that the page does not add one. @param audience omitted: to anyone */
export function hasMainHeading(body: readonly StoredBlock[], audience?: Audience): boolean {
  return everyBlock(body, audience).some(
    (block) => block.type === 'hero' || (block.type === 'content' && block.selector === 'h1'),
  )
}

/** All questions that visitors see, with their answers, in the order of the page. */
export function questionsOf(body: readonly StoredBlock[]): { question: string; answer: string }[] {
  return everyBlock(body, 'logged-out').flatMap((block) => (block.type === 'faq' ? block.items : []))
}

/** The stylesheet parts that a page needs, without duplicates and in a fixed order. */
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
 * The stylesheet parts for what is seen first, and those for the blocks below it, which a page may load later. A part
 * depends on no other, but `block-style` follows them all.
 */
export function splitStylesheets(body: readonly StoredBlock[]): { upper: Stylesheet[]; lower: Stylesheet[] } {
  const all = withContents(body) as AnyBlock[]
  const end = all.findIndex(({ showIf }) => showIf === 'always') + 1 || all.length
  const upper = stylesheetsOf(all.slice(0, end), hasMainHeading(body, 'everyone'))
  const lower = stylesheetsOf(all.slice(end), true)
  return { upper, lower: lower.filter((part) => part === 'block-style' || !upper.includes(part)) }
}

/** The blocks of the header and footer. @param locale omitted: in all languages */
export const areaBlocks = ({ branding }: Pick<SiteConfig, 'branding'>, locale?: Locale): StoredBlock[] =>
  [...Object.values(branding.navbar), ...Object.values(branding.footer)].flatMap((area) =>
    locale === undefined ? Object.values(area).flatMap((list) => list ?? []) : localized(area, locale).value,
  )

/** The stylesheet parts of the blocks in the header and footer. Texts there have the style of these, and need no `prose`. */
export function areaStylesheets(site: Pick<SiteConfig, 'branding'>): Stylesheet[] {
  const all = areaBlocks(site).filter(
    (block) => !(block.type === 'image' && (block as AnyBlock & { src: string }).src === logo),
  )
  return stylesheetsOf(all, true).filter((part) => part !== 'prose')
}

/** The origins of the video players that a page may show in a frame. */
export function playerOriginsOf(body: readonly StoredBlock[]): string[] {
  const kinds = everyBlock(body).flatMap(
    (block) => (block.type === 'video' ? parseVideo(block.src)?.kind : undefined) ?? [],
  )
  return [...new Set(kinds)].flatMap((kind) => (kind === 'own' ? [] : playerOrigins[kind]))
}

/** Whether a contact form is on the page. @param audience omitted: shown to anyone */
export const hasContactForm = (body: readonly StoredBlock[], audience?: Audience): boolean =>
  everyBlock(body, audience).some(({ type }) => type === 'contact-form')

/** Whether the page itself, without its sections, shows a contact form to visitors who are not signed in. */
export const showsVisitorsContactForm = (body: readonly StoredBlock[]): boolean =>
  (body as AnyBlock[]).some(
    (block) =>
      block.showIf !== 'logged-in' &&
      (block.type === 'contact-form' ||
        (block.type === 'columns' && block.columns.some((column) => showsVisitorsContactForm(column.blocks)))),
  )

/** The ids of the forms on the page, for anyone. */
export const formsOn = (body: readonly StoredBlock[]): string[] =>
  everyBlock(body).flatMap((block) => (block.type === 'form' ? [block.form] : []))

/** The first block that shows a form to an audience. */
export const findFormBlock = (body: readonly StoredBlock[], form: string, audience: Audience) =>
  everyBlock(body, audience).find((block) => block.type === 'form' && block.form === form) as
    | Extract<AnyBlock, { type: 'form' }>
    | undefined

/** The blocks of a page that its audience sees, or all, including those of columns and of sections. */
function everyBlock(body: readonly StoredBlock[], audience?: Audience): AnyBlock[] {
  const isShown = ({ showIf }: AnyBlock) =>
    audience === undefined || showIf === audience || (showIf !== 'logged-in' && showIf !== 'logged-out')
  return (body as AnyBlock[]).filter(isShown).flatMap((block) => {
    const inner = block.type === 'columns' ? block.columns.flatMap(({ blocks }) => blocks) : contentOf(block)
    return [block, ...everyBlock(inner, audience)]
  })
}

const contentOf = (block: StoredBlock): readonly StoredBlock[] => (block as ShownSection).content?.body ?? []

type Values = Record<string, unknown>

/** The blocks of a page, including nested ones, that still contain sample text. */
export function blocksWithExamples(body: readonly StoredBlock[]): StoredBlock[] {
  sampleTexts ??= collectSampleTexts()
  return everyBlock(body).filter((block) =>
    pathsOf(block.type).some((path) =>
      textsAt(block, path).some((text) => sampleTexts?.get(block.type + path)?.has(text)),
    ),
  )
}

/** Whether a text is still the one of a new block, in any language. @param path without list indexes: `items.name` */
export const isDefaultText = (type: BlockType, path: string, text: string): boolean =>
  Object.values(blocks[type].defaults).some((values) =>
    textsAt({ type, ...values } as StoredBlock, path).includes(textOf(text)),
  )

/** By type and path, in all languages: a translation may start as a copy of another language's text. */
let sampleTexts: ReadonlyMap<string, ReadonlySet<string>> | undefined

function collectSampleTexts() {
  const added = Object.entries(blocks).flatMap(([type, { defaults }]) =>
    Object.values(defaults).map((values) => ({ type, ...values }) as StoredBlock),
  )
  const found = new Map<string, Set<string>>()
  // Sample text in the columns of a new block counts too.
  for (const block of everyBlock(added)) {
    for (const path of pathsOf(block.type)) {
      const key = block.type + path
      found.set(key, new Set([...(found.get(key) ?? []), ...textsAt(block, path)]))
    }
  }
  return found
}

const pathsOf = (type: string): readonly string[] => {
  const block: { examples?: readonly string[] } | undefined = blocks[type as BlockType]
  return block?.examples ?? []
}

/** The texts at a path, through any lists; of HTML only the text content. */
function textsAt(block: StoredBlock, path: string): string[] {
  const found = path
    .split('.')
    .reduce<unknown[]>((holders, name) => holders.flatMap((holder) => (holder as Values)[name] ?? []), [block])
  return found.map((text) => textOf(String(text)))
}

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
