import { readFileSync } from 'node:fs'
import type { FieldProblem, ValidationKey } from '../../contract/errors.ts'
import { siteConfigVersion } from '../../contract/site-config.ts'
import { from11to12 } from './versions/from-1.1-to-1.2.ts'

/** A configuration that cannot be used, with the place and the reason of each thing that is wrong. */
export class ConfigurationRefused extends Error {
  /** In words for an operator. */
  readonly problems: { path: string; reason: string }[]
  /** The same for who reads it at a screen. */
  readonly fields: FieldProblem[]

  constructor(source: string, problems: { path: string; reason: string }[], fields: FieldProblem[] = []) {
    super(
      [`${source} cannot be used:`, ...problems.map(({ path, reason }) => `  ${path || '(whole)'}: ${reason}`)].join(
        '\n',
      ),
    )
    this.name = 'ConfigurationRefused'
    this.problems = problems
    this.fields = fields
  }
}

type Json = { [key: string]: unknown }

/** What brings a version to the next; each was written when that next one came, and is never changed after. */
const steps: Record<string, { to: string; migrate: (config: Json) => Json }> = {
  '1.1': { to: '1.2', migrate: from11to12 },
}

/**
 * Reads the text of a configuration file.
 * @throws {ConfigurationRefused} when it is not there or cannot be read
 */
export function readSiteFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigurationRefused(path, [{ path: '', reason: (error as Error).message }])
  }
}

/**
 * Parses the text and brings it, step by step, to today's version. What comes out is not validated yet.
 * @throws {ConfigurationRefused} for what is not JSON, has no version, or one that this program does not know
 */
export function upgradeConfiguration(text: string, source: string): Json {
  const refuse = (path: string, reason: string, key: ValidationKey): never => {
    throw new ConfigurationRefused(source, [{ path, reason }], [{ path, key }])
  }
  let config = parse(text, refuse)
  for (let guard = 0; config.version !== siteConfigVersion; guard++) {
    const { version } = config
    if (typeof version !== 'string')
      return refuse('version', `a version like "${siteConfigVersion}" is wanted`, 'unknownVersion')
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined
    if (!step || guard > Object.keys(steps).length) {
      const newer = isNewer(version)
      return refuse(
        'version',
        newer
          ? `${version} is newer than ${siteConfigVersion}, the newest that this program reads; start a newer program`
          : `${version} is unknown; this program reads ${[...Object.keys(steps), siteConfigVersion].join(', ')}`,
        newer ? 'newerVersion' : 'unknownVersion',
      )
    }
    config = { ...step.migrate(config), version: step.to }
  }
  return config
}

function parse(text: string, refuse: (path: string, reason: string, key: ValidationKey) => never): Json {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return refuse('', `this is not JSON: ${(error as Error).message}`, 'notJson')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('', 'an object is wanted', 'notJson')
  return value as Json
}

function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = siteConfigVersion.split('.').map(Number)
  return major > ownMajor || (major === ownMajor && minor > ownMinor)
}
