import type { AuditAction } from '../../contract/audit.ts'
import { configChanges } from '../../contract/config-changes.ts'
import { configParts, partsOf } from '../../contract/config-parts.ts'
import type { ConfigRevision } from '../../contract/configuration.ts'
import { Refusal } from '../../contract/errors.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { ConfigurationRefused } from '../../platform/config/site-file.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { findPictures } from '../files/find-pictures.ts'
import { judgeFiles, lockFiles } from '../files/lock-files.ts'
import { findLatestRevision, insertRevision } from './configuration.queries.ts'
import { readRevision } from './configuration.ts'

/** The log names single values up to so many, and above it the parts. */
const mostInLog = 60

/** What stands now: the newest revision, or the file while there is none. */
export interface InForce {
  /** The number of the revision; 0 is the file. */
  version: number
  revision: ConfigRevision | undefined
  site: SiteConfig
}

/**
 * @param file the configuration of the file, which counts until somebody changes something; a command does without it
 */
export async function findInForce<File extends SiteConfig | undefined>(
  tx: Parameters<typeof findLatestRevision>[0],
  file: File,
  publicDir?: string,
): Promise<InForce | (File extends undefined ? undefined : never)> {
  const latest = await findLatestRevision(tx)
  if (!latest) return (file && { version: 0, revision: undefined, site: file }) as InForce
  const { config: _, ...revision } = latest
  return { version: latest.id, revision, site: readRevision(latest, publicDir) }
}

/**
 * The one way in which a configuration comes in force: as a new revision, on every copy of the program, with its line in
 * the log. The caller signals that content changed, after the commit.
 * @throws {ConfigurationRefused} for a logo that is no picture of the files
 * @throws {Refusal} `invalid` where a change names a file that is no more
 */
export async function putInForce(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'dialect' | 'origin'> & { actor: Pick<Actor, 'id' | 'name'> | undefined },
  input: { before: InForce | undefined; site: SiteConfig; source: string } & Pick<
    ConfigRevision,
    'note' | 'restoredId'
  > & { kind: Exclude<ConfigRevision['kind'], 'file'> },
): Promise<ConfigRevision> {
  const { before, site, source, kind, note, restoredId } = input
  await lockFiles(tx, ctx)
  const { src } = site.logo
  if (addressesIn(src).length > 0 && (await findPictures({ db: tx }, src)).size === 0) {
    throw new ConfigurationRefused(
      source,
      [{ path: 'logo.src', reason: `there is no picture ${src}` }],
      [{ path: 'logo.src', key: 'pictureGone' }],
    )
  }
  // A file may come from elsewhere, and an earlier revision is what it was: only what somebody chose now can be wrong.
  if (kind === 'changed') await judgeFiles(tx, ctx, { before: before?.site, now: partsOf(site), at: [] })
  if (before?.version === 0) await keepFile(tx, ctx.now(), before.site)
  const parts = configParts.filter((part) => JSON.stringify(before?.site[part]) !== JSON.stringify(site[part]))
  const revision = {
    createdAt: ctx.now().toISOString(),
    author: { id: ctx.actor?.id ?? null, name: ctx.actor?.name ?? '' },
    kind,
    restoredId,
    note,
    parts,
  }
  const id = await insertRevision(tx, { ...revision, config: JSON.stringify(site) })
  await touchContent(tx, ['site'])
  await record(tx, ctx, {
    action: `config.${kind}` satisfies AuditAction,
    subject: { type: 'configuration', id, name: `#${id}` },
    ...(before && changedValues(before.site, site)),
  })
  return { id, ...revision }
}

/** What the file said before the first change is the first revision, to compare with and to go back to. */
const keepFile = (tx: Transaction, now: Date, site: SiteConfig) =>
  insertRevision(tx, {
    createdAt: now.toISOString(),
    author: { id: null, name: '' },
    kind: 'file',
    restoredId: null,
    note: '',
    parts: [],
    config: JSON.stringify(site),
  })

function changedValues(before: SiteConfig, after: SiteConfig): { before: object; after: object } {
  const changes = configChanges(partsOf(before), partsOf(after))
  if (changes.length > mostInLog) {
    const parts = [...new Set(changes.map(({ path }) => path[0] ?? ''))]
    return { before: {}, after: { parts } }
  }
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.path.join('.'), change[which] ?? null]))
  return { before: side('before'), after: side('after') }
}

/** What a configuration was refused for, at its places, for who reads it at a screen. */
export async function refusingFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error
    throw new Refusal('invalid', { problems: error.fields })
  }
}
