import type { Plugin, Rollup } from 'vite'

/**
 * Replacements for packages that `sanitize-html` imports but `clean-html.ts` does not need, in the browser and on the
 * server: `postcss` parses style attributes, which are not allowed; `dayjs` is for the dates of `launder`.
 */
const unusedEverywhere: Record<string, string> = {
  postcss: 'export const parse = undefined\nexport default {}',
  dayjs: 'export default undefined',
}

/**
 * Replacements for packages that the admin does not need: `object-hash` compares the stylesheets of the page, which the
 * canvas of Puck does not copy here; the popover is for menus of Puck's own toolbars.
 */
const adminReplacements: Record<string, string> = {
  ...unusedEverywhere,
  'object-hash': 'export default (value) => JSON.stringify(value)',
  '@radix-ui/react-popover':
    'const none = () => null\nexport { none as Popover, none as PopoverContent, none as PopoverPortal, none as PopoverTrigger }',
}
const prefix = '\0lighter:'

/**
 * Removes unused code of packages from the bundles, for which they have no smaller entry point: the packages above; all
 * of `htmlparser2` but the parser, because `require` keeps a package whole; its named entities, because HTML from the
 * server and the rich text editor only has those of XML; Puck's stylesheet, a string for its own screens that
 * `visual-editor.css` replaces (15 kB compressed); and Zod's conversion to JSON Schema (4.5 kB). On the server, React's
 * streaming renderer. The build fails when a new version of a package no longer contains what is removed.
 */
export function lighterPackages(): Plugin[] {
  return [lighterAdmin(), lighterServer()]
}

/** React's streaming renderer, which its entry point loads in addition to the one that is used. */
const streamingRenderer = './cjs/react-dom-server.node.production.js'

function lighterServer(): Plugin {
  const replaced = { ...unusedEverywhere, [streamingRenderer]: 'export {}' }
  /** What was not replaced yet. */
  const pending = new Set(Object.keys(replaced))
  return {
    name: 'etalage:lighter-server',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(source) {
      if (!Object.hasOwn(replaced, source)) return
      pending.delete(source)
      return prefix + source
    },
    load: (source) =>
      source.startsWith(prefix) ? replaced[source.slice(prefix.length) as keyof typeof replaced] : undefined,
    buildEnd(error) {
      failIfPending(this, error, pending)
    },
  }
}

function lighterAdmin(): Plugin {
  const pending = new Set([...Object.keys(adminReplacements), namedEntities, 'htmlparser2', puckStyles, zodSchemas])
  return {
    name: 'etalage:lighter-packages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async resolveId(source, importer) {
      if (Object.hasOwn(adminReplacements, source)) {
        pending.delete(source)
        return prefix + source
      }
      if (source.endsWith(namedEntities) && importer?.includes('htmlparser2')) {
        pending.delete(namedEntities)
        return prefix + source
      }
      if (source !== 'htmlparser2') return
      const entryPoint = await this.resolve(source, importer, { skipSelf: true })
      const parser = entryPoint?.id.replace(/index\.js$/, 'Parser.js')
      if (parser !== entryPoint?.id) pending.delete(source)
      return parser
    },
    load(source) {
      if (!source.startsWith(prefix)) return undefined
      return adminReplacements[source.slice(prefix.length)] ?? xmlEntities
    },
    transform(code, source) {
      if (source.endsWith(zodSchemas)) {
        const lighter = code.replace(toJsonSchema, (match) => (match.startsWith('create') ? 'undefined' : ''))
        const removed = ['JSONSchemaMethod(', 'processJSONSchema']
        if (removed.every((name) => code.includes(name) && !lighter.includes(name))) pending.delete(zodSchemas)
        return { code: lighter, map: null }
      }
      if (!source.includes('@puckeditor/core')) return
      const start = code.indexOf(puckStyles)
      if (start < 0) return
      const end = code.indexOf('`;', start + puckStyles.length)
      if (end < 0) this.error(`the stylesheet in ${source} does not end as expected`)
      pending.delete(puckStyles)
      return { code: `${code.slice(0, start)}var defaultUiStyles = ''${code.slice(end + 1)}`, map: null }
    },
    buildEnd(error) {
      failIfPending(this, error, pending)
    },
  }
}

/** Fails a build, unless it failed already, in which something was not found to be replaced. */
function failIfPending(build: Rollup.PluginContext, error: Error | undefined, pending: ReadonlySet<string>): void {
  if (build.environment.mode === 'build' && !error && pending.size > 0)
    build.error(`nothing to replace in the packages of ${build.environment.name}: ${[...pending].join(', ')}`)
}

/** The trie of `entities/decode`, with only the five entities of XML. */
const xmlEntities = `export const htmlDecodeTree = /* @__PURE__ */ new Uint16Array([
  512, 26465, 29036, 7, 0, 2, 4, 116, 24638, 116, 24636, 8693, 29807, 24610, 621, 1, 0, 0, 3, 112, 24614, 111, 115, 24615,
])`

const namedEntities = '/decode-data-html.js'
const puckStyles = 'var defaultUiStyles = `'
const zodSchemas = '/zod/v4/classic/schemas.js'
const toJsonSchema =
  /inst\._zod\.processJSONSchema = .+;|create(?:To|Standard)JSONSchemaMethod\(this, (?:\{\}\)\(params\)|"(?:in|out)put"\))/g
