// @ts-check
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { becomeNode26 } from './setup/node26.mjs'
import { runScript } from './setup/project.mjs'

await runScript(() => {
  ensureInstalled({ dev: false })
  ensureBuilt()
  becomeNode26(['dist/server/cli.js', ...process.argv.slice(2)])
})
