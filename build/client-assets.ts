import { existsSync, readFileSync } from 'node:fs'
import { minify, type Plugin, transformWithOxc } from 'vite'

const id = 'virtual:client-assets'
const enhance = 'src/enhance/main.ts'
const passkey = 'src/enhance/passkey.ts'
const suggest = 'src/enhance/suggest.ts'
const formCheck = 'src/enhance/form-check.ts'
const formSteps = 'src/enhance/form-steps.ts'
const admin = 'src/admin/main.tsx'
const texts = { nl: 'src/i18n/nl/admin.ts', fa: 'src/i18n/fa/admin.ts', en: 'src/i18n/en/admin.ts' }
const firstPaint = 'src/enhance/first-paint.ts'

/** Exposes the URLs of the built browser scripts to the server. Each page has one script, which loads the others. */
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
      const found = serving ? asSources() : asBuilt()
      const { enhanceUrl, ...named } = found
      return Object.entries({ ...named, firstPaint: await firstPaintScript(enhanceUrl) })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

async function firstPaintScript(enhanceUrl: string): Promise<string> {
  const written = await transformWithOxc(readFileSync(firstPaint, 'utf8'), firstPaint)
  const filled = written.code.replaceAll('enhanceUrl', JSON.stringify(enhanceUrl))
  return (await minify(firstPaint, filled, { module: true, sourcemap: false })).code.trim()
}

const asSources = () => ({
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

function asBuilt() {
  const manifest = readManifest()
  const chunk = (key: string) => {
    const found = manifest[key]
    if (!found) throw new Error(`${key} is not in ${manifestPath}`)
    return found
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

/** Everything that a browser must load before it can run a chunk: its imports, transitively. */
function withImports(key: string, chunk: (key: string) => Chunk, seen = new Set<string>()): string[] {
  if (seen.has(key)) return []
  seen.add(key)
  return [...(chunk(key).imports ?? []).flatMap((one) => withImports(one, chunk, seen)), key]
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
