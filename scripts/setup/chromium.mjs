// @ts-check
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { node26 } from './node26.mjs'
import { root, run, Stop, say } from './project.mjs'

/** Nothing but the page: no sandbox, which root cannot have, and no traffic of its own. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * A Chromium that is on this machine: what CHROME_PATH names, one on the PATH, or the one that Playwright fetched.
 * @returns {string | undefined} its path
 */
export function findChromium() {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) {
    if (runs(CHROME_PATH)) return CHROME_PATH
    throw new Stop(`CHROME_PATH is ${CHROME_PATH}, and no Chromium starts there.`)
  }
  const onPath = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...onPath, ...places, playwrightOwn()].find((path) => path && isProgram(path) && runs(path))
}

/** Finds a Chromium or brings one: Debian's package where there is apt, else Playwright's download. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found

  say('No Chromium is installed.')
  const apt = byApt() ?? findChromium()
  if (apt) return apt

  say('Downloading one: playwright-core install chromium')
  run(node26(), [join(root, 'node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium'])
  const brought = findChromium()
  if (brought) return brought
  throw new Stop(
    'No Chromium could be installed. Install Chromium or Chrome by hand, or name one in CHROME_PATH, and try again.',
  )
}

function byApt() {
  if (process.platform !== 'linux' || !has('apt-get')) return
  const isRoot = process.getuid?.() === 0
  // `-n`: a sudo that would ask for a password fails, and the other way is taken.
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return
  const apt = (/** @type {string[]} */ ...args) => {
    const [program = '', ...rest] = [...(isRoot ? [] : ['sudo', '-n']), 'apt-get', ...args]
    say(`Installing it: ${[program, ...rest].join(' ')}`)
    return run(program, rest, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' })
  }
  apt('update', '-q')
  apt('install', '-y', '-q', '--no-install-recommends', 'chromium')
}

function playwrightOwn() {
  try {
    return createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  } catch {
    return
  }
}

/** @param {string} program */
const has = (program) => (process.env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, program)))

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Ubuntu's `chromium-browser` may be a note that tells to use snap, so being there is not enough. @param {string} path */
function runs(path) {
  if (process.platform === 'win32') return isProgram(path)
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
