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
// Without `vite.config.ts`, which bundles every package: in development Node loads packages unbundled.
const vite = await createViteServer({
  root,
  configFile: false,
  appType: 'custom',
  publicDir: false,
  plugins: [buildId(), siteFonts(), clientAssets()],
  // The packages of all screens are pre-bundled at the start; otherwise the first visit to a screen reloads it.
  optimizeDeps: { entries: ['src/admin/main.tsx', 'src/admin/features/**/*.tsx'] },
  server: { middlewareMode: true, hmr: { server: http, overlay: false } },
})

/** Every restart creates a setup link, but only the first one is printed. */
let isLinkPrinted = false
/** @type {Promise<App>} */
let app = load()
/** Resolves when no restart is in progress. */
let idle = app.then(ignore, ignore)

// A change to the server's sources or the configuration restarts the app, with a new database connection.
vite.watcher.add(`${root}site.config.json`)
vite.watcher.on('all', (_event, path) => {
  if (!/[\\/](src|site\.config\.json)/.test(path.slice(root.length - 1)) || /\.test\.tsx?$/.test(path)) return
  app = restart(app)
  app.then(() => vite.environments.client.hot.send({ type: 'full-reload' }), printError)
})
app.catch(printError)

/** Stops the old app and loads a new one, after any restart in progress. @param {Promise<App>} oldApp */
async function restart(oldApp) {
  const previousRestart = idle
  const { promise, resolve: done } = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers())
  idle = promise
  try {
    await previousRestart
    await oldApp.then((old) => old.stop(), ignore)
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
  const newApp = await createApp({ settings, log: createLog(settings.logLevel) })
  try {
    const origin = settings.baseUrl ?? `http://localhost:${settings.port}`
    const { link } = await ensureAdministrator({ ...newApp.context(), origin }, settings.admin)
    if (link && !isLinkPrinted) log(`  Make the first administrator: ${link}\n`)
    isLinkPrinted ||= Boolean(link)
    await newApp.startJobs()
    return newApp
  } catch (error) {
    // Closes the database, which the next app opens.
    await newApp.stop()
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
    await app.then((running) => running.stop(), ignore)
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

function ignore() {}
