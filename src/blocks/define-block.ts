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

/** What a block's view gets besides the block itself: read-only, and the same for all blocks of a page. */
export interface RenderContext {
  /** The language of the page's URL: that of the visitor. */
  locale: Locale
  /** The language of the content; differs from `locale` where a translation is missing. */
  contentLocale: Locale
  /** Translates built-in texts: around the content into `locale`, within it into `contentLocale`. */
  t: Translate
  site: SiteConfig
  /** Path of the page without its language prefix: `/`, `/disclaimer`. */
  path: string
  /** The signed-in user; undefined for an anonymous visitor. */
  viewer: { name: string } | undefined
  now: Date
  /** In the language of the content. */
  placeholders: Placeholders
  placeholdersIn(locale: Locale): Placeholders
  translatorFor(locale: Locale): Translate
  logoUrl: string
  /** The width of the logo divided by its height. */
  logoRatio: number
  contact: ContactState
  /** The current paths of pages, by the path in a link; without those that only need a language prefix. */
  linkedPaths?: ReadonlyMap<string, string> | undefined
  /** The pages of the menu of the site. */
  menuPages: MenuPages
  /** The images of the site, by `imageKey`. */
  images: ReadonlyMap<string, ResponsiveImage>
  /** The other uploads on the page, by public id. */
  files: ReadonlyMap<string, FileFacts>
  /** Only in the editor: saved sections by id. Elsewhere each `section` block has its content. */
  sections?: ReadonlyMap<string, SectionContent> | undefined
  /** Only in the editor: entries by `entryListKey`. Elsewhere each `entry-list` block has its entries. */
  entryLists?: ReadonlyMap<string, readonly ListedEntry[]> | undefined
  /** Omitted for drafts, previews and pages with values of a form. */
  blockCache?: BlockCache | undefined
  /** Replaces the rendering of nested blocks in the editor. */
  renderNested?: ((list: readonly StoredBlock[]) => ReactNode) | undefined
}

/** Caches the HTML of blocks across requests. */
export interface BlockCache {
  /**
   * @param position part of the cache key: where the same block is rendered differently
   * @returns the rendered block, or a marker that `replaceMarkers` replaces by its HTML
   */
  render(
    block: StoredBlock,
    context: RenderContext,
    position: string,
    view: (context: RenderContext) => ReactNode,
  ): ReactNode
  /** Replaces the markers in the rendered document by the HTML of their blocks. */
  replaceMarkers(html: string): string
}

/** The blocks of a section, in the language in which it is shown. */
export interface SectionContent {
  locale: Locale
  body: readonly StoredBlock[]
}

/** The state of the contact form of a page, or in `form` of another form: empty, invalid, to be confirmed, or sent. */
export interface ContactState {
  values: Partial<Record<ContactField, string>>
  errors: Partial<Record<ContactField, string>>
  /** Shown above the form for a failure that belongs to no field. */
  failure?: { title: string; text: string } | undefined
  confirmation?: Confirmation | undefined
  spamQuestion?: SpamQuestion | undefined
  /** The state of a form of the configuration. */
  form?: FormState | undefined
  /** Only on the search page: its query string, without `?`. */
  query?: string | undefined
}

/** The state of a form of the configuration: invalid, to be confirmed, or sent. */
export interface FormState {
  id: string
  /** The form that was submitted; the configuration may no longer have it. */
  definition?: PublicForm | undefined
  /** By field; more than one value only for a field of several options. */
  values: Record<string, readonly string[]>
  errors: Record<string, string>
  failure?: { title: string; text: string } | undefined
  confirmation?: Confirmation | undefined
  spamQuestion?: SpamQuestion | undefined
}

/** A sum that the sender of a suspected message must solve after sending it. */
export interface SpamQuestion {
  /** The URL that the answer is posted to. */
  action: string
  attempt: number
  /** The two numbers to add. */
  addends: [first: number, second: number]
  /** Why the previous answer was refused. */
  problem: string | undefined
}

/** The confirmation that a visitor reads after sending. */
export interface Confirmation {
  /** The reference number as it is shown. */
  reference: string
  /** The URL of the calendar file of a proposed appointment. */
  calendar?: string | undefined
}

/** The stylesheet parts besides `site.css`, in cascade order: files of `site/styles/`. */
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
  'enlarged',
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

/** The groups of the editor's block picker, in display order. */
export const blockGroups = ['opening', 'text', 'proof', 'offer', 'lists', 'contact', 'saved', 'site'] as const
export type BlockGroup = (typeof blockGroups)[number]

/** A label in each language of the admin. */
type Label = Record<AdminLocale, string>

export const labelFrom = (getText: (locale: AdminLocale) => string): Label => ({
  nl: getText('nl'),
  fa: getText('fa'),
  en: getText('en'),
})

/** The labels of a block and its fields. */
interface Labels<Shape> {
  name: Label
  /** One sentence in the block picker: what the block shows. */
  hint: Label
  /** Further words by which the block picker finds the block, separated by spaces. */
  keywords?: Partial<Label>
  fields: { [K in keyof Shape]: Label }
  /** Labels of nested fields, by path: `items.title`. */
  nestedFields?: Record<string, Label>
  /** Labels of choices, by path and value: `menuType.desktop`; `menu.` is the empty choice. */
  choices?: Record<string, Label>
}

function labelsIn<Shape>({ name, hint, keywords, fields, nestedFields, choices }: Labels<Shape>, locale: AdminLocale) {
  const localizeLabels = (labels: Record<string, Label>): Record<string, string> =>
    Object.fromEntries(Object.entries(labels).map(([path, label]) => [path, label[locale]]))
  return {
    name: name[locale],
    hint: hint[locale],
    keywords: keywords?.[locale] ?? '',
    fields: localizeLabels(fields) as { [K in keyof Shape]: string },
    nestedFields: localizeLabels(nestedFields ?? {}),
    choices: localizeLabels(choices ?? {}),
  }
}

/**
 * Defines a block. The common fields `type`, `id`, `showIf` and `style` are added to `fields`. `View` is a plain
 * function and not a component: it has no state, and a call is cheaper than an element.
 */
export function defineBlock<const Type extends string, Shape extends z.core.$ZodLooseShape>(definition: {
  type: Type
  /**
   * Blocks of `site` are offered only for the header and footer, and those of `saved` are sections; neither is offered
   * for pages.
   */
  group: BlockGroup
  /** Whether the block is a full-width section, which has its own margins. */
  fullWidth?: boolean
  /** The default side of an image beside the text of the block; its style can choose the other side. */
  imageSide?: 'start' | 'end'
  /** The part of the configuration that the block shows besides its own fields. */
  settings?: 'offer' | 'contact' | 'forms'
  /** The stylesheet parts that the block needs; omitted: `prose`. */
  stylesheets?: readonly Stylesheet[]
  fields: Shape
  labels: Labels<Shape>
  defaults: Record<AdminLocale, z.input<z.ZodObject<Shape, z.core.$strict>>>
  /** Paths of `defaults` that are sample text, without list indexes: `items.answer`. Publishing them warns. */
  sampleTextPaths?: readonly string[]
  View: (
    block: z.output<z.ZodObject<Shape, z.core.$strict>> & { type: Type; style?: BlockStyle | undefined },
    context: RenderContext,
  ) => ReactNode
}) {
  // Cast so that all blocks have one type of style; the schema of a block without an image still refuses a side.
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

/** The form control of a schema; for a schema that is not registered, `fields.ts` derives it from the type. */
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
/** HTML, sanitized to the tags of `clean-html.ts`. The limit applies to the result too: it can be saved again. */
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

/** The `src` of an image that shows the configured logo. */
export const logoPlaceholder = '[logo]'
/** The URL of an image, or `logoPlaceholder`. */
export const imageOrLogo = z.union([z.literal(logoPlaceholder), imageUrl]).register(fieldKinds, { kind: 'imageOrLogo' })

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

/** An email address, or an empty text. */
export const optionalEmail = z
  .union([z.literal(''), z.email().max(254)], 'email')
  .default('')
  .register(fieldKinds, { kind: 'email' })

export const button = z.strictObject({ title: shortText, url: linkUrl })
