import type { AuditAction } from '../../contract/audit-actions.ts'
import { configChanges, configParts, partsOf } from '../../contract/config-parts.ts'
import type { ConfigRevision } from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import { limits } from '../../contract/limits.ts'
import { mainLocaleOf, prefixOf, rootLocaleOf } from '../../contract/locales.ts'
import { menuPageRefs, menuPaths } from '../../contract/menus.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import { InvalidConfiguration } from '../../platform/config/site-file.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { refuseMissingFiles } from '../files/lock-files.ts'
import { findShownFiles } from '../files/show-file.ts'
import { lockPages } from '../pages/edit-page.ts'
import { applyCollections } from '../pages/entries.ts'
import { overfillsPages } from '../pages/filled-size.ts'
import { findLiveRow } from '../pages/live-page.queries.ts'
import { findPageAtPrefix, listPageRows } from '../pages/page.queries.ts'
import { findLatestConfigRevision, insertConfigRevision } from './configuration.queries.ts'
import { parseConfigRevision, withoutEntries } from './configuration.ts'
import { isContactChange, queueContactChange } from './contact-change.ts'

/**
 * The audit log lists up to this many changed values one by one; of more, it only lists the parts that contain them.
 */
const maxLoggedChanges = 60

/** The current configuration: the newest revision, or the file when there is none. */
export interface CurrentConfiguration {
  /** The revision number; 0 for the file. */
  version: number
  revision: ConfigRevision | undefined
  site: SiteConfig
}

/**
 * The current configuration.
 * @param file the configuration file, which applies until the first revision
 * @returns undefined without a revision and without a file
 * @throws {InvalidConfiguration} when the revision is not valid
 */
export async function findCurrentConfiguration<File extends SiteConfig | undefined>(
  tx: Parameters<typeof findLatestConfigRevision>[0],
  file: File,
  publicDir: string,
): Promise<CurrentConfiguration | (File extends undefined ? undefined : never)> {
  const latest = await findLatestConfigRevision(tx)
  if (!latest) return (file && { version: 0, revision: undefined, site: withoutEntries(file) }) as CurrentConfiguration
  const { config: _, ...revision } = latest
  return { version: latest.id, revision, site: parseConfigRevision(latest, publicDir) }
}

/**
 * The only function that applies a configuration: it stores a new revision with its audit entry, invalidates the pages,
 * and queues notices about changed recipients and senders. The caller calls `ctx.wake.invalidation` after the commit.
 * @param input.before undefined: there is no revision and the file that applied is unknown, or the newest revision is
 * unreadable
 * @throws {InvalidConfiguration} for an uploaded logo that does not exist, and for pages that become too large
 * @throws {Refusal} `invalid` with the path of each value that conflicts with stored pages, redirects or files, or with another
 * value
 */
export async function applyConfiguration(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'dialect' | 'origin'> & { actor: Pick<Actor, 'id' | 'name'> | undefined },
  input: { before: CurrentConfiguration | undefined; site: SiteConfig; source: string } & Pick<
    ConfigRevision,
    'note' | 'restoredId'
  > & { kind: Exclude<ConfigRevision['kind'], 'file'> },
): Promise<ConfigRevision> {
  const { before, site, source, kind, note, restoredId } = input
  // The same lock order as for editing pages.
  await lockPages(tx, ctx)
  await applyCollections(tx, before?.site, site)
  await checkUploadedLogo(tx, site, source)
  if (await overfillsPages(tx, kind === 'imported' ? undefined : before?.site, site)) {
    const reason = `a page would be larger than ${limits.filledPageBytes} bytes with its placeholders filled`
    throw new InvalidConfiguration(source, [{ path: '', reason }], [{ path: '', key: 'filledPageTooLarge' }])
  }
  // Only a change made on the screens is checked: an imported file may come from another site, and an earlier revision
  // may refer to files deleted since.
  if (kind === 'changed') await refuseMissingFiles(tx, ctx, { before: before?.site, after: partsOf(site), path: [] })
  if (kind === 'changed') refuseRepeatedOffers(before?.site, site)
  if (before) await refuseOccupiedPrefixes(tx, before.site, site)
  if (before) await refuseRootWithoutHome(tx, before.site, site, kind)
  if (kind === 'changed') await refuseUnknownMenuPages(tx, before?.site, site)
  if (before?.version === 0) await insertFileRevision(tx, ctx.now(), before.site)
  const parts = configParts.filter((part) => !deepEqual(before?.site[part], site[part]))
  const revision = {
    createdAt: ctx.now().toISOString(),
    author: { id: ctx.actor?.id ?? null, name: ctx.actor?.name ?? '' },
    kind,
    restoredId,
    note,
    parts,
  }
  const id = await insertConfigRevision(tx, { ...revision, config: JSON.stringify(site) })
  await invalidate(tx, ['site'])
  if (before && isContactChange(before.site, site)) {
    await queueContactChange(tx, { before: before.site, after: site, by: ctx.actor?.name ?? '', at: ctx.now() })
  }
  await record(tx, ctx, {
    action: `config.${kind}` satisfies AuditAction,
    subject: { type: 'configuration', id, name: `#${id}` },
    ...(before && toAuditedChange(before.site, site)),
  })
  return { id, ...revision }
}

/** @throws {InvalidConfiguration} when the logo is an upload that is not an image, or does not exist */
async function checkUploadedLogo(tx: Transaction, { logo: { src } }: SiteConfig, source: string): Promise<void> {
  if (publicFileIdsIn(src).length === 0) return
  const { images } = await findShownFiles({ db: tx, publicImages: new Map() }, [src])
  if (images.size > 0) return
  throw new InvalidConfiguration(
    source,
    [{ path: 'logo.src', reason: `there is no image ${src}` }],
    [{ path: 'logo.src', key: 'imageGone' }],
  )
}

/**
 * Refuses an id that two items of the offer share, unless items shared it before the change.
 * @throws {Refusal} `invalid` with the path of each
 */
function refuseRepeatedOffers(before: SiteConfig | undefined, site: SiteConfig): void {
  const repeatedBefore = new Set(before && listRepeatedOffers(before).map(({ id }) => id))
  const problems = listRepeatedOffers(site).flatMap(({ id, path }): FieldProblem[] =>
    repeatedBefore.has(id) ? [] : [{ path, key: 'twice' }],
  )
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** The prices and subscriptions with the id of an earlier one, and the paths of these ids. */
function listRepeatedOffers({ offer }: SiteConfig): { id: string; path: string }[] {
  const items = (['prices', 'subscriptions'] as const).flatMap((list) =>
    offer[list].map(({ id }, index) => ({ id, path: `offer.${list}.${index}.id` })),
  )
  return items.filter(({ id }, index) => items.findIndex((item) => item.id === id) < index)
}

/**
 * Refuses a new language when a page has the URL prefix of that language as its address, or is below it.
 * @throws {Refusal} `invalid` with the path of each
 */
async function refuseOccupiedPrefixes(tx: Transaction, before: SiteConfig, site: SiteConfig) {
  const root = rootLocaleOf(site)
  const problems: FieldProblem[] = []
  for (const [index, locale] of site.locales.entries()) {
    const isNew = !before.locales.includes(locale) && locale !== root
    if (isNew && (await findPageAtPrefix(tx, { locale: root, prefix: prefixOf(locale) })) !== undefined) {
      problems.push({ path: `locales.${index}`, key: 'languageInUse' })
    }
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/**
 * Refuses another language at the root in which the home page is not published. After the restoring of a revision or
 * the import of a file, the root may show the home page in the main language instead.
 * @throws {Refusal} `invalid`
 */
async function refuseRootWithoutHome(
  tx: Transaction,
  before: SiteConfig,
  site: SiteConfig,
  kind: ConfigRevision['kind'],
) {
  const root = rootLocaleOf(site)
  if (root === rootLocaleOf(before) || (await findLiveRow(tx, root, ''))) return
  if (kind !== 'changed' && (await findLiveRow(tx, mainLocaleOf(site), ''))) return
  throw new Refusal('invalid', { problems: [{ path: 'rootLocale', key: 'rootWithoutHome' }] })
}

/**
 * The configuration with `formerRootLocales`, by which the former URLs of languages that were at the root are
 * redirected.
 */
export function withFormerRoots(before: SiteConfig, site: SiteConfig): SiteConfig {
  const { formerRootLocales: givenRoots, ...rest } = site
  const former = new Set([...(before.formerRootLocales ?? []), ...(givenRoots ?? []), rootLocaleOf(before)])
  former.delete(rootLocaleOf(site))
  const formerRootLocales = [...former].slice(-limits.siteLanguages)
  return formerRootLocales.length === 0 ? rest : { ...rest, formerRootLocales }
}

/**
 * Refuses new menu items of pages that do not exist. Those of existing items may have been deleted since.
 * @throws {Refusal} `invalid` with the path of each
 */
async function refuseUnknownMenuPages(tx: Transaction, before: SiteConfig | undefined, { menus }: SiteConfig) {
  const existing = new Set(menuPageRefs(before?.menus))
  const added = menuPageRefs(menus).filter((ref) => !existing.has(ref))
  const rows = await listPageRows(
    tx,
    added.filter((ref) => typeof ref === 'number'),
  )
  const unknown = new Set(added.filter((ref) => !rows.some(({ id }) => id === ref)))
  const problems = Object.entries(menus?.main ?? {}).flatMap(([locale, tree]) =>
    menuPaths(tree ?? [], `menus.main.${locale}`)
      .filter(({ item }) => item.page !== undefined && unknown.has(item.page))
      .map(({ path }) => ({ path: `${path}.page`, key: 'menuPage' as const })),
  )
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
}

/** Stores the file's configuration as the first revision, so that it can be compared with and restored. */
const insertFileRevision = (tx: Transaction, now: Date, site: SiteConfig) =>
  insertConfigRevision(tx, {
    createdAt: now.toISOString(),
    author: { id: null, name: '' },
    kind: 'file',
    restoredId: null,
    note: '',
    parts: [],
    config: JSON.stringify(site),
  })

/**
 * What the audit log stores of a change: the changed values by their paths, or the names of the parts if there are
 * many.
 */
function toAuditedChange(before: SiteConfig, after: SiteConfig): { before: object; after: object } {
  const changes = configChanges(partsOf(before), partsOf(after))
  if (changes.length > maxLoggedChanges) {
    const parts = [...new Set(changes.map(({ path }) => path[0] ?? ''))]
    return { before: {}, after: { parts } }
  }
  const valuesOf = (side: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.path.join('.'), change[side] ?? null]))
  return { before: valuesOf('before'), after: valuesOf('after') }
}

/** Converts an `InvalidConfiguration` into a refusal with the problem at each path. */
export async function refuseInvalidConfiguration<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    throw new Refusal('invalid', { problems: error.fields })
  }
}
