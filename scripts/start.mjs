// @ts-check
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { becomeNode26, server } from './setup/node26.mjs'
import { runScript } from './setup/project.mjs'

await runScript(() => {
  ensureInstalled({ dev: false })
  ensureBuilt()
  becomeNode26([...server.flags, 'dist/server/main.js'], server.environment)
})
