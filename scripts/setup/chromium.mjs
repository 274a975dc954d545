// @ts-check
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { has, installByApt, isProgram } from './apt.mjs'
import { node26 } from './node26.mjs'
import { log, root, run, Stop } from './project.mjs'

/** No sandbox, which root cannot have, and no background traffic of the browser itself. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
]

/** Chromium without a window system: the tests take half the processor time with it. */
export const headlessShell = 'chromium-headless-shell'
const names = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const defaultPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds an installed Chromium: by CHROME_PATH, on the PATH, or downloaded by Playwright.
 * @returns {string | undefined} its path
 */
export function findChromium() {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) {
    if (runs(CHROME_PATH)) return CHROME_PATH
    throw new Stop(`CHROME_PATH is ${CHROME_PATH}, and no Chromium starts there.`)
  }
  const onPath = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...onPath, ...defaultPaths, playwrightChromium()].find((path) => path && isProgram(path) && runs(path))
}

export const needsHeadlessShell = () => !process.env.CHROME_PATH && !has(headlessShell)

/**
 * Finds Chromium's headless shell or installs it by apt; where that is not possible, finds any Chromium or downloads
 * Playwright's.
 */
export function ensureChromium() {
  if (needsHeadlessShell()) {
    // Older releases of Debian and Ubuntu have no package of the headless shell alone.
    if (!installByApt(headlessShell) && !findChromium()) installByApt('chromium')
  }
  const found = findChromium()
  if (found) return found

  log('Downloading one: playwright-core install chromium')
  run(node26(), [join(root, 'node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium'])
  const brought = findChromium()
  if (brought) return brought
  throw new Stop(
    'No Chromium could be installed. Install Chromium or Chrome by hand, or name one in CHROME_PATH, and try again.',
  )
}

function playwrightChromium() {
  try {
    return createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  } catch {
    return
  }
}

/** Ubuntu's `chromium-browser` may be a stub that refers to snap, so its existence is not enough. @param {string} path */
function runs(path) {
  if (process.platform === 'win32') return isProgram(path)
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
