import type { EntryCount } from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { PageLanguage } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { InvalidConfiguration } from '../../platform/config/site-file.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { listHiddenCollections } from '../pages/entries.ts'
import { listHiddenLanguages } from '../pages/list-pages.ts'
import { listChangedPages } from '../pages/live-configuration.ts'
import { withMenuPageIds } from '../pages/menu-pages.ts'
import { countTextsByLocale } from '../pages/page.queries.ts'
import { importPages } from '../pages/seed-pages.ts'
import { applyConfiguration, findCurrentConfiguration, withFormerRoots } from './apply-configuration.ts'
import { parseConfiguration, reasonFor, withoutEntries } from './configuration.ts'

/**
 * Applies a configuration from the command line as a new revision, whatever the current version. Its pages whose live
 * text differs are replaced and published. The others stay, with their references to sections, of which a file has
 * copies.
 * @param input.note where the text comes from; stored with the revision, and used in error messages
 * @param input.present the configuration file of the program as it is now; undefined: it is invalid or unreadable
 * @returns the id of the revision, and the collections and languages with pages that it lacks: these pages stay, hidden
 * @throws {InvalidConfiguration} with the path of each problem; nothing is changed then
 */
export async function importConfiguration(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'wake'>,
  input: { text: string; note: string; publicDir?: string; present?: SiteConfig | undefined },
): Promise<{ id: number; hidden: EntryCount[]; hiddenLanguages: PageLanguage[] }> {
  const { note, text, publicDir = 'public', present } = input
  const file = parseConfiguration(text, note, publicDir)
  const applyFile = async (tx: Transaction) => {
    await ctx.dialect.lock(tx, 'configuration')
    // Before the first revision the site shows the file of the program. A site without pages was never started, so it showed
    // none. What it showed is unknown if this very file is imported, which may have been edited meanwhile.
    const showsPresent = !deepEqual(present, file) && (await countTextsByLocale(tx)).length > 0
    const shownFile = showsPresent ? present : undefined
    // An unreadable current configuration must not prevent its replacement.
    const before = await findCurrentConfiguration(tx, shownFile, publicDir).catch(() => undefined)
    const operator = { now: ctx.now, dialect: ctx.dialect, origin: file.url, site: file, actor: undefined }
    await importPages(tx, operator, await listChangedPages(tx, file), file.pages)
    const siteWithIds = await withMenuPageIds(tx, withoutEntries(file))
    const site = before ? withFormerRoots(before.site, siteWithIds) : siteWithIds
    const revision = { before, site, source: note, kind: 'imported', note, restoredId: null } as const
    const { id } = await applyConfiguration(tx, operator, revision)
    const hidden = await listHiddenCollections(tx, site)
    return { id, hidden, hiddenLanguages: await listHiddenLanguages(tx, site) }
  }
  const imported = await ctx.transaction(applyFile).catch((error) => {
    throw error instanceof Refusal && error.code === 'invalid' ? toInvalidConfiguration(note, error.problems) : error
  })
  await ctx.wake.invalidation()
  return imported
}

const toInvalidConfiguration = (source: string, problems: readonly FieldProblem[]) =>
  new InvalidConfiguration(
    source,
    problems.map((problem) => ({ path: problem.path, reason: reasonFor(problem.key, problem) })),
  )
