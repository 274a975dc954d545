import type { Plugin, Rollup } from 'vite'

/**
 * Packages that `sanitize-html` imports for what `clean-html.ts` does not use, in the browser and on the server, with what
 * replaces them: `postcss` parses style attributes, which are not allowed; `dayjs` is for `launder`'s dates.
 */
const unusedEverywhere: Record<string, string> = {
  postcss: 'export const parse = undefined\nexport default {}',
  dayjs: 'export default undefined',
}

/**
 * The same for what the admin does not use: `object-hash` compares the host's stylesheets, which the canvas does not copy; the
 * popover belongs to the menus of Puck's own toolbars.
 */
const replacements: Record<string, string> = {
  ...unusedEverywhere,
  'object-hash': 'export default (value) => JSON.stringify(value)',
  '@radix-ui/react-popover':
    'const none = () => null\nexport { none as Popover, none as PopoverContent, none as PopoverPortal, none as PopoverTrigger }',
}
const prefix = '\0lighter:'

/**
 * Removes what packages would send to the browser unused: the packages above; of `htmlparser2` all but the parser,
 * because `require` keeps a package whole, and its table of named entities, because HTML from the server and from the
 * rich text editor has those of XML only; Puck's stylesheet for its own screens, which it carries as a string and
 * does not inject because `visual-editor.css` provides the styles (15 kB compressed); and JSON Schema, which each schema of
 * Zod can be turned into (4.5 kB). Neither has an entry without that, so it is cut out here. The build fails when a version
 * of a package no longer contains what is removed.
 */
export function lighterPackages(): Plugin[] {
  return [lighterAdmin(), lighterServer()]
}

/** React's renderer of streams, which its entry loads beside the one of whole texts. */
const streams = './cjs/react-dom-server.node.production.js'

function lighterServer(): Plugin {
  const replaced = { ...unusedEverywhere, [streams]: 'export {}' }
  const unused = new Set(Object.keys(replaced))
  return {
    name: 'etalage:lighter-server',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(source) {
      if (!Object.hasOwn(replaced, source)) return
      unused.delete(source)
      return prefix + source
    },
    load: (source) =>
      source.startsWith(prefix) ? replaced[source.slice(prefix.length) as keyof typeof replaced] : undefined,
    buildEnd(error) {
      refuseUnused(this, error, unused)
    },
  }
}

function lighterAdmin(): Plugin {
  const unused = new Set([...Object.keys(replacements), namedEntities, 'htmlparser2', declaration, zodSchemas])
  return {
    name: 'etalage:lighter-packages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async resolveId(source, importer) {
      if (Object.hasOwn(replacements, source)) {
        unused.delete(source)
        return prefix + source
      }
      if (source.endsWith(namedEntities) && importer?.includes('htmlparser2')) {
        unused.delete(namedEntities)
        return prefix + source
      }
      if (source !== 'htmlparser2') return
      const whole = await this.resolve(source, importer, { skipSelf: true })
      const parser = whole?.id.replace(/index\.js$/, 'Parser.js')
      if (parser !== whole?.id) unused.delete(source)
      return parser
    },
    load(source) {
      if (!source.startsWith(prefix)) return undefined
      return replacements[source.slice(prefix.length)] ?? xmlEntities
    },
    transform(code, source) {
      if (source.endsWith(zodSchemas)) {
        const lighter = code.replace(toJsonSchema, (found) => (found.startsWith('create') ? 'undefined' : ''))
        const parts = ['JSONSchemaMethod(', 'processJSONSchema']
        if (parts.every((part) => code.includes(part) && !lighter.includes(part))) unused.delete(zodSchemas)
        return { code: lighter, map: null }
      }
      if (!source.includes('@puckeditor/core')) return
      const start = code.indexOf(declaration)
      if (start < 0) return
      const end = code.indexOf('`;', start + declaration.length)
      if (end < 0) this.error(`the stylesheet in ${source} does not end as expected`)
      unused.delete(declaration)
      return { code: `${code.slice(0, start)}var defaultUiStyles = ''${code.slice(end + 1)}`, map: null }
    },
    buildEnd(error) {
      refuseUnused(this, error, unused)
    },
  }
}

function refuseUnused(build: Rollup.PluginContext, error: Error | undefined, unused: ReadonlySet<string>): void {
  if (build.environment.mode === 'build' && !error && unused.size > 0)
    build.error(`nothing to replace in the packages of ${build.environment.name}: ${[...unused].join(', ')}`)
}

/** The trie of `entities/decode` for the five entities of XML. */
const xmlEntities = `export const htmlDecodeTree = /* @__PURE__ */ new Uint16Array([
  512, 26465, 29036, 7, 0, 2, 4, 116, 24638, 116, 24636, 8693, 29807, 24610, 621, 1, 0, 0, 3, 112, 24614, 111, 115, 24615,
])`

const namedEntities = '/decode-data-html.js'
const declaration = 'var defaultUiStyles = `'
const zodSchemas = '/zod/v4/classic/schemas.js'
const toJsonSchema =
  /inst\._zod\.processJSONSchema = .+;|create(?:To|Standard)JSONSchemaMethod\(this, (?:\{\}\)\(params\)|"(?:in|out)put"\))/g
