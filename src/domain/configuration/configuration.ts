import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { addressesIn } from '../../contract/pictures.ts'
import { type SiteConfig, siteConfigSchema } from '../../contract/site-config.ts'
import { ConfigurationRefused, upgradeConfiguration } from '../../platform/config/site-file.ts'

const schema = siteConfigSchema(blockSchema)
/** So many wrong places are named at a screen. */
const mostProblems = 200

/**
 * Reads a configuration's text, of this version or an older one. Rich text comes out clean.
 * @param source what the text is called in a refusal: a file's path, or the number of a revision
 * @param publicDir where the files are that it names
 * @throws {ConfigurationRefused} naming each place that is wrong
 */
export function readConfiguration(text: string, source: string, publicDir = 'public'): SiteConfig {
  return judgeConfiguration(upgradeConfiguration(text, source), source, publicDir)
}

/** The same for a configuration of today's version that is parsed already. */
export function judgeConfiguration(config: object, source: string, publicDir = 'public'): SiteConfig {
  const result = schema.safeParse(config)
  if (!result.success) {
    throw new ConfigurationRefused(
      source,
      result.error.issues.map((issue) => ({ path: issue.path.join('.'), reason: issue.message })),
      fieldProblems(result.error, mostProblems),
    )
  }
  const { src } = result.data.logo
  // Whether an upload is there, `put-in-force.ts` asks; a site starts without it too.
  if (addressesIn(src).length === 0 && !existsSync(join(publicDir, src))) {
    throw new ConfigurationRefused(
      source,
      [{ path: 'logo.src', reason: `there is no file ${publicDir}${src}` }],
      [{ path: 'logo.src', key: 'pictureGone' }],
    )
  }
  return result.data
}

/** The file as the repository holds it, and as an import reads it. */
export const configurationText = (site: SiteConfig): string =>
  `${JSON.stringify({ $schema: './site.schema.json', ...site }, null, 2)}\n`

/** JSON Schema of the file, for editors that complete and check it. */
export function configurationJsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'ref' })
}
