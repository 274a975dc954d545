// @ts-check
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './setup/build.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { becomeNode26 } from './setup/node26.mjs'
import { runScript, Stop } from './setup/project.mjs'

await runScript(() => {
  if (spawnSync('wrk', ['--version']).error) {
    throw new Stop(
      'The bench needs the load generator wrk. Install the package "wrk" (apt install wrk, brew install wrk).',
    )
  }
  ensureInstalled({ dev: true })
  process.env.CHROME_PATH = ensureChromium()
  ensureBuilt()
  becomeNode26(['bench/run.ts', ...process.argv.slice(2)])
})
