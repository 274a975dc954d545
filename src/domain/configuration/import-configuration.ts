import type { EntryCount } from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { PageLanguage } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { InvalidConfiguration } from '../../platform/config/site-file.ts'
import type { Context } from '../../platform/context.ts'
import { listHiddenCollections } from '../pages/entries.ts'
import { listHiddenLanguages } from '../pages/list-pages.ts'
import { listChangedPages } from '../pages/live-configuration.ts'
import { withMenuPageIds } from '../pages/menu-pages.ts'
import { countTextsByLocale } from '../pages/page.queries.ts'
import { importPages } from '../pages/seed-pages.ts'
import { applyConfiguration, findCurrentConfiguration, withFormerRoots } from './apply-configuration.ts'
import { parseConfiguration, reasonFor, withoutEntries } from './configuration.ts'

/**
 * Applies a configuration from the command line as a new revision, whatever the current version, with the texts of its
 * pages that differ: the others keep their references to sections, of which a file has copies.
 * @param input `note` says where it came from; error messages use it too. `present` is the file of the program as it is now
 * @returns the collections and the languages that it lacks and that have pages, which stay, hidden
 * @throws {InvalidConfiguration} with the path of each problem; nothing is changed then
 */
export async function importConfiguration(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'wake'>,
  input: { text: string; note: string; publicDir?: string; present?: SiteConfig | undefined },
): Promise<{ id: number; hidden: EntryCount[]; hiddenLanguages: PageLanguage[] }> {
  const { note, text, publicDir = 'public', present } = input
  const file = parseConfiguration(text, note, publicDir)
  const inTransaction = ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'configuration')
    // A site without pages was never started, so that it showed no file. The same file was edited since the program read it.
    const isShown = !deepEqual(present, file) && (await countTextsByLocale(tx)).length > 0
    const shown = isShown ? present : undefined
    // An unreadable current configuration must not prevent its replacement.
    const before = await findCurrentConfiguration(tx, shown, publicDir).catch(() => undefined)
    const by = { now: ctx.now, dialect: ctx.dialect, origin: file.url, site: file, actor: undefined }
    await importPages(tx, by, await listChangedPages(tx, file), file.pages)
    const read = await withMenuPageIds(tx, withoutEntries(file))
    const site = before ? withFormerRoots(before.site, read) : read
    const of = { before, site, source: note, kind: 'imported', note, restoredId: null } as const
    const { id } = await applyConfiguration(tx, by, of)
    const hidden = await listHiddenCollections(tx, site)
    return { id, hidden, hiddenLanguages: await listHiddenLanguages(tx, site) }
  })
  const imported = await inTransaction.catch((error) => {
    throw error instanceof Refusal && error.code === 'invalid' ? refusedFile(note, error.problems) : error
  })
  await ctx.wake.invalidation()
  return imported
}

const refusedFile = (source: string, problems: readonly FieldProblem[]) =>
  new InvalidConfiguration(
    source,
    problems.map((problem) => ({ path: problem.path, reason: reasonFor(problem.key, problem) })),
  )
