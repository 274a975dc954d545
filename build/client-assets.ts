import { existsSync, readFileSync } from 'node:fs'
import { minify, type Plugin, transformWithOxc } from 'vite'

const moduleId = 'virtual:client-assets'
const enhance = 'src/enhance/main.ts'
const passkey = 'src/enhance/passkey.ts'
const suggest = 'src/enhance/suggest.ts'
const formCheck = 'src/enhance/form-check.ts'
const formSteps = 'src/enhance/form-steps.ts'
const admin = 'src/admin/main.tsx'
const texts = { nl: 'src/i18n/nl/admin.ts', fa: 'src/i18n/fa/admin.ts', en: 'src/i18n/en/admin.ts' }
const firstPaint = 'src/enhance/first-paint.ts'

/** A module for the server with the URLs of the browser scripts, and the inline script that loads them. */
export function clientAssets(): Plugin {
  let isDevelopment = false
  return {
    name: 'etalage:client-assets',
    configResolved(config) {
      isDevelopment = config.command === 'serve'
    },
    resolveId: (source) => (source === moduleId ? `\0${moduleId}` : undefined),
    async load(source) {
      if (source !== `\0${moduleId}`) return
      const { enhanceUrl, ...assets } = isDevelopment ? sourceUrls() : builtUrls()
      return Object.entries({ ...assets, firstPaint: await firstPaintScript(enhanceUrl) })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

async function firstPaintScript(enhanceUrl: string): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(firstPaint, 'utf8'), firstPaint)
  const withUrl = code.replaceAll('enhanceUrl', JSON.stringify(enhanceUrl))
  return (await minify(firstPaint, withUrl, { module: true, sourcemap: false })).code.trim()
}

/** Vite's development server serves sources at their paths. */
const sourceUrls = () => ({
  enhanceUrl: `/${enhance}`,
  passkeyUrl: `/${passkey}`,
  suggestUrl: `/${suggest}`,
  formCheckUrl: `/${formCheck}`,
  formStepsUrl: `/${formSteps}`,
  admin: {
    script: `/${admin}`,
    styles: [],
    modules: [],
    texts: { nl: `/${texts.nl}`, fa: `/${texts.fa}`, en: `/${texts.en}` },
  },
})

function builtUrls() {
  const manifest = readManifest()
  const chunk = (key: string) => {
    const entry = manifest[key]
    if (!entry) throw new Error(`${key} is not in ${manifestPath}`)
    return entry
  }
  const url = (key: string) => `/${chunk(key).file}`
  const modules = withImports(admin, chunk)
  return {
    enhanceUrl: url(enhance),
    passkeyUrl: url(passkey),
    suggestUrl: url(suggest),
    formCheckUrl: url(formCheck),
    formStepsUrl: url(formSteps),
    admin: {
      script: url(admin),
      styles: modules.flatMap((key) => chunk(key).css ?? []).map((file) => `/${file}`),
      modules: modules.filter((key) => key !== admin).map(url),
      texts: { nl: url(texts.nl), fa: url(texts.fa), en: url(texts.en) },
    },
  }
}

/** The keys of a chunk and of its imports, transitively: what a browser must load to run it, in order. */
function withImports(key: string, chunk: (key: string) => Chunk, seen = new Set<string>()): string[] {
  if (seen.has(key)) return []
  seen.add(key)
  return [...(chunk(key).imports ?? []).flatMap((imported) => withImports(imported, chunk, seen)), key]
}

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const manifestPath = 'dist/client/.vite/manifest.json'

function readManifest(): Record<string, Chunk> {
  if (!existsSync(manifestPath)) {
    throw new Error(`${manifestPath} is missing: the browser's part is built before the server's`)
  }
  return JSON.parse(readFileSync(manifestPath, 'utf8'))
}
