// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { ensureInstalled } from './setup/install.mjs'
import { command, log } from './setup/project.mjs'

const path = 'openapi.json'

await command(async () => {
  ensureInstalled({ dev: false })
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport('./src/api/routes.ts', { logLevel: 'warn' })
  const document = /** @type {{ apiDocument(): object }} */ (module).apiDocument()
  const text = `${JSON.stringify(document, null, 2)}\n`
  const before = existing()
  if (text !== before) writeFileSync(path, text)
  log(text === before ? `${path} is as it should be` : `${path} is written`)
})

function existing() {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return
  }
}
