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
  const { revisions, ...found } = await listConfigRevisions(ctx.db, rangeOf(query))
  return toListOf(revisions, query, found)
}

/** A revision and the one before it, if that is still valid. @throws {Refusal} `not_found`; `invalid` when it is not itself */
export async function showConfigRevision(ctx: Context, id: number): Promise<RevisionWithConfig> {
  allow(ctx, ['config.write'])
  const found = await findConfigRevision(ctx.db, id)
  if (!found) throw new Refusal('not_found')
  const { config, ...revision } = found
  const [latest, before] = await Promise.all([findLatestConfigRevision(ctx.db), findPreviousConfigRevision(ctx.db, id)])
  const own = await refuseInvalidConfiguration(async () => partsOfRevision({ id, config }))
  const previous = before && partsIfValid(before)
  return {
    revision,
    config: own,
    before: previous ?? null,
    beforeId: previous ? before.id : null,
    inForce: latest?.id === id,
  }
}

/** Its logo may be gone. */
const partsOfRevision = (revision: { id: number; config: string }) => partsOf(parseConfigRevision(revision, undefined))

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
 * @param text the parts, as JSON
 * @throws {Refusal} `malformed`, `invalid`
 */
export async function previewConfiguration(ctx: Context, text: string): Promise<SiteConfig> {
  allow(ctx, ['config.write'])
  const input = parse(text)
  const parts = Object.fromEntries(configParts.filter((part) => part in input).map((part) => [part, input[part]]))
  return refuseInvalidConfiguration(async () => validateParts(ctx.site, parts, 'the preview', ctx.publicDir))
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !isNestedTooDeep(text)) return value as Record<string, unknown>
  } catch {
    // Refused below, like any value that is not an object.
  }
  throw new Refusal('malformed')
}
