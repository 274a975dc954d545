import { partsOf } from '../../contract/config-parts.ts'
import type { Configuration } from '../../contract/configuration.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { withLivePages } from '../pages/live-configuration.ts'
import { canWriteConfiguration } from './configuration.policy.ts'
import { configurationText } from './configuration.ts'
import { findInForce, type InForce } from './put-in-force.ts'

/** What stands now, with the number that a change begins with. */
export async function showConfiguration(ctx: Context): Promise<Configuration> {
  allow(ctx, canWriteConfiguration)
  return shown(await findInForce(ctx.db, ctx.site, ctx.publicDir))
}

/** The whole of it as a file with the pages that it carries as visitors see them, which `config import` and the screens read. */
export async function exportConfiguration(ctx: Context): Promise<{ version: number; text: string }> {
  allow(ctx, canWriteConfiguration)
  const { version, site } = await findInForce(ctx.db, ctx.site, ctx.publicDir)
  return { version, text: configurationText(await withLivePages(ctx.db, site)) }
}

export const shown = ({ version, revision, site }: InForce): Configuration => ({
  version,
  revision: revision ?? null,
  config: partsOf(site),
})
