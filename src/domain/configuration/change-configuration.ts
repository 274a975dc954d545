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
import { holdsAll, rights } from '../../contract/rights.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { defaultSpamSettings } from '../../contract/spam.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
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
import { findConfigRevision, findLongestRetention } from './configuration.queries.ts'
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
 * @throws {Refusal} `stale`, `password_needed`, `invalid` with the path of each wrong value
 */
export async function changeConfiguration(ctx: Context, input: ChangedConfiguration): Promise<Configuration> {
  const { version, note = '', config } = input
  const unknownParts = Object.keys(config).filter((name) => !(configParts as readonly string[]).includes(name))
  return changeCurrentConfiguration(ctx, version, async ({ site }) => {
    if (unknownParts.length > 0) {
      const problems = unknownParts.slice(0, 20).map((path) => ({ path, key: 'unknownField' as const }))
      throw new Refusal('invalid', { problems })
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

/**
 * Links in emails begin with the address of the site, unless BASE_URL is set, which it may no longer be at the next start. A
 * user who changes it could receive every link to set a password, so all rights are required, as for the mail server.
 * @throws {Refusal} `invalid` at `url`, `password_needed`
 */
function refuseOtherUrl(ctx: Context): void {
  if (!holdsAll(ctx.actor, rights)) throw new Refusal('invalid', { problems: [{ path: 'url', key: 'allRights' }] })
  requireConfirmed(ctx)
}

/** Whether audit entries, backups or messages would be deleted earlier than before. */
async function isRetentionShortened(tx: Transaction, before: SiteConfig, after: SiteConfig): Promise<boolean> {
  const former = retentionPeriods(before)
  for (const [data, days] of retentionPeriods(after)) {
    // A form that was removed earlier may have messages, and an added one with its id would set their period.
    const formerDays = former.get(data) ?? (await findLongestRetention(tx, data))
    if (formerDays !== undefined && days < formerDays) return true
  }
  return false
}

/** The retention periods in days, by the id of a form or the name of other data. */
const retentionPeriods = ({ retention = defaultRetention, contact, spam, forms = [] }: SiteConfig) =>
  new Map<string, number>([
    ['(audit)', retention.auditDays],
    ['(backups)', retention.backupDays],
    ['(contact)', contact.retentionDays],
    ['(spam)', (spam ?? defaultSpamSettings).retentionDays],
    ...forms.map(({ id, retentionDays }) => [id, retentionDays] as const),
  ])

/**
 * Applies the parts of an earlier revision again, as a new revision. The pages of the configuration are not changed.
 * @throws {Refusal} `not_found`, `stale`, `password_needed`, `invalid` for values that are no longer valid
 */
export async function restoreConfigRevision(
  ctx: Context,
  id: number,
  { version }: RestoredConfiguration,
): Promise<Configuration> {
  return changeCurrentConfiguration(ctx, version, async ({ site }, tx) => {
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
 * @throws {Refusal} `stale`, `password_needed`, `invalid` with the path of each wrong value
 */
export async function importConfigFile(
  ctx: Context,
  { version, note = '', file }: ImportedFile,
): Promise<Configuration> {
  return changeCurrentConfiguration(ctx, version, async ({ site: before }, tx) => {
    const imported = parseConfiguration(file, 'the file', ctx.publicDir)
    const withPages = canImportPages(ctx)
    if (withPages) {
      await importPages(tx, { ...ctx, site: imported }, await listChangedPages(tx, imported), imported.pages)
    }
    // Pages that the actor may not publish are not stored with the configuration: a later start would publish them.
    const site = withPages ? withoutEntries(imported) : { ...imported, pages: before.pages }
    return { site, kind: 'imported', note, restoredId: null }
  })
}

/** Reports what importing a file would change, and changes nothing. @throws {Refusal} `invalid` */
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

type NextConfiguration = Pick<Parameters<typeof applyConfiguration>[2], 'site' | 'kind' | 'note' | 'restoredId'>

/**
 * Changes the current configuration, and applies the result. Only one change runs at a time, also across instances. One
 * without effect creates no revision.
 * @param version on which the change is based
 * @param prepareNext returns the changed configuration; called while the current one is locked
 * @throws {Refusal} `stale` when `version` is outdated; `invalid`, also for another address of the site without all
 * rights; `password_needed` for a change of that address, of the recipients of messages or of the sender, and for a
 * shorter retention
 */
export async function changeCurrentConfiguration(
  ctx: Context,
  version: number,
  prepareNext: (current: CurrentConfiguration, tx: Transaction) => Promise<NextConfiguration>,
): Promise<Configuration> {
  allow(ctx, ['config.write'])
  const saved = await refuseInvalidConfiguration(() =>
    ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'configuration')
      const before = await findCurrentConfiguration(tx, ctx.site, ctx.publicDir)
      if (version !== before.version) throw new Refusal('stale', { current: toConfiguration(before) })
      const prepared = await prepareNext(before, tx)
      const next = { ...prepared, site: withFormerRoots(before.site, await withMenuPageIds(tx, prepared.site)) }
      // Ignores the order of keys, which may differ from that of the stored configuration.
      if (deepEqual(next.site, before.site)) {
        if (next.kind === 'imported') await invalidate(tx, ['site'])
        return toConfiguration(before)
      }
      // Without this, anybody at an unlocked screen could redirect contact messages.
      if (isContactChange(before.site, next.site)) requireConfirmed(ctx)
      // Likewise, anybody could have the audit log, backups or messages deleted earlier.
      if (await isRetentionShortened(tx, before.site, next.site)) requireConfirmed(ctx)
      if (next.site.url !== before.site.url) refuseOtherUrl(ctx)
      const revision = await applyConfiguration(tx, ctx, { ...next, before, source: 'what was sent' })
      return toConfiguration({ version: revision.id, revision, site: next.site })
    }),
  )
  await ctx.wake.invalidation()
  ctx.wake.email()
  return saved
}
