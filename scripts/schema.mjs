// @ts-check
import { ensureInstalled } from './setup/install.mjs'
import { runScript, writeDocument } from './setup/project.mjs'

await runScript(async () => {
  ensureInstalled({ dev: false })
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport('./src/domain/configuration/configuration.ts', { logLevel: 'warn' })
  writeDocument(
    'site.schema.json',
    /** @type {{ configurationJsonSchema(): object }} */ (module).configurationJsonSchema(),
  )
})
