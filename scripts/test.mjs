// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './setup/build.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { node26 } from './setup/node26.mjs'
import { command, root, run, Stop, say } from './setup/project.mjs'

/** @param {string} path */
const tool = (path) => join(root, 'node_modules', path)

await command(() => {
  ensureInstalled({ dev: true })
  const chromium = ensureChromium()
  say(`Chromium: ${chromium}`)

  check('Types', () => run(node26(), [tool('typescript/bin/tsc'), '-p', 'tsconfig.json']))
  check('Lint', () => run(node26(), [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings']))
  check('Build', () => {
    build()
    return 0
  })
  test({ ...process.env, CHROME_PATH: chromium })
})

/**
 * Stops everything at the first that fails.
 * @param {string} what
 * @param {() => number} work
 */
function check(what, work) {
  say(`\n${what}`)
  const start = Date.now()
  let code = 1
  try {
    code = work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`${error.message}\n`)
  }
  if (code !== 0) {
    say(`${what}: failed\n0 passed, 1 failed`)
    throw new Stop('', code)
  }
  say(`${what}: fine, ${((Date.now() - start) / 1000).toFixed(1)} s`)
}

/** Runs all tests; the last line counts them. @param {NodeJS.ProcessEnv} env */
function test(env) {
  say('\nTests')
  const folder = mkdtempSync(join(tmpdir(), 'etalage-tests-'))
  const report = join(folder, 'report.json')
  try {
    const more = process.argv.slice(2)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = run(node26(), [tool('vitest/vitest.mjs'), 'run', ...reporters, ...more], env)
    const { passed, failed } = count(report, code)
    say(`${passed} passed, ${failed} failed`)
    if (code !== 0 || failed > 0) throw new Stop('', code || 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A file that does not load, or an error outside any test, fails without a failed test; it counts as one.
 * @param {string} report
 * @param {number} code
 */
function count(report, code) {
  let passed = 0
  let failed = 0
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    passed = result.numPassedTests
    failed = result.numFailedTests
  } catch {
    // No report: the runner itself broke, and its code says so.
  }
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed }
}
