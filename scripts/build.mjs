// @ts-check
import { build } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command } from './setup/project.mjs'

await command(() => {
  ensureInstalled({ dev: false })
  build()
})
