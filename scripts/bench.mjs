// @ts-check
import { ensureBuilt } from './setup/build.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { becomeNode26 } from './setup/node26.mjs'
import { command } from './setup/project.mjs'

await command(() => {
  ensureInstalled({ dev: true })
  process.env.CHROME_PATH = ensureChromium()
  ensureBuilt()
  becomeNode26(['bench/run.ts', ...process.argv.slice(2)])
})
