// @ts-check
import { build } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { runScript } from './setup/project.mjs'

await runScript(() => {
  ensureInstalled({ dev: false })
  build()
})
