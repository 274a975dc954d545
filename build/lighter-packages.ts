import type { Plugin } from 'vite'

const id = '\0without-postcss'

/**
 * Removes what packages would send to the browser unused: `postcss` in `sanitize-html`, because no style attributes are
 * allowed (`clean-html.ts`); of `htmlparser2` all but the parser, because `require` keeps a package whole; and Puck's
 * stylesheet for its own screens, which it carries as a string and does not inject because `visual-editor.css` provides
 * the styles. Puck has no entry without that string, so it is cut out here; the build fails if a version of Puck does not
 * contain it.
 */
export function lighterPackages(): Plugin {
  let cut = false
  return {
    name: 'etalage:lighter-packages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async resolveId(source, importer) {
      if (source === 'postcss') return id
      if (source !== 'htmlparser2') return
      const whole = await this.resolve(source, importer, { skipSelf: true })
      return whole?.id.replace(/index\.js$/, 'Parser.js')
    },
    load: (source) => (source === id ? 'export const parse = undefined\nexport default {}' : undefined),
    transform(code, source) {
      if (!source.includes('@puckeditor/core')) return
      const start = code.indexOf(declaration)
      if (start < 0) return
      const end = code.indexOf('`;', start + declaration.length)
      if (end < 0) this.error(`the stylesheet in ${source} does not end as expected`)
      cut = true
      return { code: `${code.slice(0, start)}var defaultUiStyles = ''${code.slice(end + 1)}`, map: null }
    },
    buildEnd(error) {
      if (this.environment.mode === 'build' && !error && !cut)
        this.error(`no module of @puckeditor/core has \`${declaration}\``)
    },
  }
}

const declaration = 'var defaultUiStyles = `'
