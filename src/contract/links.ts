import { z } from 'zod'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'

const locale = languageTag

/** The text of a page, a section or the configuration that contains a link. */
const linkHolder = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('page'),
      id: z.int(),
      locale,
      title: z.string(),
      /** The text with the link; `draft`: the draft of the user. `live` also when the saved text is the same. */
      text: z.enum(['live', 'saved', 'draft']),
    }),
    z.object({ type: z.literal('section'), id: z.string(), locale, name: z.string() }),
    /** A part of the configuration, such as `menus` or `footer.bottom`. */
    z.object({ type: z.literal('configuration'), locale, name: z.string() }),
  ])
  .meta({ id: 'LinkHolder' })
export type LinkHolder = z.infer<typeof linkHolder>

export const linksQuery = z.strictObject({
  /** Only links to the page in this language; omitted: in all languages. */
  locale: locale.optional(),
})

/** Where a page is linked to. */
export const linksToPage = z
  .object({
    /** The first texts with a link to the page, each once; `total` counts all. */
    holders: z.array(linkHolder).max(limits.linkHoldersShown),
    total: z.int().min(0),
    /** The number of other users' drafts with a link to the page. */
    otherDrafts: z.int().min(0),
  })
  .meta({ id: 'LinksToPage' })
export type LinksToPage = z.infer<typeof linksToPage>

/** Broken internal links: those to an address of this site without a page, file or redirect. */
export const deadLinks = z
  .object({
    /** Per address, the most linked first. */
    links: z.array(
      z.object({
        /** The path as in the address bar. */
        address: z.string(),
        holders: z.array(linkHolder).max(limits.linkHoldersShown),
        total: z.int().min(0),
      }),
    ),
    /** The number of broken addresses above the limit, which are not listed. */
    more: z.int().min(0),
    /** The number of distinct internal addresses that were checked. */
    checked: z.int().min(0),
  })
  .meta({ id: 'DeadLinks' })
export type DeadLinks = z.infer<typeof deadLinks>

export const externalLinksCheck = z
  .strictObject({
    /** The `next` of the previous response; empty: from the beginning. */
    after: z.string().max(limits.urlChars).default(''),
  })
  .meta({ id: 'ForeignLinksCheck' })

/** The result of checking one batch of the external links. */
export const externalLinks = z
  .object({
    /** The links that may be broken. */
    links: z.array(
      z.object({
        address: z.string(),
        /** `dead`: no page or site; `unclear`: an error or timeout; `refused`: a private address, not requested. */
        outcome: z.enum(['dead', 'unclear', 'refused']),
        /** The HTTP status of the response. */
        status: z.int().optional(),
        holders: z.array(linkHolder).max(limits.linkHoldersShown),
        total: z.int().min(0),
      }),
    ),
    /** The links checked now, those still to check, and the `after` of the next request; null: none is left. */
    checked: z.int().min(0),
    left: z.int().min(0),
    next: z.string().nullable(),
  })
  .meta({ id: 'ForeignLinks' })
export type ExternalLinks = z.infer<typeof externalLinks>
