import { configParts, partsOf } from '../../contract/config-parts.ts'
import type {
  ChangedConfiguration,
  Configuration,
  FileReport,
  ImportedFile,
  RestoredConfiguration,
} from '../../contract/configuration.ts'
import { Refusal } from '../../contract/errors.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { listChangedPages } from '../pages/live-configuration.ts'
import { canPublishPages, canWritePages } from '../pages/page.policy.ts'
import { importPages } from '../pages/seed-pages.ts'
import { canWriteConfiguration } from './configuration.policy.ts'
import { findRevision } from './configuration.queries.ts'
import { judgeConfiguration, readConfiguration, readRevision } from './configuration.ts'
import { findInForce, type InForce, putInForce, refusingFields } from './put-in-force.ts'
import { shown } from './show-configuration.ts'

/**
 * Gives parts of the configuration another value; the others stay.
 * @throws {Refusal} `stale`, `invalid` with the place of each wrong value in the configuration
 */
export async function changeConfiguration(ctx: Context, input: ChangedConfiguration): Promise<Configuration> {
  const { version, note = '', config } = input
  const unknown = Object.keys(config).filter((name) => !(configParts as readonly string[]).includes(name))
  return change(ctx, version, async ({ site }) => {
    if (unknown.length > 0) {
      throw new Refusal('invalid', { problems: unknown.slice(0, 20).map((path) => ({ path, key: 'unknownField' })) })
    }
    return {
      site: judgeConfiguration({ ...site, ...config }, 'what was sent', ctx.publicDir),
      kind: 'changed',
      note,
      restoredId: null,
    }
  })
}

/**
 * Puts the parts of an earlier revision in force again, as a new one. The first pages stay what they are.
 * @throws {Refusal} `not_found`, `stale`, `invalid` for what can no longer be
 */
export async function restoreRevision(
  ctx: Context,
  id: number,
  { version }: RestoredConfiguration,
): Promise<Configuration> {
  return change(ctx, version, async ({ site }, tx) => {
    const revision = await findRevision(tx, id)
    if (!revision) throw new Refusal('not_found')
    return {
      site: { ...site, ...partsOf(readRevision(revision, ctx.publicDir)) },
      kind: 'restored',
      note: '',
      restoredId: id,
    }
  })
}

/**
 * Puts a file in force, of this version or an older one. The pages in it that visitors see otherwise are replaced, as new
 * revisions of theirs; for who may not publish pages they stay as they are.
 * @throws {Refusal} `stale`, `invalid` with the place of each wrong value in the file
 */
export async function importFile(ctx: Context, { version, note = '', file }: ImportedFile): Promise<Configuration> {
  return change(ctx, version, async ({ site: before }, tx) => {
    const read = readConfiguration(file, 'the file', ctx.publicDir)
    const withPages = canImportPages(ctx)
    // Pages that somebody may not publish must not come in with a later start either.
    const site = withPages ? read : { ...read, pages: before.pages }
    if (withPages) await importPages(tx, ctx, await listChangedPages(tx, site))
    return { site, kind: 'imported', note, restoredId: null }
  })
}

/** What the file would put in force; nothing is changed. @throws {Refusal} `invalid` */
export async function checkFile(ctx: Context, file: string): Promise<FileReport> {
  allow(ctx, canWriteConfiguration)
  const { version } = await findInForce(ctx.db, ctx.site, ctx.publicDir)
  const site = await refusingFields(async () => readConfiguration(file, 'the file', ctx.publicDir))
  const changed = await listChangedPages(ctx.db, site)
  return {
    version,
    config: partsOf(site),
    pages: changed.map(({ slug, content }) => ({ slug, title: content.nl.title })),
    withPages: canImportPages(ctx),
  }
}

const canImportPages = ({ actor }: Context): boolean =>
  actor !== undefined && canWritePages(actor) && canPublishPages(actor)

type Next = Pick<Parameters<typeof putInForce>[2], 'site' | 'kind' | 'note' | 'restoredId'>
type Tx = Parameters<typeof putInForce>[0]

/** One change at a time, and none over what one has not seen. What changes nothing makes no revision. */
async function change(ctx: Context, version: number, make: (now: InForce, tx: Tx) => Promise<Next>) {
  allow(ctx, canWriteConfiguration)
  const saved = await refusingFields(() =>
    ctx.transaction(async (tx) => {
      await ctx.dialect.lock(tx, 'configuration')
      const before = await findInForce(tx, ctx.site, ctx.publicDir)
      if (version !== before.version) throw new Refusal('stale', { current: shown(before) })
      const next = await make(before, tx)
      if (JSON.stringify(next.site) === JSON.stringify(before.site)) {
        if (next.kind === 'imported') await touchContent(tx, ['site'])
        return shown(before)
      }
      const revision = await putInForce(tx, ctx, { ...next, before, source: 'what was sent' })
      return shown({ version: revision.id, revision, site: next.site })
    }),
  )
  ctx.signal.content()
  return saved
}
