// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { ensureInstalled } from './setup/install.mjs'
import { log, runScript } from './setup/project.mjs'

const path = 'openapi.json'

await runScript(async () => {
  ensureInstalled({ dev: false })
  const { loadConfigFromFile, runnerImport } = await import('vite')
  // The plugins of the build, which provide virtual modules.
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' })
  const plugins = loaded?.config.plugins ?? []
  const { module } = await runnerImport('./src/api/routes.ts', { logLevel: 'warn', plugins })
  const document = /** @type {{ apiDocument(): object }} */ (module).apiDocument()
  const text = `${JSON.stringify(document, null, 2)}\n`
  const isUnchanged = text === readExisting()
  if (!isUnchanged) writeFileSync(path, text)
  log(isUnchanged ? `${path} is as it should be` : `${path} is written`)
})

function readExisting() {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return
  }
}
