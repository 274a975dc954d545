import { existsSync, readFileSync } from 'node:fs'
import { minify, type Plugin, transformWithOxc } from 'vite'

const id = 'virtual:client-assets'
const firstPaint = 'src/enhance/first-paint.ts'

/** Tells the server what was built for the browser: the script that stands in every page, which brings the others. */
export function clientAssets(): Plugin {
  let serving = false
  return {
    name: 'etalage:client-assets',
    configResolved(config) {
      serving = config.command === 'serve'
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return
      const enhanceUrl = serving ? '/src/enhance/main.ts' : builtUrl('src/enhance/main.ts')
      return `export const firstPaint = ${JSON.stringify(await firstPaintScript(enhanceUrl))}`
    },
  }
}

async function firstPaintScript(enhanceUrl: string): Promise<string> {
  const written = await transformWithOxc(readFileSync(firstPaint, 'utf8'), firstPaint)
  const filled = written.code.replaceAll('enhanceUrl', JSON.stringify(enhanceUrl))
  return (await minify(firstPaint, filled, { module: true, sourcemap: false })).code.trim()
}

function builtUrl(entry: string): string {
  const path = 'dist/client/.vite/manifest.json'
  if (!existsSync(path)) throw new Error(`${path} is missing: the browser's part is built before the server's`)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { file: string }>
  const chunk = manifest[entry]
  if (!chunk) throw new Error(`${entry} is not in ${path}`)
  return `/${chunk.file}`
}
