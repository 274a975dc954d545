// @ts-check
import { ensureInstalled } from './setup/install.mjs'
import { becomeNode26 } from './setup/node26.mjs'
import { runScript } from './setup/project.mjs'

await runScript(() => {
  ensureInstalled({ dev: false })
  becomeNode26(['scripts/setup/dev-server.mjs'])
})
