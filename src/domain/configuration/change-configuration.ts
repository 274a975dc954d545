import { configParts, partsOf } from '../../contract/config-parts.ts'
import type {
  ChangedConfiguration,
  Configuration,
  FileReport,
  ImportedFile,
  RestoredConfiguration,
} from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import { mainLocaleOf } from '../../contract/locales.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { listHiddenCollections } from '../pages/entries.ts'
import { listHiddenLanguages } from '../pages/list-pages.ts'
import { listChangedPages } from '../pages/live-configuration.ts'
import { withMenuPageIds } from '../pages/menu-pages.ts'
import { canPublishPages, canWritePages } from '../pages/page.policy.ts'
import { importPages } from '../pages/seed-pages.ts'
import {
  applyConfiguration,
  type CurrentConfiguration,
  findCurrentConfiguration,
  refuseInvalidConfiguration,
  withFormerRoots,
} from './apply-configuration.ts'
import { findConfigRevision } from './configuration.queries.ts'
import {
  parseConfigRevision,
  parseConfiguration,
  validateConfiguration,
  withoutEntries,
  withParts,
} from './configuration.ts'
import { isContactChange } from './contact-change.ts'
import { toConfiguration } from './show-configuration.ts'
import { refuseWrongTexts } from './visitor-texts.ts'

/**
 * Replaces parts of the configuration; the others stay.
 * @throws {Refusal} `stale`, `invalid` with the path of each wrong value
 */
export async function changeConfiguration(ctx: Context, input: ChangedConfiguration): Promise<Configuration> {
  const { version, note = '', config } = input
  const unknown = Object.keys(config).filter((name) => !(configParts as readonly string[]).includes(name))
  return changeCurrent(ctx, version, async ({ site }) => {
    if (unknown.length > 0) {
      throw new Refusal('invalid', { problems: unknown.slice(0, 20).map((path) => ({ path, key: 'unknownField' })) })
    }
    const changed = validateConfiguration(withParts(site, config), 'what was sent', ctx.publicDir)
    refuseWrongTexts(site.texts, changed.texts)
    return {
      site: changed,
      kind: 'changed',
      note,
      restoredId: null,
    }
  })
}

/** Whether the audit log or backups would be deleted earlier. */
const isRetentionShortened = (
  { retention: next = defaultRetention }: SiteConfig,
  { retention: before = defaultRetention }: SiteConfig,
): boolean => next.auditDays < before.auditDays || next.backupDays < before.backupDays

/**
 * Applies the parts of an earlier revision again, as a new revision. The pages of the configuration are not changed.
 * @throws {Refusal} `not_found`, `stale`, `invalid` for values that are no longer valid
 */
export async function restoreConfigRevision(
  ctx: Context,
  id: number,
  { version }: RestoredConfiguration,
): Promise<Configuration> {
  return changeCurrent(ctx, version, async ({ site }, tx) => {
    const revision = await findConfigRevision(tx, id)
    if (!revision) throw new Refusal('not_found')
    return {
      site: { ...site, ...partsOf(parseConfigRevision(revision, ctx.publicDir)) },
      kind: 'restored',
      note: '',
      restoredId: id,
    }
  })
}

/**
 * Applies a configuration file of this version or an older one. Pages in it whose live text differs get a new published
 * revision, if the actor may publish pages; otherwise they stay unchanged.
 * @throws {Refusal} `stale`, `invalid` with the path of each wrong value
 */
export async function importConfigFile(
  ctx: Context,
  { version, note = '', file }: ImportedFile,
): Promise<Configuration> {
  return changeCurrent(ctx, version, async ({ site: before }, tx) => {
    const read = parseConfiguration(file, 'the file', ctx.publicDir)
    const withPages = canImportPages(ctx)
    // Pages that the actor may not publish must not be seeded at a later start either.
    if (withPages) await importPages(tx, { ...ctx, site: read }, await listChangedPages(tx, read), read.pages)
    const site = withPages ? withoutEntries(read) : { ...read, pages: before.pages }
    return { site, kind: 'imported', note, restoredId: null }
  })
}

/** Reports what importing the file would change; nothing is changed. @throws {Refusal} `invalid` */
export async function checkConfigFile(ctx: Context, file: string): Promise<FileReport> {
  allow(ctx, ['config.write'])
  const { version } = await findCurrentConfiguration(ctx.db, ctx.site, ctx.publicDir)
  const site = await refuseInvalidConfiguration(async () =>
    withMenuPageIds(ctx.db, parseConfiguration(file, 'the file', ctx.publicDir)),
  )
  const changed = await listChangedPages(ctx.db, site)
  return {
    version,
    config: partsOf(site),
    pages: changed.map(({ slug, content }) => ({
      slug,
      title: content[mainLocaleOf(site)]?.title ?? Object.values(content)[0]?.title ?? '',
    })),
    withPages: canImportPages(ctx),
    hidden: await listHiddenCollections(ctx.db, site),
    hiddenLanguages: await listHiddenLanguages(ctx.db, site),
  }
}

const canImportPages = ({ actor }: Context): boolean =>
  actor !== undefined && canWritePages(actor) && canPublishPages(actor)

type Next = Pick<Parameters<typeof applyConfiguration>[2], 'site' | 'kind' | 'note' | 'restoredId'>
type Tx = Parameters<typeof applyConfiguration>[0]

/**
 * Runs one change at a time, and refuses one based on an outdated version. A change without effect creates no revision.
 */
export async function changeCurrent(
  ctx: Context,
  version: number,
  make: (now: CurrentConfiguration, tx: Tx) => Promise<Next>,
): Promise<Configuration> {
  allow(ctx, ['config.write'])
  const saved = await refuseInvalidConfiguration(() =>
    ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'configuration')
      const before = await findCurrentConfiguration(tx, ctx.site, ctx.publicDir)
      if (version !== before.version) throw new Refusal('stale', { current: toConfiguration(before) })
      const made = await make(before, tx)
      const next = { ...made, site: withFormerRoots(before.site, await withMenuPageIds(tx, made.site)) }
      // The order of keys may differ from that of the stored configuration.
      if (deepEqual(next.site, before.site)) {
        if (next.kind === 'imported') await invalidate(tx, ['site'])
        return toConfiguration(before)
      }
      // Without this, an unlocked screen would be enough to redirect contact messages.
      if (isContactChange(before.site, next.site)) requireConfirmed(ctx)
      // Likewise to delete the traces of what was done.
      if (isRetentionShortened(next.site, before.site)) requireConfirmed(ctx)
      const revision = await applyConfiguration(tx, ctx, { ...next, before, source: 'what was sent' })
      return toConfiguration({ version: revision.id, revision, site: next.site })
    }),
  )
  await ctx.wake.invalidation()
  ctx.wake.email()
  return saved
}
