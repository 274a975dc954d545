import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FieldProblem, ValidationKey } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { siteConfigVersion } from '../../contract/site-config.ts'
import { isNestedTooDeep } from '../../contract/text.ts'
import { from11to12 } from './versions/from-1.1-to-1.2.ts'

/** An invalid configuration, with the path and the reason of each problem. */
export class InvalidConfiguration extends Error {
  /** For the operator, in English. */
  readonly problems: { path: string; reason: string }[]
  /** For the admin, in the user's language. */
  readonly fields: FieldProblem[]

  constructor(source: string, problems: { path: string; reason: string }[], fields: FieldProblem[] = []) {
    super(
      [`${source} cannot be used:`, ...problems.map(({ path, reason }) => `  ${path || '(whole)'}: ${reason}`)].join(
        '\n',
      ),
    )
    this.name = 'InvalidConfiguration'
    this.problems = problems
    this.fields = fields
  }
}

type JsonObject = { [key: string]: unknown }

/** The migration of each version to the next. They are never changed after their release. */
const steps: Record<string, { to: string; migrate: (config: JsonObject) => JsonObject }> = {
  '1.1': { to: '1.2', migrate: from11to12 },
}

/**
 * Reads a configuration file.
 * @throws {InvalidConfiguration} when it does not exist or cannot be read
 */
export function readSiteFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InvalidConfiguration(path, [{ path: '', reason: (error as Error).message }])
  }
}

/** The folder of static files: `public` beside the configuration file if it exists, else that of the program. */
export function publicFolderOf(siteConfig: string): string {
  const siteFolder = join(dirname(siteConfig), 'public')
  return existsSync(siteFolder) ? siteFolder : 'public'
}

/**
 * Parses a configuration and upgrades it, step by step, to the current version. The result is not validated yet.
 * @throws {InvalidConfiguration} when it is not JSON, or has no version or an unknown one
 */
export function upgradeConfiguration(text: string, source: string): JsonObject {
  const refuse = (path: string, reason: string, key: ValidationKey): never => {
    throw new InvalidConfiguration(source, [{ path, reason }], [{ path, key }])
  }
  let config = parse(text, refuse)
  // A broken list of steps must not loop forever.
  for (let stepCount = 0; config.version !== siteConfigVersion; stepCount++) {
    const { version } = config
    if (typeof version !== 'string')
      return refuse('version', `a version like "${siteConfigVersion}" is wanted`, 'unknownVersion')
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined
    if (!step || stepCount > Object.keys(steps).length) {
      const isTooNew = isNewer(version)
      return refuse(
        'version',
        isTooNew
          ? `${version} is newer than ${siteConfigVersion}, the newest that this program reads; start a newer program`
          : `${version} is unknown; this program reads ${[...Object.keys(steps), siteConfigVersion].join(', ')}`,
        isTooNew ? 'newerVersion' : 'unknownVersion',
      )
    }
    config = { ...step.migrate(config), version: step.to }
  }
  return config
}

function parse(text: string, refuse: (path: string, reason: string, key: ValidationKey) => never): JsonObject {
  let value: unknown
  if (isNestedTooDeep(text))
    return refuse('', `at most ${limits.jsonLevels} lists and objects may stand in each other`, 'notJson')
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return refuse('', `this is not JSON: ${(error as Error).message}`, 'notJson')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('', 'an object is wanted', 'notJson')
  return value as JsonObject
}

/** Whether a version of the configuration format is newer than the current one. */
function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [currentMajor = 0, currentMinor = 0] = siteConfigVersion.split('.').map(Number)
  return major > currentMajor || (major === currentMajor && minor > currentMinor)
}
