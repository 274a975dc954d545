import { existsSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const id = 'virtual:client-assets'

/** Tells the server under which addresses the browser finds what was built for it. */
export function clientAssets(): Plugin {
  let serving = false
  return {
    name: 'etalage:client-assets',
    configResolved(config) {
      serving = config.command === 'serve'
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return
      return `export const enhanceUrl = ${JSON.stringify(serving ? '/src/enhance/main.ts' : builtUrl('src/enhance/main.ts'))}`
    },
  }
}

function builtUrl(entry: string): string {
  const path = 'dist/client/.vite/manifest.json'
  if (!existsSync(path)) throw new Error(`${path} is missing: the browser's part is built before the server's`)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { file: string }>
  const chunk = manifest[entry]
  if (!chunk) throw new Error(`${entry} is not in ${path}`)
  return `/${chunk.file}`
}
