import type { SceneParts, SceneQuery } from '../../contract/scene.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findPictures } from '../files/find-pictures.ts'

/** What blocks look at, for who edits them. */
export async function showScene(ctx: Context, input: SceneQuery): Promise<SceneParts> {
  allow(ctx, ['pages.write', 'config.write'])
  const { brand, url, business, legal, logo, offer, contact } = ctx.site
  const { action, fields, retentionDays } = contact
  const pictures = await findPictures(
    ctx,
    input.pictures.map((address) => `/files/${address}/`),
  )
  return {
    site: { brand, url, business, legal, logo, offer, contact: { action, fields, retentionDays } },
    pictures: Object.fromEntries(pictures),
  }
}
