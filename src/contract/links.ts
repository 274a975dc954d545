import { z } from 'zod'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'

const locale = languageTag

/** A text that contains a link: of a page, of a section or of the configuration. */
const linkHolder = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('page'),
      id: z.int(),
      locale,
      title: z.string(),
      /** The text with the link; `draft`: the user's own. A text that is saved and published alike is `live`. */
      text: z.enum(['live', 'saved', 'draft']),
    }),
    z.object({ type: z.literal('section'), id: z.string(), locale, name: z.string() }),
    /** A part of the configuration, such as `menus` or `footer.bottom`. */
    z.object({ type: z.literal('configuration'), locale, name: z.string() }),
  ])
  .meta({ id: 'LinkHolder' })
export type LinkHolder = z.infer<typeof linkHolder>

export const linksQuery = z.strictObject({
  /** Only the addresses of the page in this language; without it in all. */
  locale: locale.optional(),
})

/** The links to a page by its address. */
export const linksToPage = z
  .object({
    /** The first texts with a link to the page, each once. */
    holders: z.array(linkHolder).max(limits.linkHoldersShown),
    total: z.int().min(0),
    /** How many drafts of other users link to it. */
    otherDrafts: z.int().min(0),
  })
  .meta({ id: 'LinksToPage' })
export type LinksToPage = z.infer<typeof linksToPage>

/** Links to addresses of this site that lead nowhere. */
export const deadLinks = z
  .object({
    /** By address, those with the most links first. */
    links: z.array(
      z.object({
        /** As in the address bar. */
        address: z.string(),
        holders: z.array(linkHolder).max(limits.linkHoldersShown),
        total: z.int().min(0),
      }),
    ),
    /** Dead addresses that are not listed, because there are too many. */
    more: z.int().min(0),
    /** Distinct addresses of this site that something links to. */
    checked: z.int().min(0),
  })
  .meta({ id: 'DeadLinks' })
export type DeadLinks = z.infer<typeof deadLinks>

export const foreignLinksCheck = z
  .strictObject({
    /** The `next` of the previous response; empty: from the beginning. */
    after: z.string().max(limits.urlChars).default(''),
  })
  .meta({ id: 'ForeignLinksCheck' })

/** Some of the links to other sites, checked now. */
export const foreignLinks = z
  .object({
    /** Those that are not known to be alive. */
    links: z.array(
      z.object({
        address: z.string(),
        /** `dead`: no page or no site; `unclear`: an error, or no answer in time; `refused`: a private address, not requested. */
        outcome: z.enum(['dead', 'unclear', 'refused']),
        /** The HTTP status of the response. */
        status: z.int().optional(),
        holders: z.array(linkHolder).max(limits.linkHoldersShown),
        total: z.int().min(0),
      }),
    ),
    /** How many were checked now, how many come after them, and from where to go on; null: these were the last. */
    checked: z.int().min(0),
    left: z.int().min(0),
    next: z.string().nullable(),
  })
  .meta({ id: 'ForeignLinks' })
export type ForeignLinks = z.infer<typeof foreignLinks>
