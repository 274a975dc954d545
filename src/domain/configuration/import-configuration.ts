import type { Context } from '../../platform/context.ts'
import { importPages } from '../pages/seed-pages.ts'
import { readConfiguration } from './configuration.ts'
import { findInForce, putInForce } from './put-in-force.ts'

/**
 * Puts a configuration in force as an operator does: whatever stands now, as a new revision, on every copy of the
 * program, with the texts of the pages in it.
 * @param input `note` says where it came from, and is also how a refusal names it
 * @throws {ConfigurationRefused} naming each place that is wrong; nothing is changed then
 */
export async function importConfiguration(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'signal'>,
  input: { text: string; note: string; publicDir?: string },
): Promise<{ id: number }> {
  const { note, text, publicDir } = input
  const site = readConfiguration(text, note, publicDir)
  const { id } = await ctx.transaction(async (tx) => {
    // One that cannot be read any more is no reason to refuse the one that takes its place.
    const before = await findInForce(tx, undefined, publicDir).catch(() => undefined)
    const by = { now: ctx.now, dialect: ctx.dialect, origin: site.url, actor: undefined }
    await importPages(tx, by, site.pages)
    return putInForce(tx, by, { before, site, source: note, kind: 'imported', note, restoredId: null })
  })
  ctx.signal.content()
  return { id }
}
