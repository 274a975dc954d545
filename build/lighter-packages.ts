import type { Plugin } from 'vite'

const id = '\0without-postcss'

/**
 * What packages bring to the browser and is not used there: `sanitize-html` reads styles with `postcss`, of which nothing
 * passes (`clean-html.ts`); Puck holds its own look as text, with a font from elsewhere (`visual-editor.css`).
 */
export function lighterPackages(): Plugin {
  return {
    name: 'etalage:lighter-packages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: (source) => (source === 'postcss' ? id : undefined),
    load: (source) => (source === id ? 'export const parse = undefined\nexport default {}' : undefined),
    transform: (code, source) =>
      source.includes('@puckeditor/core') && code.includes(look)
        ? { code: code.replace(new RegExp(`${look}\`[^\`]*\``), `${look}''`), map: null }
        : undefined,
  }
}

const look = 'var defaultUiStyles = '
