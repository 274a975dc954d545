import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { limits } from '../../contract/limits.ts'
import { addressesIn } from '../../contract/pictures.ts'
import { type SiteConfig, siteConfigSchema } from '../../contract/site-config.ts'
import { cutText } from '../../contract/text.ts'
import { ConfigurationRefused, upgradeConfiguration } from '../../platform/config/site-file.ts'

const schema = siteConfigSchema(blockSchema)
/** So many wrong places are named. */
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

/**
 * The same for a revision that the database holds. It was judged by the rules of its time: a page title that has become
 * too long since is cut, for nobody can mend it there and a start must not fail on it.
 */
export function readRevision({ id, config }: { id: number; config: string }, publicDir?: string): SiteConfig {
  const source = `revision ${id}`
  return judgeConfiguration(withShortTitles(upgradeConfiguration(config, source)), source, publicDir)
}

function withShortTitles(config: { [key: string]: unknown }): object {
  if (!Array.isArray(config.pages)) return config
  const shortened = (content: unknown) =>
    isObject(content) && typeof content.title === 'string'
      ? { ...content, title: cutText(content.title, limits.pageTitleChars) }
      : content
  const inEach = (contents: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(contents).map(([locale, content]) => [locale, shortened(content)]))
  return {
    ...config,
    pages: config.pages.map((page: unknown) =>
      isObject(page) && isObject(page.content) ? { ...page, content: inEach(page.content) } : page,
    ),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The same for a configuration of today's version that is parsed already. */
export function judgeConfiguration(config: object, source: string, publicDir = 'public'): SiteConfig {
  refuseManyPages(config, source)
  const result = schema.safeParse(config)
  if (!result.success) {
    throw new ConfigurationRefused(
      source,
      result.error.issues
        .slice(0, mostProblems)
        .map((issue) => ({ path: issue.path.join('.'), reason: issue.message })),
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

/** Counted before any of them is read: what is wrong with each of a hundred thousand takes seconds to say. */
function refuseManyPages(config: object, source: string): void {
  const limit = limits.configPages
  if (!('pages' in config) || !Array.isArray(config.pages) || config.pages.length <= limit) return
  throw new ConfigurationRefused(
    source,
    [{ path: 'pages', reason: `at most ${limit} pages are wanted` }],
    [{ path: 'pages', key: 'tooManyPages', limit }],
  )
}

/** The file as the repository holds it, and as an import reads it. */
export const configurationText = (site: SiteConfig): string =>
  `${JSON.stringify({ $schema: './site.schema.json', ...site }, null, 2)}\n`

/** JSON Schema of the file, for editors that complete and check it. */
export function configurationJsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'ref' })
}
