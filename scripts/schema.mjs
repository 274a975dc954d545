// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { ensureInstalled } from './setup/install.mjs'
import { log, runScript } from './setup/project.mjs'

const path = 'site.schema.json'

await runScript(async () => {
  ensureInstalled({ dev: false })
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport('./src/domain/configuration/configuration.ts', { logLevel: 'warn' })
  const schema = /** @type {{ configurationJsonSchema(): object }} */ (module).configurationJsonSchema()
  const text = `${JSON.stringify(schema, null, 2)}\n`
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
