// @ts-check
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { installByApt, isInstalled, isProgram } from './apt.mjs'
import { node26 } from './node26.mjs'
import { log, root, run, Stop } from './project.mjs'

/** Without the sandbox, which does not work for root, and without background traffic of the browser itself. */
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

/** Chromium without a user interface: the tests take half the processor time with it. */
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
 * @throws {Stop} when CHROME_PATH is set and does not start
 */
export function findChromium() {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) {
    if (starts(CHROME_PATH)) return CHROME_PATH
    throw new Stop(`CHROME_PATH is ${CHROME_PATH}, and no Chromium starts there.`)
  }
  const onPath = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...onPath, ...defaultPaths, playwrightChromium()].find((path) => path && isProgram(path) && starts(path))
}

export const needsHeadlessShell = () => !process.env.CHROME_PATH && !isInstalled(headlessShell)

/**
 * Finds or installs Chromium: the headless shell by apt, or else any installed Chromium, or else Playwright's.
 * @returns its path
 */
export function ensureChromium() {
  if (needsHeadlessShell()) {
    // Older releases of Debian and Ubuntu have no package of the headless shell.
    if (!installByApt(headlessShell) && !findChromium()) installByApt('chromium')
  }
  const installed = findChromium()
  if (installed) return installed

  log('Downloading one: playwright-core install chromium')
  run(node26(), [join(root, 'node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium'])
  const downloaded = findChromium()
  if (downloaded) return downloaded
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

/** Whether it starts: Ubuntu's `chromium-browser` may be a stub that only refers to snap. @param {string} path */
function starts(path) {
  if (process.platform === 'win32') return isProgram(path)
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
