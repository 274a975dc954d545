// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './setup/build.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { listMissingPrograms } from './setup/debian-programs.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { node26 } from './setup/node26.mjs'
import { command, log, root, run, Stop } from './setup/project.mjs'

/** @param {string} path */
const tool = (path) => join(root, 'node_modules', path)

/** @type {string[]} The duration of each phase. */
const phases = []

await command(async () => {
  await phase('Install', async () => {
    const packages = inBackground(process.execPath, [join(root, 'scripts', 'debian-packages.mjs')])
    ensureInstalled({ dev: true })
    await packages
  })
  const chromium = ensureChromium()
  log(`Chromium: ${chromium}`)
  for (const name of listMissingPrograms()) log(`${name}: cannot be installed here, so the tests with it are skipped`)

  // The build uses one processor most of the time, these the rest. Checkers repeat some of each other's work: two of them take
  // nearly twice the processor time of one.
  const checkers = String(Math.max(1, Math.min(4, availableParallelism() - 1)))
  const lint = inBackground(node26(), [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings'])
  const types = inBackground(node26(), [tool('typescript/bin/tsc'), '-p', 'tsconfig.json', '--checkers', checkers])
  await check('Build', () => {
    ensureBuilt()
    return 0
  })
  await check('Lint', () => lint)
  await check('Types', () => types)
  await test({ ...process.env, CHROME_PATH: chromium })
})

/** @param {string} node @param {string[]} args @returns {Promise<number>} the exit code */
async function inBackground(node, args) {
  const [code] = await once(spawn(node, args, { stdio: 'inherit' }), 'exit')
  return code ?? 1
}

/**
 * Runs one phase and records its duration.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
async function phase(name, work) {
  const start = Date.now()
  try {
    return await work()
  } finally {
    phases.push(`${name} ${((Date.now() - start) / 1000).toFixed(1)} s`)
  }
}

/**
 * Stops at the first failure.
 * @param {string} what
 * @param {() => number | Promise<number>} work
 */
async function check(what, work) {
  log(`\n${what}`)
  let code = 1
  try {
    code = await phase(what, work)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`${error.message}\n`)
  }
  if (code !== 0) {
    log(`${what}: failed\n0 passed, 1 failed`)
    throw new Stop('', code)
  }
  log(`${what}: fine`)
}

/**
 * Runs all tests, or with `--changed` those that depend on uncommitted files. The last line counts them.
 * @param {NodeJS.ProcessEnv} env
 */
async function test(env) {
  log('\nTests')
  const folder = mkdtempSync(join(tmpdir(), 'etalage-tests-'))
  const report = join(folder, 'report.json')
  try {
    const more = process.argv.slice(2)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await phase('Tests', () =>
      run(node26(), [tool('vitest/vitest.mjs'), 'run', ...reporters, ...more], env),
    )
    const { passed, failed } = count(report, code)
    log(`\n${phases.join(', ')}`)
    log(`${passed} passed, ${failed} failed`)
    if (code !== 0 || failed > 0) throw new Stop('', code || 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A file that does not load, or an error outside any test, has no failed test in the report; it counts as one.
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
    // No report: the test runner itself failed, as its exit code tells.
  }
  const nothingRan = passed === 0 && !process.argv.includes('--changed')
  return { passed, failed: failed === 0 && (code !== 0 || nothingRan) ? 1 : failed }
}
