// @ts-check
import { ensureInstalled } from './setup/install.mjs'
import { runScript, writeDocument } from './setup/project.mjs'

await runScript(async () => {
  ensureInstalled({ dev: false })
  const { loadConfigFromFile, runnerImport } = await import('vite')
  // The plugins of the build, which provide virtual modules.
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' })
  const plugins = loaded?.config.plugins ?? []
  const { module } = await runnerImport('./src/api/routes.ts', { logLevel: 'warn', plugins })
  writeDocument('openapi.json', /** @type {{ apiDocument(): object }} */ (module).apiDocument())
})
