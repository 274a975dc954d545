import type { ReactNode } from 'react'
import { z } from 'zod'
import type { ContactField } from '../contract/contact.ts'
import type { Placeholders } from '../contract/fill-text.ts'
import type { Locale } from '../contract/locales.ts'
import type { Picture } from '../contract/pictures.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import { linkUrl, pictureUrl } from '../contract/url.ts'
import type { Translate } from '../i18n/translate.ts'
import { cleanHtml } from './clean-html.ts'

/** What a block may look at beside its own values. It is the same for every block of a page, and is never changed. */
export interface Scene {
  locale: Locale
  /** The locale that the content was found in; another than `locale` where a translation is missing. */
  contentLocale: Locale
  t: Translate
  site: SiteConfig
  /** Path of the page without its language prefix: `/`, `/disclaimer`. */
  path: string
  viewer: { name: string } | undefined
  /** In the language of the content, for they bring words. */
  placeholders: Placeholders
  placeholdersIn(locale: Locale): Placeholders
  /** Address of the brand's mark. */
  logoUrl: string
  contact: ContactState
  /** Uploads that stand on the page, by what is between `/files/` and the name in their address. */
  pictures: ReadonlyMap<string, Picture>
  /** How an editor draws the blocks that stand in a block; pages draw them as they draw all others. */
  drawInner?: ((list: readonly StoredBlock[]) => ReactNode) | undefined
}

/** The contact form as it stands: empty, sent back with what is wrong, or sent. */
export interface ContactState {
  values: Partial<Record<ContactField, string>>
  errors: Partial<Record<ContactField, string>>
  /** Said above the form when the whole of it failed. */
  failure?: { title: string; text: string } | undefined
  sent?: { title: string; text: string; reference: string } | undefined
}

/** The parts of the stylesheet that a page brings only when something on it is dressed by them. */
export const sheets = [
  'columns',
  'contact',
  'enter',
  'gallery',
  'hero',
  'lost',
  'offer',
  'picture',
  'preview',
  'prose',
  'questions',
  'services',
  'testimonial',
] as const
export type Sheet = (typeof sheets)[number]

/** Tells a block from the others of its page wherever it moves, so that the changes of two people can be joined. No page shows it. */
export const blockId = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,40}$/, 'At most 40 letters, digits and - are wanted')
  .optional()

/** Whom a block is shown to. */
export const showIf = z.enum(['always', 'logged-in', 'logged-out']).default('always')

/** The words for what every block has; its own fields are named in its own file. */
export const commonLabels: Record<
  Locale,
  { showIf: string; always: string; 'logged-in': string; 'logged-out': string }
> = {
  nl: { showIf: 'Tonen', always: 'Altijd', 'logged-in': 'Alleen ingelogd', 'logged-out': 'Alleen uitgelogd' },
  fa: { showIf: 'نمایش', always: 'همیشه', 'logged-in': 'فقط هنگام ورود', 'logged-out': 'فقط بدون ورود' },
}

/** What a block and its fields are called in one language. */
interface Labels<Shape> {
  name: string
  /** What tells it from another of a like name, to who chooses. */
  hint?: string
  fields: { [K in keyof Shape]: string }
  /** The fields in a list or a group, by their path: `items.title`. */
  parts?: Record<string, string>
  /** What can be chosen in a field, by its path: `menuType.desktop`. */
  choices?: Record<string, string>
}

/**
 * Makes a block from what is its own. Every block has `type`, `id` and `showIf`; `fields` are the rest. `View` is a plain
 * function and not a component: it has no state, and a call costs less than an element.
 */
export function defineBlock<const Type extends string, Shape extends z.core.$ZodLooseShape>(own: {
  type: Type
  /** Whether it is a section as wide as the page, which takes care of its own margins. */
  band?: boolean
  /** The parts of the stylesheet that dress it; without one it is dressed as text is. */
  sheets?: readonly Sheet[]
  fields: Shape
  labels: Record<Locale, Labels<Shape>>
  defaults: Record<Locale, z.input<z.ZodObject<Shape, z.core.$strict>>>
  /** What of `defaults` shows what belongs there and is not to be published, by its path: `items.answer`. */
  examples?: readonly string[]
  View: (block: z.output<z.ZodObject<Shape, z.core.$strict>> & { type: Type }, scene: Scene) => ReactNode
}) {
  return { ...own, schema: z.strictObject({ type: z.literal(own.type), id: blockId, showIf, ...own.fields }) }
}

/** Classes that an editor may put on a block; `styles/utilities.css` documents the ones that do something. */
export const className = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9 _-]*$/, 'Letters, digits, spaces, - and _ are wanted')
  .default('')

/** The `id` that a link like `/#prijzen` goes to. */
export const anchor = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]*$/, 'Small letters, digits and - are wanted')
  .default('')

export const shortText = z.string().max(300)
export const longText = z.string().max(5_000)
const richTextChars = 100_000
/** Html of the few tags that `clean-html.ts` lets through; it comes out clean, and no longer than it may be sent again. */
export const richText = z
  .string()
  .max(richTextChars)
  .transform((html, { issues }) => {
    const clean = cleanHtml(html)
    if (clean.length > richTextChars) {
      issues.push({ code: 'too_big', origin: 'string', maximum: richTextChars, inclusive: true, input: html })
    }
    return clean
  })

/** Stands for the brand's mark. */
export const logo = '[logo]'
/** The address of a picture, or the brand's mark with its name beside it. */
export const pictureOrLogo = z.union([z.literal(logo), pictureUrl])

export const button = z.strictObject({ title: shortText, url: linkUrl })
