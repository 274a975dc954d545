import { configParts, partsOf } from '../../contract/config-parts.ts'
import type { ConfigRevision, Configuration, RevisionWithConfig } from '../../contract/configuration.ts'
import { Refusal } from '../../contract/errors.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { isNestedTooDeep } from '../../contract/text.ts'
import { InvalidConfiguration } from '../../platform/config/site-file.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { withLivePages } from '../pages/live-configuration.ts'
import {
  type CurrentConfiguration,
  findCurrentConfiguration,
  refuseInvalidConfiguration,
} from './apply-configuration.ts'
import {
  findConfigRevision,
  findLatestConfigRevision,
  findPreviousConfigRevision,
  listConfigRevisions,
} from './configuration.queries.ts'
import { parseConfigRevision, serializeConfiguration, validateParts } from './configuration.ts'

/** The current configuration with the version that a change must send. */
export async function showConfiguration(ctx: Context): Promise<Configuration> {
  allow(ctx, ['config.write'])
  return toConfiguration(await findCurrentConfiguration(ctx.db, ctx.site, ctx.publicDir))
}

/**
 * The whole configuration as a file, with the live texts of its pages and entries, for `config import` and the import
 * screen.
 * @returns `omitted`: how many of the oldest entries were left out, because the file would be too large to import
 */
export async function exportConfiguration(ctx: Context): Promise<{ version: number; text: string; omitted: number }> {
  allow(ctx, ['config.write'])
  const { version, site } = await findCurrentConfiguration(ctx.db, ctx.site, ctx.publicDir)
  const exported = await withLivePages(ctx.db, site)
  return { version, text: serializeConfiguration(exported.site), omitted: exported.omitted }
}

export const toConfiguration = ({ version, revision, site }: CurrentConfiguration): Configuration => ({
  version,
  revision: revision ?? null,
  config: partsOf(site),
})

/** One page of configuration revisions, newest first. */
export async function showConfigRevisions(
  ctx: Context,
  query: { page: number; pageSize: number },
): Promise<ListOf<ConfigRevision>> {
  allow(ctx, ['config.write'])
  const { revisions, ...totals } = await listConfigRevisions(ctx.db, rangeOf(query))
  return toListOf(revisions, query, totals)
}

/**
 * A revision with its configuration, and with that of the previous revision if it is still valid.
 * @throws {Refusal} `not_found`; `invalid` when the configuration of the revision itself is no longer valid
 */
export async function showConfigRevision(ctx: Context, id: number): Promise<RevisionWithConfig> {
  allow(ctx, ['config.write'])
  const row = await findConfigRevision(ctx.db, id)
  if (!row) throw new Refusal('not_found')
  const { config, ...revision } = row
  const [latest, previous] = await Promise.all([
    findLatestConfigRevision(ctx.db),
    findPreviousConfigRevision(ctx.db, id),
  ])
  const parts = await refuseInvalidConfiguration(async () => partsOfRevision({ id, config }))
  const previousParts = previous && partsIfValid(previous)
  return {
    revision,
    config: parts,
    before: previousParts ?? null,
    beforeId: previousParts ? previous.id : null,
    inForce: latest?.id === id,
  }
}

/** The parts of a revision, also when the file of its logo was deleted. */
const partsOfRevision = (revision: { id: number; config: string }) => partsOf(parseConfigRevision(revision, undefined))

/** The parts of a revision; undefined when they are no longer valid. */
function partsIfValid(revision: { id: number; config: string }) {
  try {
    return partsOfRevision(revision)
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    return undefined
  }
}

/**
 * The current configuration with other parts, for a preview; nothing is stored.
 * @param text the parts, as JSON; any other fields are ignored
 * @throws {Refusal} `malformed`, `invalid`
 */
export async function previewConfiguration(ctx: Context, text: string): Promise<SiteConfig> {
  allow(ctx, ['config.write'])
  const input = parseObject(text)
  const parts = Object.fromEntries(configParts.filter((part) => part in input).map((part) => [part, input[part]]))
  return refuseInvalidConfiguration(async () => validateParts(ctx.site, parts, 'the preview', ctx.publicDir))
}

/** @throws {Refusal} `malformed` */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !isNestedTooDeep(text)) return value as Record<string, unknown>
  } catch {
    // Refused below, like any value that is not an object.
  }
  throw new Refusal('malformed')
}
