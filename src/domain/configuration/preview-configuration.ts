import { configParts } from '../../contract/config-parts.ts'
import { Refusal } from '../../contract/errors.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { canWriteConfiguration } from './configuration.policy.ts'
import { judgeConfiguration } from './configuration.ts'
import { refusingFields } from './put-in-force.ts'

/**
 * The configuration in force with other parts, for who wants to see it first; nothing is stored.
 * @param text the parts, as JSON
 * @throws {Refusal} `malformed`, `invalid`
 */
export async function previewConfiguration(ctx: Context, text: string): Promise<SiteConfig> {
  allow(ctx, canWriteConfiguration)
  const given = parse(text)
  const parts = Object.fromEntries(configParts.filter((part) => part in given).map((part) => [part, given[part]]))
  return refusingFields(async () => judgeConfiguration({ ...ctx.site, ...parts }, 'the preview', ctx.publicDir))
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Told below, as any other text that is no object.
  }
  throw new Refusal('malformed')
}
