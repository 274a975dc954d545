import { z } from 'zod'
import type { EntryValues } from './collections.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, idParameter, listQuery, rowId, rowIdText } from './list.ts'
import { pageLock } from './locks.ts'
import { pageBody } from './page-body.ts'
import { entryFieldId, type StoredBlock } from './site-config.ts'
import { pageSlug as slug } from './slug.ts'
import { multiLine, optionalLine, optionalMultiLine, pageTitle } from './text.ts'

const locale = languageTag
const collectionId = z.string().regex(entryFieldId)

/** The values of an entry by field id. The domain validates each by the type of its field in the collection. */
const entryValues: z.ZodType<EntryValues> = z
  .record(
    z.string().regex(entryFieldId, 'unknownField'),
    z.union([z.string().max(limits.entryBytes, 'pageTooLarge'), z.number()], 'value'),
  )
  .refine((values) => new TextEncoder().encode(JSON.stringify(values)).length <= limits.entryBytes, 'pageTooLarge')

/** The values of an entry in a draft, possibly invalid. */
const draftValues = z.record(z.string().max(40), z.union([z.string().max(limits.entryBytes), z.number()]))
export const instant = z.iso.datetime()

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
    /** The values of an entry; absent for other pages. */
    fields: entryValues.optional(),
  })
export type PageText = z.infer<ReturnType<typeof pageTextSchema<z.ZodType<StoredBlock>>>>

/** The text of a draft: incomplete or invalid values are accepted, so that nothing is lost. */
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

/** `changed`: published, but the saved text differs from the live one. */
const pageStates = ['unpublished', 'published', 'changed'] as const
export type PageState = (typeof pageStates)[number]

/** An author, with the name at that time. `id` is null for the system; that of a deleted user stays. */
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
  /** Whether the text in the main language was saved later, so that this translation may be outdated. */
  isOlder: z.boolean(),
})

export const listedPage = z
  .object({
    id: z.int(),
    /**
     * Home, privacy statement and disclaimer: their slug is fixed, and they cannot be deleted, nor unpublished in the
     * main language or that at the root.
     */
    fixed: z.boolean(),
    /** The id of the collection of an entry; null for other pages. */
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

/** A language with the number of its pages. */
export const pageLanguage = z.object({ locale, pages: z.int() })
export type PageLanguage = z.infer<typeof pageLanguage>
export const pageLanguages = z.object({ data: z.array(pageLanguage) }).meta({ id: 'PageLanguages' })

/** One page, with the links to it in the header, the footer and the menus. */
export const pageWithLinks = listedPage
  .extend({
    /** The titles of these links. */
    linkTitles: z.array(z.string()),
    /** The languages whose menus have an item of the page, which unpublishing or deleting the page can remove. */
    inMenus: z.array(locale),
  })
  .meta({ id: 'PageWithLinks' })
/** Whether to remove the page from the menus too, which requires the right to change the settings. */
export const menuRemovalQuery = z.strictObject({ fromMenu: z.enum(['true', 'false']).optional() })
export const deletePageQuery = menuRemovalQuery.extend({
  /** Whether the addresses of the page respond with 410 (Gone) from now on, instead of 404. */
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
    /** The collection of a new entry. */
    collection: collectionId.optional(),
    /** Omitted: an empty page. */
    template: z.enum(pageTemplates).optional(),
    /** Omitted: derived from the title, with a number appended when it is taken. */
    slug: slug.optional(),
  })
  .meta({ id: 'NewPage' })
export type NewPage = z.infer<typeof newPage>

/** The latest offer of a text for review. */
const pageReview = z
  .object({
    /** Increases with every offer; a decision sends the number of the offer that it decides. */
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
    /** The earlier offers, by other writers, that this one continues; the oldest first. */
    earlier: z.array(
      z.object({
        number: z.int(),
        note: z.string(),
        offeredAt: instant,
        offeredBy: author,
        /** Whether this offer was taken over; otherwise its author remains an author of the latest offer. */
        takenOver: z.boolean(),
      }),
    ),
    can: z.object({ withdraw: z.boolean() }),
  })
  .meta({ id: 'PageReview' })
export type PageReview = z.infer<typeof pageReview>

/** Offers a text for review. `version`: the version that the client has loaded. */
export const reviewOffer = z
  .strictObject({
    version: counter.min(1),
    note: optionalMultiLine(limits.reviewNoteChars),
    /** Required while an offer of another writer waits. After an `addition` that writer remains an author. */
    continues: z.strictObject({ number: counter.min(1), as: z.enum(['addition', 'takeover']) }).optional(),
  })
  .meta({ id: 'ReviewOffer' })
export type ReviewOffer = z.infer<typeof reviewOffer>
export const reviewNumber = z.strictObject({ number: counter.min(1) }).meta({ id: 'ReviewNumber' })
export const returnedReview = z
  .strictObject({ number: counter.min(1), note: multiLine(limits.reviewNoteChars) })
  .meta({ id: 'ReturnedReview' })
export type ReturnedReview = z.infer<typeof returnedReview>

/** A page in one language, as the editor loads it. */
export const pageInLocale = z
  .object({
    id: z.int(),
    locale,
    fixed: z.boolean(),
    /** The id of the collection of an entry; null for other pages. */
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
    /** Increases with every change or deletion of that draft; the next `PUT …/draft` must send it. */
    draftRevision: z.int(),
    review: pageReview.nullable(),
    deletedAt: instant.nullable(),
    /** For the page and for its blocks: the roles that may change only texts and images. */
    locks: z.array(pageLock),
    can: z.object({
      change: z.boolean(),
      publish: z.boolean(),
      /** Immediately or by a schedule. */
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
    /** The value in the base version, the actor's value and the stored one; null for a block that is not there. */
    base: z.unknown(),
    mine: z.unknown(),
    theirs: z.unknown(),
  })
  .meta({ id: 'PageConflict' })
export type Conflict = z.infer<typeof conflict>

const stateBeforeSave = {
  /** The version that the save created. When the page has another version, somebody else saved meanwhile. */
  version: counter.min(1),
  /** The previous revision, which undoing restores. */
  revision: rowId,
  /** Present when the save also published: what visitors saw before. Undoing then requires the right to publish. */
  visitors: z
    .strictObject({
      /** The previous live revision, and its date as shown on the page; null: the page was not published. */
      live: z.strictObject({ revision: rowId, date: z.iso.date() }).nullable(),
      /** The schedule that publishing cancelled; it is restored when its time is still in the future. */
      planned: z.strictObject({ revision: rowId, at: instant }).nullable(),
    })
    .optional(),
}
/** The state before a save, which the client sends to undo the save. */
export const undoState = z.strictObject(stateBeforeSave).meta({ id: 'SaveToUndo' })
export type UndoState = z.infer<typeof undoState>
/** `undoState` in the response to a save. Null: no text before, nothing changed, or undoing is not allowed. */
const undo = z.object(stateBeforeSave).nullable()
export const restoredText = pageInLocale.extend({ undo }).meta({ id: 'RestoredText' })
export type RestoredText = z.infer<typeof restoredText>

/** The time of the schedule that publishing now cancelled. */
const droppedPlan = instant.nullable()
export const publishedPage = pageInLocale.extend({ droppedPlan }).meta({ id: 'PublishedPage' })
export type PublishedPage = z.infer<typeof publishedPage>

/** A saved page. `merged`: who saved changes meanwhile, which were merged in, and when. */
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
  /** Both changes merged, with the actor's value where they conflict. */
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
     * The revision of the draft that this save deletes. A draft at another revision stays, because another tab wrote
     * it. Omitted: any revision.
     */
    draftRevision: counter.optional(),
  })

export type ChangedPage = z.infer<ReturnType<typeof changedPageSchema<z.ZodType<StoredBlock>>>>

export const pageVersion = z.strictObject({ version: counter.min(1) }).meta({ id: 'PageVersion' })
/** A page restored from the trash; it is published as before if the actor may publish. */
export const restoredPage = listedPage
  .extend({
    /** The languages in which another page had taken the slug, so that a number was appended to this one. */
    renamed: z.array(z.object({ locale, from: z.string(), to: z.string() })),
    /** The languages whose schedule was not restored: it has passed, the slug is taken, or the actor may not publish. */
    unplanned: z.array(locale),
  })
  .meta({ id: 'RestoredPage' })
export type RestoredPage = z.infer<typeof restoredPage>

/** The new schedule, for the currently saved text; null: no such moment. */
export const pageSchedule = z
  .strictObject({ version: counter.min(1), publishAt: instant.nullable(), unpublishAt: instant.nullable() })
  .meta({ id: 'PageSchedule' })
export type PageSchedule = z.infer<typeof pageSchedule>

export const revisionQuery = listQuery(['at']).extend({
  /** The id of a revision: lists the individual saves of its group. Omitted: lists groups. */
  line: rowIdText.optional(),
})
export type RevisionQuery = z.infer<typeof revisionQuery>

/** As in `/pages/12/nl`. */
export const pageParameters = z.object({ id: idParameter.shape.id, locale })
export type PageParameters = z.infer<typeof pageParameters>
export const revisionParameters = pageParameters.extend({ revision: idParameter.shape.id })

/** Consecutive saves of one user without a long pause. */
export const revisionGroup = z
  .object({
    /** The last revision of the group. */
    id: z.int(),
    /** The revision before the group; null for the oldest group. */
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
  /** The collection of a new entry, whose slug becomes the prefix of the suggested one. */
  collection: collectionId.optional(),
  /** The page that the slug is for: the page's current slug does not count as taken. */
  id: rowIdText.optional(),
})
export type SlugQuery = z.infer<typeof slugQuery>
export const suggestedSlug = z.object({ slug: z.string() }).meta({ id: 'SuggestedSlug' })
