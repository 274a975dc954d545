import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { type SiteConfig, siteConfigSchema } from '../../contract/site-config.ts'
import { ConfigurationRefused, upgradeConfiguration } from '../../platform/config/site-file.ts'

const schema = siteConfigSchema(blockSchema)

/**
 * Reads a configuration's text, of this version or an older one. Rich text comes out clean.
 * @param source what the text is called in a refusal: a file's path, or the number of a revision
 * @param publicDir where the files are that it names
 * @throws {ConfigurationRefused} naming each place that is wrong
 */
export function readConfiguration(text: string, source: string, publicDir = 'public'): SiteConfig {
  const result = schema.safeParse(upgradeConfiguration(text, source))
  if (!result.success) {
    throw new ConfigurationRefused(
      source,
      result.error.issues.map((issue) => ({ path: issue.path.join('.'), reason: issue.message })),
    )
  }
  const { src } = result.data.logo
  if (!existsSync(join(publicDir, src))) {
    throw new ConfigurationRefused(source, [{ path: 'logo.src', reason: `there is no file ${publicDir}${src}` }])
  }
  return result.data
}

/** JSON Schema of the file, for editors that complete and check it. */
export function configurationJsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'ref' })
}
