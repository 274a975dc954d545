// @ts-check
import { createServer as createHttpServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createServer as createViteServer } from 'vite'
import { buildId } from '../../build/build-id.ts'
import { clientAssets } from '../../build/client-assets.ts'
import { siteFonts } from '../../build/site-fonts.ts'
import { log, root } from './project.mjs'

/** @typedef {import('../../src/app.ts').App} App */

const http = createHttpServer()
// Not `vite.config.ts`: it bundles every package, while in development Node loads them as they are.
const vite = await createViteServer({
  root,
  configFile: false,
  appType: 'custom',
  publicDir: false,
  plugins: [buildId(), siteFonts(), clientAssets()],
  // Pre-bundled at the start, so that a first visit to an admin screen does not reload it.
  optimizeDeps: { entries: ['src/admin/main.tsx', 'src/admin/features/**/*.tsx'] },
  server: { middlewareMode: true, hmr: { server: http, overlay: false } },
})

/** Every restart creates a setup link; printing one is enough. */
let linkPrinted = false
/** @type {Promise<App>} */
let app = load()
let busy = app.then(forget, forget)

/** A change to the server's sources or the configuration restarts the app, with a new database connection. */
vite.watcher.add(`${root}site.config.json`)
vite.watcher.on('all', (_event, path) => {
  if (!/[\\/](src|site\.config\.json)/.test(path.slice(root.length - 1)) || /\.test\.tsx?$/.test(path)) return
  app = reloaded(app)
  app.then(() => vite.environments.client.hot.send({ type: 'full-reload' }), printError)
})
app.catch(printError)

/** @param {Promise<App>} old */
async function reloaded(old) {
  const before = busy
  let done = () => {}
  busy = new Promise((resolve) => {
    done = resolve
  })
  try {
    await before
    await old.then((one) => one.stop(), forget)
    return await load()
  } finally {
    done()
  }
}

async function load() {
  vite.environments.ssr.moduleGraph.invalidateAll()
  const { readSettings } = await vite.ssrLoadModule('/src/platform/config/settings.ts')
  const { createLog } = await vite.ssrLoadModule('/src/platform/log/log.ts')
  const { createApp } = await vite.ssrLoadModule('/src/app.ts')
  const { ensureAdministrator } = await vite.ssrLoadModule('/src/domain/sign-in/first-administrator.ts')
  const settings = readSettings()
  const made = await createApp({ settings, log: createLog(settings.logLevel) })
  try {
    const origin = settings.baseUrl ?? `http://localhost:${settings.port}`
    const { link } = await ensureAdministrator({ ...made.context(), origin }, settings.admin)
    if (link && !linkPrinted) log(`  Make the first administrator: ${link}\n`)
    linkPrinted ||= Boolean(link)
    await made.startJobs()
    return made
  } catch (error) {
    // The next one opens the same database.
    await made.stop()
    throw error
  }
}

const listener = getRequestListener(
  async (request, env) => {
    const response = await (await app).fetch(request, env)
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    const html = await response.text()
    const headers = new Headers(response.headers)
    for (const name of ['content-length', 'etag']) headers.delete(name)
    const reload = '<script type="module" src="/@vite/client"></script>'
    return new Response(html.replace('</head>', `${reload}</head>`), { status: response.status, headers })
  },
  { overrideGlobalObjects: false, errorHandler: (error) => new Response(printError(error), { status: 500 }) },
)

http.on('request', (request, response) => {
  // The reload script cannot be inserted into a compressed page.
  delete request.headers['accept-encoding']
  vite.middlewares(request, response, () => void listener(request, response))
})
http.listen({ port: Number(process.env.PORT ?? 3000), ...(process.env.HOST && { host: process.env.HOST }) }, () => {
  const address = http.address()
  log(`\n  Etalage, reloading what changes: http://localhost:${typeof address === 'object' ? address?.port : ''}\n`)
})

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, async () => {
    http.close()
    http.closeAllConnections()
    await app.then((one) => one.stop(), forget)
    await vite.close()
    process.exit(0)
  })
}

/** @param {unknown} error @returns {string} */
function printError(error) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${text}\n`)
  return text
}

function forget() {}
