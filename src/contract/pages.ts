import { z } from 'zod'
import { boundedDraft } from './draft-bounds.ts'
import { limits } from './limits.ts'
import { counter, counterText, idParameter, listQuery, rowId, rowIdText } from './list.ts'
import { locales } from './locales.ts'
import { pageBody } from './page-body.ts'
import type { StoredBlock } from './site-config.ts'
import { pageSlug as slug } from './slug.ts'
import { line, pageTitle } from './text.ts'

const locale = z.enum(locales)
const instant = z.iso.datetime()
const optionalLine = (max: number) => z.union([z.literal(''), line(max)])

/** A block as it travels: its `type` says which one, the rest is its own. The registry judges it. */
const anyBlock = z.looseObject({ type: z.string() })

/** What a page says in one language; what a block is, the caller says, for the blocks live above this file. */
export const pageTextSchema = <B extends z.ZodType>(block: B) =>
  z.strictObject({
    title: pageTitle,
    /** Path without its first slash; empty for the home page. */
    slug,
    /** For search engines and tabs; empty: the title. */
    seoTitle: optionalLine(limits.pageTitleChars),
    /** For search engines and cards; empty: the one of the site. */
    description: optionalLine(limits.pageDescriptionChars),
    /** The address of an upload, for cards; empty: the one of the site. */
    picture: z.union([
      z.literal(''),
      z
        .string()
        .regex(/^\/files\/[\w-]+\/[^\s]+$/, 'value')
        .max(500),
    ]),
    /** Search engines leave it alone, and it stands in no sitemap. */
    noindex: z.boolean(),
    body: pageBody(block),
  })
export type PageText = z.infer<ReturnType<typeof pageTextSchema<z.ZodType<StoredBlock>>>>

/** The same while it is written: anything may still be missing or wrong, for a draft loses nothing. */
export const draftText = z.strictObject({
  title: z.string().max(1_000),
  slug: z.string().max(1_000),
  seoTitle: z.string().max(1_000),
  description: z.string().max(2_000),
  picture: z.string().max(2_000),
  noindex: z.boolean(),
  body: z.array(anyBlock).max(limits.draftBlocks),
})
export type DraftText = z.infer<typeof draftText>

/** `changed`: something else is saved than what visitors see. */
export const pageStates = ['unpublished', 'published', 'changed'] as const
export type PageState = (typeof pageStates)[number]

/** Someone, as they were called then. */
const someone = z.object({ id: z.int().nullable(), name: z.string() })

const inOneLocale = z.object({
  title: z.string(),
  slug: z.string(),
  /** What visitors have in their address bar; null: nothing is published. */
  path: z.string().nullable(),
  state: z.enum(pageStates),
  /** From then on what was planned is published. */
  publishAt: instant.nullable(),
  unpublishAt: instant.nullable(),
  savedAt: instant,
  savedBy: someone,
})

export const listedPage = z
  .object({
    id: z.int(),
    /** Home, privacy statement and disclaimer: they keep their address and are neither deleted nor unpublished in Dutch. */
    fixed: z.boolean(),
    /** Null: there is no text in that language yet. */
    nl: inOneLocale.nullable(),
    fa: inOneLocale.nullable(),
    /** The languages in which the one who asks has a draft. */
    drafts: z.array(locale),
    /** In the bin since then. */
    deletedAt: instant.nullable(),
    createdAt: instant,
    /** Of the last save in any language. */
    updatedAt: instant,
    updatedBy: someone,
    can: z.object({ change: z.boolean(), publish: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'ListedPage' })
export type ListedPage = z.infer<typeof listedPage>

/** `published` is what visitors see, `changed` ones among them. `draft`: there is a draft of the one who asks. */
export const pageStatuses = ['published', 'unpublished', 'changed', 'planned', 'draft'] as const
export const pageSorts = ['updatedAt', 'title'] as const
export const pageQuery = listQuery(pageSorts).extend({
  status: z.enum(pageStatuses).optional(),
  /** Only pages that have a text in this language; `status` then speaks of that one. */
  locale: locale.optional(),
  /** What lies in the bin, and nothing else. */
  bin: z.enum(['true', 'false']).optional(),
})
export type PageQuery = z.infer<typeof pageQuery>

export const newPage = z
  .strictObject({
    locale,
    title: pageTitle,
    /** Left out: made from the title, with a number behind it when it is taken. */
    slug: slug.optional(),
  })
  .meta({ id: 'NewPage' })
export type NewPage = z.infer<typeof newPage>

/** A page in one language, as it is edited. */
export const pageInLocale = z
  .object({
    id: z.int(),
    locale,
    fixed: z.boolean(),
    /** Counts the saves in this language; 0: there is no text yet, and `text` is what to begin with. */
    version: z.int(),
    /** As it was last saved. */
    text: draftText,
    state: z.enum(pageStates),
    /** What visitors have in their address bar. */
    path: z.string().nullable(),
    publishedAt: instant.nullable(),
    publishAt: instant.nullable(),
    /** The version that is published then: the one that was saved when it was planned. */
    plannedVersion: z.int().nullable(),
    unpublishAt: instant.nullable(),
    savedAt: instant.nullable(),
    savedBy: someone.nullable(),
    /** The draft of the one who asks. */
    draft: z.object({ number: z.int(), savedAt: instant, baseVersion: z.int() }).nullable(),
    deletedAt: instant.nullable(),
    can: z.object({ change: z.boolean(), publish: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'PageInLocale' })
export type PageInLocale = z.infer<typeof pageInLocale>

/** One thing that two people changed differently since the version that both began with. */
export const conflict = z
  .object({
    /** A field's name (`title`), or `body` for the order of the blocks. */
    field: z.string(),
    /** The block's `id`, when it is about one. */
    block: z.string().nullable(),
    /** Values as they were, as the one who saves has them, and as they stand now. Null: there is none (a deleted block). */
    base: z.unknown(),
    mine: z.unknown(),
    theirs: z.unknown(),
  })
  .meta({ id: 'PageConflict' })
export type Conflict = z.infer<typeof conflict>

const beforeSave = {
  /** What is saved since; another one by now is somebody else's. */
  version: counter.min(1),
  /** The revision that was saved before. */
  revision: rowId,
  /** There when the save was published too: what visitors saw before, which takes the right to publish. */
  visitors: z
    .strictObject({
      /** The revision, and the date of the text as it stood on the page; null: they saw nothing. */
      live: z.strictObject({ revision: rowId, date: z.iso.date() }).nullable(),
      /** The plan that publishing took the place of; it stands again when its time is still to come. */
      planned: z.strictObject({ revision: rowId, at: instant }).nullable(),
    })
    .optional(),
}
/** How things stood before a save: what the one who saved sends when it was a mistake. */
export const saveToUndo = z.strictObject(beforeSave).meta({ id: 'SaveToUndo' })
export type SaveToUndo = z.infer<typeof saveToUndo>
/** The same in the answer to the save. Null: there was nothing before, or nothing was changed. */
const undo = z.object(beforeSave).nullable()
export const restoredText = pageInLocale.extend({ undo }).meta({ id: 'RestoredText' })
export type RestoredText = z.infer<typeof restoredText>

/** When it was to be published by a plan, which is dropped because it was published now. */
const droppedPlan = instant.nullable()
export const publishedPage = pageInLocale.extend({ droppedPlan }).meta({ id: 'PublishedPage' })
export type PublishedPage = z.infer<typeof publishedPage>

/** A saved page. `merged` is there when somebody saved meanwhile, and both changes are in it now. */
export const savedPage = pageInLocale
  .extend({
    merged: z.object({ by: z.string(), at: instant }).optional(),
    undo,
    droppedPlan,
  })
  .meta({ id: 'SavedPage' })
export type SavedPage = z.infer<typeof savedPage>

/** What stands now, in `current` of a 409. */
export const stalePage = z.object({
  page: pageInLocale,
  conflicts: z.array(conflict),
  /** Both changes together, with mine where they collide. */
  merged: draftText,
})
export type StalePage = z.infer<typeof stalePage>

/** One tab of one browser, made up by it. */
const editor = z.string().regex(/^[A-Za-z0-9-]{8,40}$/)
const tab = {
  editor,
  /** The number of the last autosave that this tab sent: it, and those before it, change nothing when they come late. */
  number: counter,
  /** The stored draft that it knows (0: none): what another tab wrote after that stays. */
  knownNumber: counter.optional(),
}

/** The text to save is judged by the registry; see `pageTextSchema`. */
export const changedPageSchema = <B extends z.ZodType>(block: B) =>
  z.strictObject({
    text: pageTextSchema(block),
    /** The one that was begun with. */
    version: counter,
    /** Also shows it to visitors, which wants its own right. */
    publish: z.boolean().default(false),
    /** Who saves has no draft any more, but for what another of their tabs wrote meanwhile. */
    tab: z.strictObject(tab).optional(),
  })

export type ChangedPage = z.infer<ReturnType<typeof changedPageSchema<z.ZodType<StoredBlock>>>>

export const pageVersion = z.strictObject({ version: counter.min(1) }).meta({ id: 'PageVersion' })
/** A page out of the bin, published as it was where the one who asks may do that. */
export const restoredPage = listedPage
  .extend({
    /** Where another page took the address meanwhile, and this one got a number behind it. */
    renamed: z.array(z.object({ locale, from: z.string(), to: z.string() })),
    /** Where what was planned did not come back: its time went by, its address was taken, or it takes the right to publish. */
    unplanned: z.array(locale),
  })
  .meta({ id: 'RestoredPage' })
export type RestoredPage = z.infer<typeof restoredPage>

/** `null`: no such plan. What is saved now is what will be published. */
export const pagePlan = z
  .strictObject({ version: counter.min(1), publishAt: instant.nullable(), unpublishAt: instant.nullable() })
  .meta({ id: 'PagePlan' })
export type PagePlan = z.infer<typeof pagePlan>

export const draftToSave = z
  .strictObject({
    text: boundedDraft(draftText),
    editor,
    /** Counts the saves of this tab: a smaller one that comes later changes nothing. */
    number: counter.min(1),
    /** The saved version that the draft rests on. */
    baseVersion: counter,
    /** The stored draft that this tab knows (0: none). When another tab of the same person wrote since, both are merged. */
    knownNumber: counter,
  })
  .meta({ id: 'DraftToSave' })
export type DraftToSave = z.infer<typeof draftToSave>

/** `number` is the stored draft's own count, over all tabs. */
export const savedDraft = z
  .object({
    number: z.int(),
    savedAt: instant,
    /** There when another tab of the same person wrote since: both together, which is what is stored now. */
    merged: draftText.optional(),
  })
  .meta({ id: 'SavedDraft' })
export type SavedDraft = z.infer<typeof savedDraft>

/** Which tab throws the draft away, so that its late autosaves bring nothing back, and what it knows of it. */
export const draftEnd = z.strictObject({
  editor: editor.optional(),
  number: counterText.optional(),
  knownNumber: counterText.optional(),
})
export type DraftEnd = z.infer<typeof draftEnd>

export const draft = z
  .object({ text: draftText, number: z.int(), savedAt: instant, baseVersion: z.int() })
  .meta({ id: 'Draft' })
export type Draft = z.infer<typeof draft>

export const presenceSignal = z.strictObject({ editor }).meta({ id: 'PresenceSignal' })
/** The tab that is closed; without it all of one's own. */
export const presenceEnd = z.strictObject({ editor: editor.optional() })
export const presence = z
  .object({
    /** Who else has this page open in this language; one's own other tabs are not in it. */
    others: z.array(z.object({ id: z.int(), name: z.string(), since: instant })),
    /** What is saved now. */
    version: z.int(),
    savedAt: instant.nullable(),
    savedBy: someone.nullable(),
  })
  .meta({ id: 'Presence' })
export type Presence = z.infer<typeof presence>

export const revisionQuery = listQuery(['at']).extend({
  /** A revision: the saves that lie in its line, each as a line of its own. */
  line: rowIdText.optional(),
})
export type RevisionQuery = z.infer<typeof revisionQuery>

/** `/pages/12/nl` */
export const pageParameters = z.object({ id: idParameter.shape.id, locale })
export const revisionParameters = pageParameters.extend({ revision: idParameter.shape.id })

/** The saves of one person, one after the other without a long pause, are one line. */
export const revisionGroup = z
  .object({
    /** The last revision of the group. */
    id: z.int(),
    /** What stood before the group; null at the beginning. */
    before: z.int().nullable(),
    from: instant,
    until: instant,
    by: someone,
    saves: z.int(),
    /** What is saved now is in it. */
    current: z.boolean(),
    /** The one that visitors see now is in it. */
    live: z.boolean(),
    /** It was published at some time. */
    published: z.boolean(),
    /** When an older one was brought back: that one. */
    restoredFrom: z.int().nullable(),
  })
  .meta({ id: 'RevisionGroup' })
export type RevisionGroup = z.infer<typeof revisionGroup>

/** One save, with what it said. */
export const revision = revisionGroup.extend({ at: instant, text: draftText }).meta({ id: 'Revision' })
export type Revision = z.infer<typeof revision>

export const previewLink = z.object({ url: z.string(), endsAt: instant }).meta({ id: 'PreviewLink' })

export const slugQuery = z.strictObject({
  title: z.string().max(1_000),
  locale,
  /** The page that it is for: its own slug is not taken. */
  id: rowIdText.optional(),
})
export type SlugQuery = z.infer<typeof slugQuery>
export const suggestedSlug = z.object({ slug: z.string() }).meta({ id: 'SuggestedSlug' })

/** An old address that leads to a new one. Both are paths as in the address bar, with the prefix of their language. */
export const redirect = z
  .object({
    id: z.int(),
    from: z.string(),
    to: z.string(),
    /** It came by itself when a page got another address. */
    automatic: z.boolean(),
    version: z.int(),
    createdAt: instant,
    by: someone,
  })
  .meta({ id: 'Redirect' })
export type Redirect = z.infer<typeof redirect>
export const redirectSorts = ['createdAt', 'from'] as const
export const redirectQuery = listQuery(redirectSorts)
export type RedirectQuery = z.infer<typeof redirectQuery>
/** `to` may also be an address of the web (https). */
export const newRedirect = z
  .strictObject({ from: line(500), to: line(limits.redirectToChars) })
  .meta({ id: 'NewRedirect' })
export type NewRedirect = z.infer<typeof newRedirect>
export const changedRedirect = newRedirect.extend({ version: counter.optional() }).meta({ id: 'ChangedRedirect' })
export type ChangedRedirect = z.infer<typeof changedRedirect>
