import type { ReactNode } from 'react'
import { z } from 'zod'
import type { ListedEntry } from '../contract/collections.ts'
import type { ContactField } from '../contract/contact.ts'
import type { PublicForm } from '../contract/form-fields.ts'
import type { FileFacts, ResponsiveImage } from '../contract/images.ts'
import type { AdminLocale, Locale } from '../contract/locales.ts'
import type { MenuPages } from '../contract/menus.ts'
import { sectionId } from '../contract/page-body.ts'
import type { Placeholders } from '../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { downloadUrl, imageUrl, linkUrl } from '../contract/url.ts'
import { captionsUrl, filmUrl, videoUrl } from '../contract/video.ts'
import type { Translate } from '../i18n/translate.ts'
import { type BlockStyle, blockStyle, blockStyleWithSide } from './block-style.ts'
import { cleanHtml, NestedTooDeep } from './clean-html.ts'

/** The context of a block's view, besides the block itself. It is shared by all blocks of a page and read-only. */
export interface RenderContext {
  locale: Locale
  /** The language of the content; differs from `locale` where a translation is missing. */
  contentLocale: Locale
  t: Translate
  site: SiteConfig
  /** Path of the page without its language prefix: `/`, `/disclaimer`. */
  path: string
  viewer: { name: string } | undefined
  now: Date
  /** In the language of the content. */
  placeholders: Placeholders
  placeholdersIn(locale: Locale): Placeholders
  textsIn(locale: Locale): Translate
  logoUrl: string
  contact: ContactState
  /** Addresses of pages by the paths of links to them, where these need more than the prefix of a language. */
  linkedPaths?: ReadonlyMap<string, string> | undefined
  /** The pages of the menu of the site. */
  menuPages: MenuPages
  /** The images of the site, by `imageKey`. */
  images: ReadonlyMap<string, ResponsiveImage>
  /** The other uploads on the page, by public id. */
  files: ReadonlyMap<string, FileFacts>
  /** The sections of the blocks in the editor, by id; elsewhere the blocks have their content. */
  sections?: ReadonlyMap<string, SectionContent> | undefined
  /** The entries of the lists in the editor, by `entryListKey`; elsewhere the blocks have them. */
  entryLists?: ReadonlyMap<string, readonly ListedEntry[]> | undefined
  /** Renders blocks once for several requests; omitted for drafts, previews and pages with values of a form. */
  shared?: SharedBlocks | undefined
  /** Replaces the rendering of nested blocks in the editor. */
  renderNested?: ((list: readonly StoredBlock[]) => ReactNode) | undefined
}

/** HTML of blocks that several requests share. */
export interface SharedBlocks {
  /**
   * @param position distinguishes where the same block is rendered differently
   * @returns the block, or a mark that `fill` replaces by its HTML
   */
  render(
    block: StoredBlock,
    context: RenderContext,
    position: string,
    view: (context: RenderContext) => ReactNode,
  ): ReactNode
  /** Replaces the marks in the rendered document. */
  fill(html: string): string
}

/** The blocks of a section, in the language in which it is shown. */
export interface SectionContent {
  locale: Locale
  body: readonly StoredBlock[]
}

/** The state of the contact form: empty, invalid, or sent. */
export interface ContactState {
  values: Partial<Record<ContactField, string>>
  errors: Partial<Record<ContactField, string>>
  /** Shown above the form for a failure that belongs to no field. */
  failure?: { title: string; text: string } | undefined
  sent?: SentForm | undefined
  question?: SpamQuestion | undefined
  /** The state of a form of the configuration. */
  form?: FormState | undefined
  /** The query of the page of search results that shows the form. */
  query?: string | undefined
}

/** The state of a form: invalid, or sent. */
export interface FormState {
  id: string
  /** As it was filled in; the configuration may have lost it. */
  former?: PublicForm | undefined
  /** Several for a field of several options. */
  values: Record<string, readonly string[]>
  errors: Record<string, string>
  failure?: { title: string; text: string } | undefined
  sent?: SentForm | undefined
  question?: SpamQuestion | undefined
}

/** A sum, asked after sending, of the sender of a suspected message. */
export interface SpamQuestion {
  /** Where the answer is posted. */
  action: string
  attempt: number
  /** The two numbers to add. */
  addends: [first: number, second: number]
  /** Why the answer before was not taken. */
  problem: string | undefined
}

/** The confirmation that a visitor reads after sending. */
export interface SentForm {
  reference: string
  /** The address of the calendar file of a proposed appointment. */
  calendar?: string | undefined
}

/** The stylesheet parts that are only included on pages that need them, in the order of the cascade: files of `site/styles/`. */
export const stylesheets = [
  'columns',
  'contact',
  'form',
  'edit-link',
  'sign-in',
  'gallery',
  'hero',
  'error-page',
  'pricing',
  'image',
  'preview',
  'prose',
  'faq',
  'services',
  'testimonial',
  'section',
  'page-numbers',
  'search',
  'collection',
  'text-image',
  'cases',
  'testimonials',
  'figures',
  'team',
  'steps',
  'logos',
  'hero-media',
  'video',
  'location',
  'comparison',
  'banner',
  'download',
  'block-style',
  'block-background',
  'footer',
  'opened-menus',
  'illustrations/plain',
  'headings/middle',
  'headings/ruled',
  'headings/numbered',
  'panels/lined',
  'panels/banded',
  'print',
] as const
export type Stylesheet = (typeof stylesheets)[number]

/** Identifies a block within its page when it moves, so that changes of two users can be merged. It is not rendered. */
const blockId = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,40}$/, 'blockId')
  .optional()

/** The visitors who see the block. */
export const showIf = z.enum(['always', 'logged-in', 'logged-out']).default('always')

/** Labels of the common fields; a block's own fields are labelled in its own file. */
export const commonLabels = {
  showIf: { nl: 'Tonen', fa: 'نمایش', en: 'Show' },
  always: { nl: 'Altijd', fa: 'همیشه', en: 'Always' },
  'logged-in': { nl: 'Alleen ingelogd', fa: 'فقط هنگام ورود', en: 'Signed in only' },
  'logged-out': { nl: 'Alleen uitgelogd', fa: 'فقط بدون ورود', en: 'Signed out only' },
}

/** The groups of blocks to choose from, in the order in which they are shown. */
export const blockGroups = ['opening', 'text', 'proof', 'offer', 'lists', 'contact', 'saved', 'site'] as const
export type BlockGroup = (typeof blockGroups)[number]

/** A label in each language of the admin. */
export type Label = Record<AdminLocale, string>

export const labelFrom = (textIn: (locale: AdminLocale) => string): Label => ({
  nl: textIn('nl'),
  fa: textIn('fa'),
  en: textIn('en'),
})

/** The labels of a block and its fields. */
interface Labels<Shape> {
  name: Label
  /** One sentence for who chooses a block: what it shows. */
  hint: Label
  /** Other words by which it is searched. */
  words?: Partial<Label>
  fields: { [K in keyof Shape]: Label }
  /** Labels of nested fields, by path: `items.title`. */
  nestedFields?: Record<string, Label>
  /** Labels of choices, by path and value: `menuType.desktop`. */
  choices?: Record<string, Label>
}

function labelsIn<Shape>({ name, hint, words, fields, nestedFields, choices }: Labels<Shape>, locale: AdminLocale) {
  const textsIn = (labels: Record<string, Label>): Record<string, string> =>
    Object.fromEntries(Object.entries(labels).map(([path, label]) => [path, label[locale]]))
  return {
    name: name[locale],
    hint: hint[locale],
    words: words?.[locale] ?? '',
    fields: textsIn(fields) as { [K in keyof Shape]: string },
    nestedFields: textsIn(nestedFields ?? {}),
    choices: textsIn(choices ?? {}),
  }
}

/**
 * Defines a block. The common fields `type`, `id`, `showIf` and `style` are added to `fields`. `View` is a plain function and
 * not a component: it has no state, and a call is cheaper than an element.
 */
export function defineBlock<const Type extends string, Shape extends z.core.$ZodLooseShape>(definition: {
  type: Type
  /** Blocks of `site` are offered only for the header and footer, and those of `saved` are sections; neither is offered for pages. */
  group: BlockGroup
  /** Whether it is a full-width section, which has its own margins. */
  fullWidth?: boolean
  /** The side of its image, beside its text; its style can choose the other one. */
  imageSide?: 'start' | 'end'
  /** The part of the settings that has what it shows besides its own fields. */
  settings?: 'offer' | 'contact' | 'forms'
  /** The stylesheet parts that it needs; without any it is styled as text. */
  stylesheets?: readonly Stylesheet[]
  fields: Shape
  labels: Labels<Shape>
  defaults: Record<AdminLocale, z.input<z.ZodObject<Shape, z.core.$strict>>>
  /** The paths of the `defaults` that are sample text, not meant to be published: `items.answer`. */
  examples?: readonly string[]
  View: (
    block: z.output<z.ZodObject<Shape, z.core.$strict>> & { type: Type; style?: BlockStyle | undefined },
    context: RenderContext,
  ) => ReactNode
}) {
  // One type for both, so that every block is read alike; the schema still refuses a side where there is none.
  const style = (definition.imageSide ? blockStyleWithSide : blockStyle) as typeof blockStyleWithSide
  return {
    ...definition,
    labels: {
      nl: labelsIn(definition.labels, 'nl'),
      fa: labelsIn(definition.labels, 'fa'),
      en: labelsIn(definition.labels, 'en'),
    },
    schema: z.strictObject({
      type: z.literal(definition.type),
      id: blockId,
      showIf,
      style: style.optional(),
      ...definition.fields,
    }),
  }
}

/** The form control for a schema; `fields.ts` derives it from the type for schemas that are not registered. */
export const fieldKinds = z.registry<{
  kind:
    | 'text'
    | 'textarea'
    | 'richText'
    | 'url'
    | 'image'
    | 'imageOrLogo'
    | 'icon'
    | 'className'
    | 'anchor'
    | 'email'
    | 'film'
    | 'captions'
    | 'video'
    | 'file'
    | 'section'
    | 'form'
    | 'collection'
}>()
fieldKinds.add(linkUrl, { kind: 'url' })
fieldKinds.add(imageUrl, { kind: 'image' })
fieldKinds.add(filmUrl, { kind: 'film' })
fieldKinds.add(captionsUrl, { kind: 'captions' })
fieldKinds.add(videoUrl, { kind: 'video' })
fieldKinds.add(downloadUrl, { kind: 'file' })
fieldKinds.add(sectionId, { kind: 'section' })

/** Classes that an editor may put on a block; `styles/utilities.css` documents those with an effect. */
export const className = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9 _-]*$/, 'className')
  .default('')
  .register(fieldKinds, { kind: 'className' })

/** The `id` that a link such as `/#prijzen` leads to. */
export const anchor = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]*$/, 'itemId')
  .default('')
  .register(fieldKinds, { kind: 'anchor' })

export const shortText = z.string().max(300).register(fieldKinds, { kind: 'text' })
export const longText = z.string().max(5_000).register(fieldKinds, { kind: 'textarea' })
const richTextChars = 100_000
/**
 * HTML with the few tags that `clean-html.ts` allows. It is sanitized, and the limit applies to the result, so that it
 * can be sent again.
 */
export const richText = z
  .string()
  .max(richTextChars)
  .transform((html, { issues }) => {
    const clean = sanitizeOrUndefined(html)
    if (clean === undefined) {
      issues.push({ code: 'custom', message: 'value', input: html })
      return ''
    }
    if (clean.length > richTextChars) {
      issues.push({ code: 'too_big', origin: 'string', maximum: richTextChars, inclusive: true, input: html })
    }
    return clean
  })
  .register(fieldKinds, { kind: 'richText' })

function sanitizeOrUndefined(html: string): string | undefined {
  try {
    return cleanHtml(html)
  } catch (error) {
    if (error instanceof NestedTooDeep) return undefined
    throw error
  }
}

/** Stands for the configured logo. */
export const logo = '[logo]'
/** The URL of an image, or the logo with the brand's name. */
export const imageOrLogo = z.union([z.literal(logo), imageUrl]).register(fieldKinds, { kind: 'imageOrLogo' })

/** The fields of a section with a heading above its content, and their labels. */
export const sectionFields = { anchor, title: shortText, intro: longText.default('') }
export const sectionLabels = {
  anchor: { nl: 'Anker', fa: 'لنگر', en: 'Anchor' },
  title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
  intro: { nl: 'Inleiding', fa: 'مقدمه', en: 'Introduction' },
}

/** An optional link below a text. */
export const linkFields = { linkTitle: shortText.default(''), url: linkUrl.optional() }
export const linkLabels = {
  linkTitle: { nl: 'Tekst van de link', fa: 'متن پیوند', en: 'Text of the link' },
  url: { nl: 'Link', fa: 'پیوند', en: 'Link' },
}

/** An optional email address. */
export const optionalEmail = z
  .union([z.literal(''), z.email().max(254)], 'email')
  .default('')
  .register(fieldKinds, { kind: 'email' })

export const button = z.strictObject({ title: shortText, url: linkUrl })
