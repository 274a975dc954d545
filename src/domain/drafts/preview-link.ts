import { limits } from '../../contract/limits.ts'
import { isLanguageTag, type Locale } from '../../contract/locales.ts'
import type { DraftText, PageParameters } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { sign, verifySignature } from '../../platform/signature.ts'
import { allow } from '../allow.ts'
import { getPageRow } from '../pages/list-pages.ts'
import { canSeePages } from '../pages/page.policy.ts'
import { findPageRow } from '../pages/page.queries.ts'
import { findDraft } from '../pages/page-draft.queries.ts'
import { findPageRevision } from '../pages/revision.queries.ts'
import { asDraft } from '../pages/show-page.ts'
import { listUserRights } from '../sign-in/user-rights.queries.ts'

/**
 * Creates a link that shows the actor's draft of a page to anyone who has the link, until `endsAt`. Its token is
 * `<page id>.<locale>.<user id>.<expiry in Unix seconds>.<signature of the preceding text>`.
 * @throws {Refusal} `not_found`
 */
export async function createPreviewLink(
  ctx: Context,
  { id, locale }: PageParameters,
): Promise<{ url: string; endsAt: string }> {
  const actor = allow(ctx, canSeePages)
  await getPageRow(ctx.db, id)
  const expiresAt = new Date(ctx.now().getTime() + limits.previewHours * 60 * 60_000)
  const payload = [id, locale, actor.id, Math.floor(expiresAt.getTime() / 1_000)].join('.')
  return {
    url: `${ctx.requestOrigin}/voorbeeld/${payload}.${sign(ctx.secret, 'preview', payload)}`,
    endsAt: expiresAt.toISOString(),
  }
}

/** The text that a preview shows. */
interface PreviewedText {
  locale: Locale
  text: DraftText
  /** The id of the collection that the page is an entry of; null for other pages. */
  collection: string | null
  /** An opaque cache key, which changes with every revision of the draft, or else with every save of the page. */
  version: string
}

/**
 * The draft of a preview link, or the saved text when it is gone. Undefined when the token is invalid or expired,
 * its creator may no longer see pages, the page is deleted or in the trash, or there is no text at all.
 */
export async function findDraftPreview(ctx: Context, token: string): Promise<PreviewedText | undefined> {
  const [, payload = '', signature = ''] =
    /^(\d{1,9}\.[a-zA-Z\d-]{2,35}\.\d{1,9}\.\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (!verifySignature(ctx.secret, 'preview', payload, signature)) return undefined
  const [id, languageTag, userId, expirySeconds] = payload.split('.')
  const locale = languageTag && isLanguageTag(languageTag) ? languageTag : undefined
  if (!locale || Number(expirySeconds) * 1_000 <= ctx.now().getTime()) return undefined
  const rights = await listUserRights(ctx.db, Number(userId))
  if (!canSeePages({ rights })) return undefined
  const key = { pageId: Number(id), locale }
  const page = await findPageRow(ctx.db, key.pageId)
  if (!page || page.deletedAt !== null) return undefined
  const draft = await findDraft(ctx.db, key, Number(userId))
  const { collection } = page
  if (draft.text)
    return { locale, collection, text: draft.text, version: `${[id, locale, userId].join('.')}.${draft.revision}` }
  const savedRevisionId = page.texts[locale]?.savedRevisionId
  const saved = savedRevisionId === undefined ? undefined : await findPageRevision(ctx.db, key, savedRevisionId)
  return saved && { locale, collection, text: asDraft(saved.text), version: `saved.${saved.id}` }
}
