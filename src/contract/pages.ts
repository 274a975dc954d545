import { z } from 'zod'
import type { EntryValues } from './collections.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, idParameter, listQuery, rowId, rowIdText } from './list.ts'
import { pageLock } from './locks.ts'
import { pageBody } from './page-body.ts'
import { entryFieldId, type StoredBlock } from './site-config.ts'
import { pageSlug as slug } from './slug.ts'
import { multiLine, optionalMultiLine, pageTitle, singleLine } from './text.ts'

const locale = languageTag
const collectionId = z.string().regex(entryFieldId)

/** The values of an entry; what fits a field is known by its collection. */
const entryValues: z.ZodType<EntryValues> = z
  .record(
    z.string().regex(entryFieldId, 'unknownField'),
    z.union([z.string().max(limits.entryBytes, 'pageTooLarge'), z.number()], 'value'),
  )
  .refine((values) => new TextEncoder().encode(JSON.stringify(values)).length <= limits.entryBytes, 'pageTooLarge')

/** Values while they are written. */
const draftValues = z.record(z.string().max(40), z.union([z.string().max(limits.entryBytes), z.number()]))
export const instant = z.iso.datetime()
const optionalLine = (max: number) => z.union([z.literal(''), singleLine(max)]).meta({ maxLength: max })

/** A block as sent: `type` selects its schema in the registry, which validates the rest. */
export const storedBlock = z.looseObject({ type: z.string() })

/** The text of a page in one language. The block schema is a parameter, because blocks are defined in a higher layer. */
const pageTextSchema = <B extends z.ZodType>(block: B) =>
  z.strictObject({
    title: pageTitle,
    /** Path without its first slash; empty for the home page. */
    slug,
    /** The title for search engines and tabs; empty: the page title. */
    seoTitle: optionalLine(limits.pageTitleChars),
    /** The description for search engines and link previews; empty: the site's. */
    description: optionalLine(limits.pageDescriptionChars),
    /** The image for link previews, as an upload's URL; empty: the site's. */
    picture: z.union([
      z.literal(''),
      z
        .string()
        .regex(/^\/files\/[\w-]+\/[^\s]+$/, 'value')
        .max(500),
    ]),
    /** Excluded from search engines and the sitemap. */
    noindex: z.boolean(),
    body: pageBody(block),
    /** Of an entry of a collection. */
    fields: entryValues.optional(),
  })
export type PageText = z.infer<ReturnType<typeof pageTextSchema<z.ZodType<StoredBlock>>>>

/** A text while it is written: incomplete or invalid values are accepted, so that a draft loses nothing. */
export const draftText = z.strictObject({
  title: z.string().max(1_000),
  slug: z.string().max(1_000),
  seoTitle: z.string().max(1_000),
  description: z.string().max(2_000),
  picture: z.string().max(2_000),
  noindex: z.boolean(),
  body: z.array(storedBlock).max(limits.draftBlocks),
  fields: draftValues.optional(),
})
export type DraftText = z.infer<typeof draftText>

/** `changed`: the saved text differs from the live one. */
const pageStates = ['unpublished', 'published', 'changed'] as const
export type PageState = (typeof pageStates)[number]

/** An author, by the name at that time. */
export const author = z.object({ id: z.int().nullable(), name: z.string() })

/** Why visitors cannot reach the text: the site no longer has its collection or language. Null: they can. */
const hiddenBy = z.enum(['collection', 'language']).nullable()

const inOneLocale = z.object({
  title: z.string(),
  slug: z.string(),
  /** The live path as in the address bar; null: not published. */
  path: z.string().nullable(),
  state: z.enum(pageStates),
  hiddenBy,
  /** When the schedule publishes it. */
  publishAt: instant.nullable(),
  unpublishAt: instant.nullable(),
  savedAt: instant,
  savedBy: author,
  /** Whether the text in the main language, from which the others are translated, was saved after this one. */
  isOlder: z.boolean(),
})

export const listedPage = z
  .object({
    id: z.int(),
    /**
     * Home, privacy statement and disclaimer: their slug is fixed, and they cannot be deleted, nor unpublished in the main
     * language or that at the root.
     */
    fixed: z.boolean(),
    /** The id of the collection that it is an entry of. */
    collection: z.string().nullable(),
    /** Null: there is no text in that language yet. */
    nl: inOneLocale.nullable(),
    fa: inOneLocale.nullable(),
    /** The texts in all languages, also in those that the site does not have now. */
    texts: z.record(languageTag, inOneLocale),
    /** The languages in which the actor has a draft. */
    drafts: z.array(locale),
    /** The languages in which a text waits for review. */
    reviews: z.array(locale),
    /** When the page was moved to the trash. */
    deletedAt: instant.nullable(),
    createdAt: instant,
    /** The time of the last save in any language. */
    updatedAt: instant,
    updatedBy: author,
    can: z.object({ change: z.boolean(), publish: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'ListedPage' })
export type ListedPage = z.infer<typeof listedPage>

/** A language in which there are pages, and their number. */
export const pageLanguage = z.object({ locale, pages: z.int() })
export type PageLanguage = z.infer<typeof pageLanguage>
export const pageLanguages = z.object({ data: z.array(pageLanguage) }).meta({ id: 'PageLanguages' })

/** One page, with the links to it around every page. */
export const pageWithLinks = listedPage
  .extend({
    /** The titles of the links to its address in the header, the footer and the menu. */
    linkTitles: z.array(z.string()),
    /** The languages whose menus have an item of the page, which can be removed when the page is taken off. */
    inMenus: z.array(locale),
  })
  .meta({ id: 'PageWithLinks' })
/** Whether to remove the page from the menus too, which requires the right to change the settings. */
export const menuRemovalQuery = z.strictObject({ fromMenu: z.enum(['true', 'false']).optional() })
export const deletePageQuery = menuRemovalQuery.extend({
  /** Whether its addresses answer that it is gone for good (410), instead of 404. */
  gone: z.enum(['true', 'false']).optional(),
})
export type PageWithLinks = z.infer<typeof pageWithLinks>

/** `published` includes `changed`. `draft`: the actor has a draft. `review`: a text waits for review. */
export const pageStatuses = ['published', 'unpublished', 'changed', 'planned', 'draft', 'review'] as const
export const pageSorts = ['updatedAt', 'title'] as const
export const pageQuery = listQuery(pageSorts).extend({
  status: z.enum(pageStatuses).optional(),
  /** Only pages with a text in this language; `status` then applies to that language. */
  locale: locale.optional(),
  /** Only entries of this collection; empty: only pages that are no entries. */
  collection: collectionId.or(z.literal('')).optional(),
  /** Only pages in the trash. */
  bin: z.enum(['true', 'false']).optional(),
})
export type PageQuery = z.infer<typeof pageQuery>

/** The templates of a new page: blocks with texts to adapt. */
export const pageTemplates = ['about', 'service', 'project', 'landing', 'contact', 'faq'] as const
export type PageTemplate = (typeof pageTemplates)[number]

export const newPage = z
  .strictObject({
    locale,
    title: pageTitle,
    /** The collection that it becomes an entry of. */
    collection: collectionId.optional(),
    /** Omitted: an empty page. */
    template: z.enum(pageTemplates).optional(),
    /** Omitted: made from the title, with a number appended when it is taken. */
    slug: slug.optional(),
  })
  .meta({ id: 'NewPage' })
export type NewPage = z.infer<typeof newPage>

/** The last time that a text was offered for review. */
const pageReview = z
  .object({
    /** Increases with every offer; a decision names the one that it is about. */
    number: z.int(),
    state: z.enum(['waiting', 'returned', 'published', 'withdrawn']),
    /** The offered version, and its revision. Later saves are not part of the offer. */
    version: z.int(),
    revision: z.int(),
    /** The revision that is live, to compare with. */
    liveRevision: z.int().nullable(),
    note: z.string(),
    offeredAt: instant,
    offeredBy: author,
    /** The reviewer's note, when the text was sent back. */
    answer: z.string().nullable(),
    endedAt: instant.nullable(),
    endedBy: author.nullable(),
    /** The offers by other writers that this one continues, the oldest first. */
    earlier: z.array(
      z.object({
        number: z.int(),
        note: z.string(),
        offeredAt: instant,
        offeredBy: author,
        /** False: its author is still an author of the offer. */
        takenOver: z.boolean(),
      }),
    ),
    can: z.object({ withdraw: z.boolean() }),
  })
  .meta({ id: 'PageReview' })
export type PageReview = z.infer<typeof pageReview>

/** `version`: the one that the client has loaded, which is offered. */
export const reviewOffer = z
  .strictObject({
    version: counter.min(1),
    note: optionalMultiLine(limits.reviewNoteChars),
    /** Needed while the offer of another writer waits: which, and whether its author remains an author of the offer. */
    continues: z.strictObject({ number: counter.min(1), as: z.enum(['addition', 'takeover']) }).optional(),
  })
  .meta({ id: 'ReviewOffer' })
export type ReviewOffer = z.infer<typeof reviewOffer>
export const reviewNumber = z.strictObject({ number: counter.min(1) }).meta({ id: 'ReviewNumber' })
export const returnedReview = z
  .strictObject({ number: counter.min(1), note: multiLine(limits.reviewNoteChars) })
  .meta({ id: 'ReturnedReview' })
export type ReturnedReview = z.infer<typeof returnedReview>

/** A page for editing in one language. */
export const pageInLocale = z
  .object({
    id: z.int(),
    locale,
    fixed: z.boolean(),
    /** The id of the collection that it is an entry of. */
    collection: z.string().nullable(),
    /** The number of saves in this language; 0: there is no text yet, and `text` is the initial one. */
    version: z.int(),
    /** The last saved text. */
    text: draftText,
    state: z.enum(pageStates),
    hiddenBy,
    /** The live path as in the address bar. */
    path: z.string().nullable(),
    publishedAt: instant.nullable(),
    publishAt: instant.nullable(),
    /** The version that will be published: the one saved when the schedule was set. */
    plannedVersion: z.int().nullable(),
    unpublishAt: instant.nullable(),
    savedAt: instant.nullable(),
    savedBy: author.nullable(),
    /** The actor's own draft. */
    draft: z.object({ savedAt: instant, baseVersion: z.int() }).nullable(),
    /** Increases with every change of that draft, including its end: the next `PUT …/draft` must send it. */
    draftRevision: z.int(),
    review: pageReview.nullable(),
    deletedAt: instant.nullable(),
    /** Which roles may change only texts and images, of the page and of its blocks. */
    locks: z.array(pageLock),
    can: z.object({
      change: z.boolean(),
      publish: z.boolean(),
      /** At once or by a schedule. */
      unpublish: z.boolean(),
      delete: z.boolean(),
      lock: z.boolean(),
    }),
  })
  .meta({ id: 'PageInLocale' })
export type PageInLocale = z.infer<typeof pageInLocale>

/** A value that two users changed differently since their common base version. */
const conflict = z
  .object({
    /** A field name (`title`), or `body` for the order of the blocks. */
    field: z.string(),
    /** The `id` of the block, when the conflict is in one. */
    block: z.string().nullable(),
    /** The original value, the actor's and the stored one. Null: there is none (a deleted block). */
    base: z.unknown(),
    mine: z.unknown(),
    theirs: z.unknown(),
  })
  .meta({ id: 'PageConflict' })
export type Conflict = z.infer<typeof conflict>

const beforeSave = {
  /** The saved version; another version was saved by somebody else. */
  version: counter.min(1),
  /** The revision that was saved before. */
  revision: rowId,
  /** Present when the save was published too: the previous live text. Undoing it requires the right to publish. */
  visitors: z
    .strictObject({
      /** The revision, and its date as shown on the page; null: the page was not published. */
      live: z.strictObject({ revision: rowId, date: z.iso.date() }).nullable(),
      /** The schedule that publishing dropped; it is restored when its time is still in the future. */
      planned: z.strictObject({ revision: rowId, at: instant }).nullable(),
    })
    .optional(),
}
/** The state before a save, which the client sends to undo it. */
export const undoState = z.strictObject(beforeSave).meta({ id: 'SaveToUndo' })
export type UndoState = z.infer<typeof undoState>
/** The state for undoing the save, in its response. Null: nothing was before, nothing changed, or undoing is not allowed. */
const undo = z.object(beforeSave).nullable()
export const restoredText = pageInLocale.extend({ undo }).meta({ id: 'RestoredText' })
export type RestoredText = z.infer<typeof restoredText>

/** The time of the schedule that was dropped by publishing now. */
const droppedPlan = instant.nullable()
export const publishedPage = pageInLocale.extend({ droppedPlan }).meta({ id: 'PublishedPage' })
export type PublishedPage = z.infer<typeof publishedPage>

/** A saved page. `merged` is present when changes that somebody else saved meanwhile were merged in. */
export const savedPage = pageInLocale
  .extend({
    merged: z.object({ by: z.string(), at: instant }).optional(),
    undo,
    droppedPlan,
  })
  .meta({ id: 'SavedPage' })
export type SavedPage = z.infer<typeof savedPage>

/** The stored state, in `current` of a 409. */
const stalePage = z.object({
  page: pageInLocale,
  conflicts: z.array(conflict),
  /** Both changes merged, with the actor's version at conflicts. */
  merged: draftText,
})
export type StalePage = z.infer<typeof stalePage>

/** The text to save is validated by the registry; see `pageTextSchema`. */
export const changedPageSchema = <B extends z.ZodType>(block: B) =>
  z.strictObject({
    text: pageTextSchema(block),
    /** The version on which the change is based. */
    version: counter,
    /** Also publishes the text, which requires the right to publish. */
    publish: z.boolean().default(false),
    /**
     * The draft that ends with this save. A draft at another revision stays, because another tab wrote it. Omitted: any
     * revision.
     */
    draftRevision: counter.optional(),
  })

export type ChangedPage = z.infer<ReturnType<typeof changedPageSchema<z.ZodType<StoredBlock>>>>

export const pageVersion = z.strictObject({ version: counter.min(1) }).meta({ id: 'PageVersion' })
/** A page restored from the trash; it is published as before if the actor may publish. */
export const restoredPage = listedPage
  .extend({
    /** The languages in which another page had taken the slug, so that this one got a number appended. */
    renamed: z.array(z.object({ locale, from: z.string(), to: z.string() })),
    /**
     * The languages whose schedule was not restored: its time has passed, its slug is taken, or the actor may not
     * publish.
     */
    unplanned: z.array(locale),
  })
  .meta({ id: 'RestoredPage' })
export type RestoredPage = z.infer<typeof restoredPage>

/** `null`: no schedule. The currently saved text will be published. */
export const pageSchedule = z
  .strictObject({ version: counter.min(1), publishAt: instant.nullable(), unpublishAt: instant.nullable() })
  .meta({ id: 'PageSchedule' })
export type PageSchedule = z.infer<typeof pageSchedule>

export const revisionQuery = listQuery(['at']).extend({
  /** A revision: lists the saves of its group one by one. */
  line: rowIdText.optional(),
})
export type RevisionQuery = z.infer<typeof revisionQuery>

/** `/pages/12/nl` */
export const pageParameters = z.object({ id: idParameter.shape.id, locale })
export type PageParameters = z.infer<typeof pageParameters>
export const revisionParameters = pageParameters.extend({ revision: idParameter.shape.id })

/** Consecutive saves of one user without a long pause. */
export const revisionGroup = z
  .object({
    /** The last revision of the group. */
    id: z.int(),
    /** The revision before the group; null at the beginning. */
    before: z.int().nullable(),
    from: instant,
    until: instant,
    by: author,
    saves: z.int(),
    /** The group contains the saved text. */
    current: z.boolean(),
    /** The group contains the live text. */
    live: z.boolean(),
    /** The group contains a text that was published at some time. */
    published: z.boolean(),
    /** The restored revision, when an older text was restored. */
    restoredFrom: z.int().nullable(),
  })
  .meta({ id: 'RevisionGroup' })
export type RevisionGroup = z.infer<typeof revisionGroup>

/** One save with its text. */
export const revision = revisionGroup.extend({ at: instant, text: draftText }).meta({ id: 'Revision' })
export type Revision = z.infer<typeof revision>

export const slugQuery = z.strictObject({
  title: z.string().max(1_000),
  locale,
  /** The collection of a new entry, whose address precedes the slug. */
  collection: collectionId.optional(),
  /** The page that the slug is for; its own slug does not count as taken. */
  id: rowIdText.optional(),
})
export type SlugQuery = z.infer<typeof slugQuery>
export const suggestedSlug = z.object({ slug: z.string() }).meta({ id: 'SuggestedSlug' })
