import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, locales } from '../../contract/locales.ts'
import type { DraftText } from '../../contract/pages.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findDraftRow } from './draft.queries.ts'
import { getPageRow } from './find-pages.ts'
import { canSeePages } from './page.policy.ts'
import { findPageRow } from './page.queries.ts'
import { findRevision } from './revision.queries.ts'
import { asDraft } from './show-page.ts'
import { findWriterRights } from './writer.queries.ts'

/** A link that shows one's draft of a page on the site, to whoever has it, until it ends. @throws {Refusal} `not_found` */
export async function makePreview(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
): Promise<{ url: string; endsAt: string }> {
  const actor = allow(ctx, canSeePages)
  await getPageRow(ctx.db, id)
  const endsAt = new Date(ctx.now().getTime() + limits.previewHours * 60 * 60_000)
  const said = [id, locale, actor.id, Math.floor(endsAt.getTime() / 1_000)].join('.')
  return { url: `${ctx.reached}/voorbeeld/${said}.${proof(ctx, said)}`, endsAt: endsAt.toISOString() }
}

/** What a preview shows. Of what is written there is only what can be shown: the rest waits for its writer. */
export interface PreviewedText {
  locale: Locale
  text: Omit<DraftText, 'body'> & { body: StoredBlock[] }
}

/**
 * The draft behind a link, or what is saved when it is over; undefined when the link is not good, or no more: its maker
 * may not see pages now, or is gone.
 */
export async function findPreview(ctx: Context, token: string): Promise<PreviewedText | undefined> {
  const [, said = '', signature = ''] = /^(\d{1,9}\.[a-z]{2}\.\d{1,9}\.\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (said === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(proof(ctx, said)))) return undefined
  const [id, asked, userId, seconds] = said.split('.')
  const locale = locales.find((one) => one === asked)
  if (!locale || Number(seconds) * 1_000 <= ctx.now().getTime()) return undefined
  const rights = await findWriterRights(ctx.db, Number(userId))
  if (!canSeePages({ rights })) return undefined
  const at = { pageId: Number(id), locale }
  const page = await findPageRow(ctx.db, at.pageId)
  if (!page || page.deletedAt !== null) return undefined
  const draft = await findDraftRow(ctx.db, at, Number(userId))
  const savedId = page.texts[locale]?.savedId
  const saved = savedId === undefined ? undefined : await findRevision(ctx.db, at, savedId)
  const text = draft?.text ?? (saved && asDraft(saved.text))
  return text && { locale, text: { ...text, body: shownBlocks(text.body) } }
}

/** A block that is not whole yet cannot be shown; what is wrong with it its form says. */
const shownBlocks = (body: DraftText['body']): StoredBlock[] =>
  body.flatMap((block) => {
    const read: z.ZodSafeParseResult<StoredBlock> = blockSchema.safeParse(block)
    return read.success ? [read.data] : []
  })

const proof = (ctx: Pick<Context, 'secret'>, said: string): string =>
  createHmac('sha256', ctx.secret).update(`preview\0${said}`).digest('base64url')
