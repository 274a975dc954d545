import type { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { limits } from '../../contract/limits.ts'
import { isLanguageTag, type Locale } from '../../contract/locales.ts'
import type { DraftText, PageParameters } from '../../contract/pages.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { isSignature, sign } from '../../platform/signature.ts'
import { allow } from '../allow.ts'
import { getPageRow } from '../pages/list-pages.ts'
import { canSeePages } from '../pages/page.policy.ts'
import { findPageRow } from '../pages/page.queries.ts'
import { findDraft } from '../pages/page-draft.queries.ts'
import { findPageRevision } from '../pages/revision.queries.ts'
import { asDraft } from '../pages/show-page.ts'
import { listUserRights } from '../sign-in/user-rights.queries.ts'

/**
 * Creates a link that shows the actor's draft of a page to anyone who has it, until it expires.
 * @throws {Refusal} `not_found`
 */
export async function createPreviewLink(
  ctx: Context,
  { id, locale }: PageParameters,
): Promise<{ url: string; endsAt: string }> {
  const actor = allow(ctx, canSeePages)
  await getPageRow(ctx.db, id)
  const endsAt = new Date(ctx.now().getTime() + limits.previewHours * 60 * 60_000)
  const payload = [id, locale, actor.id, Math.floor(endsAt.getTime() / 1_000)].join('.')
  return {
    url: `${ctx.requestOrigin}/voorbeeld/${payload}.${sign(ctx.secret, 'preview', payload)}`,
    endsAt: endsAt.toISOString(),
  }
}

/** The text that a preview shows. */
export interface PreviewedText {
  locale: Locale
  text: DraftText
  /** The id of the collection of an entry. */
  collection: string | null
  /** Changes with every revision of the draft, and with every save of the page. */
  version: string
}

/**
 * The draft of a preview link, or the saved text when the draft is gone. Undefined when the link is invalid or expired,
 * or when its creator may no longer see pages or is deleted.
 */
export async function findDraftPreview(ctx: Context, token: string): Promise<PreviewedText | undefined> {
  const [, payload = '', signature = ''] =
    /^(\d{1,9}\.[a-zA-Z\d-]{2,35}\.\d{1,9}\.\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (!isSignature(ctx.secret, 'preview', payload, signature)) return undefined
  const [id, localeCode, userId, seconds] = payload.split('.')
  const locale = localeCode && isLanguageTag(localeCode) ? localeCode : undefined
  if (!locale || Number(seconds) * 1_000 <= ctx.now().getTime()) return undefined
  const rights = await listUserRights(ctx.db, Number(userId))
  if (!canSeePages({ rights })) return undefined
  const at = { pageId: Number(id), locale }
  const page = await findPageRow(ctx.db, at.pageId)
  if (!page || page.deletedAt !== null) return undefined
  const draft = await findDraft(ctx.db, at, Number(userId))
  const { collection } = page
  if (draft.text)
    return { locale, collection, text: draft.text, version: `${[id, locale, userId].join('.')}.${draft.revision}` }
  const savedRevisionId = page.texts[locale]?.savedRevisionId
  const saved = savedRevisionId === undefined ? undefined : await findPageRevision(ctx.db, at, savedRevisionId)
  return saved && { locale, collection, text: asDraft(saved.text), version: `saved.${saved.id}` }
}

/** The valid blocks; incomplete ones are left out. Validation sanitizes rich text, which takes time. */
export const validBlocks = (body: readonly unknown[]): StoredBlock[] =>
  body.flatMap((block) => {
    const read: z.ZodSafeParseResult<StoredBlock> = blockSchema.safeParse(block)
    return read.success ? [read.data] : []
  })
