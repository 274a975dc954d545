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
import { log, root, run, runScript, Stop } from './setup/project.mjs'

/** The path of a file in `node_modules`. @param {string} path */
const tool = (path) => join(root, 'node_modules', path)

/** @type {string[]} The name and duration of each phase. */
const durations = []

await runScript(async () => {
  await measure('Install', async () => {
    const packages = runInBackground(process.execPath, [join(root, 'scripts', 'debian-packages.mjs')])
    ensureInstalled({ dev: true })
    await packages
  })
  const chromium = ensureChromium()
  log(`Chromium: ${chromium}`)
  for (const name of listMissingPrograms()) log(`${name}: cannot be installed here, so the tests with it are skipped`)

  // The build mostly uses one processor; lint and types use the others meanwhile. Checkers repeat some work: two take
  // nearly twice the processor time of one.
  const checkers = String(Math.max(1, Math.min(4, availableParallelism() - 1)))
  const lint = runInBackground(node26(), [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings'])
  const types = runInBackground(node26(), [tool('typescript/bin/tsc'), '-p', 'tsconfig.json', '--checkers', checkers])
  await check('Build', () => {
    ensureBuilt()
    return 0
  })
  await check('Lint', () => lint)
  await check('Types', () => types)
  await test({ ...process.env, CHROME_PATH: chromium })
})

/** @param {string} node @param {string[]} args @returns {Promise<number>} the exit code */
async function runInBackground(node, args) {
  const [code] = await once(spawn(node, args, { stdio: 'inherit' }), 'exit')
  return code ?? 1
}

/**
 * Runs one phase and records its duration.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
async function measure(name, work) {
  const start = Date.now()
  try {
    return await work()
  } finally {
    durations.push(`${name} ${((Date.now() - start) / 1000).toFixed(1)} s`)
  }
}

/**
 * Runs a check and prints whether it passed.
 * @param {string} name
 * @param {() => number | Promise<number>} work
 */
async function check(name, work) {
  log(`\n${name}`)
  let code = 1
  try {
    code = await measure(name, work)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`${error.message}\n`)
  }
  if (code !== 0) {
    log(`${name}: failed\n0 passed, 1 failed`)
    throw new Stop('', code)
  }
  log(`${name}: fine`)
}

/**
 * Runs all tests, or with `--changed` those that depend on uncommitted files. The last line of the output counts them.
 * @param {NodeJS.ProcessEnv} env
 */
async function test(env) {
  log('\nTests')
  const folder = mkdtempSync(join(tmpdir(), 'etalage-tests-'))
  const report = join(folder, 'report.json')
  try {
    const options = process.argv.slice(2)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await measure('Tests', () =>
      run(node26(), [tool('vitest/vitest.mjs'), 'run', ...reporters, ...options], env),
    )
    const { passed, failed } = countTests(report, code)
    log(`\n${durations.join(', ')}`)
    log(`${passed} passed, ${failed} failed`)
    if (code !== 0 || failed > 0) throw new Stop('', code || 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Counts the tests. A file that does not load, or an error outside any test, counts as one failed test.
 * @param {string} report
 * @param {number} code
 */
function countTests(report, code) {
  let passed = 0
  let failed = 0
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    passed = result.numPassedTests
    failed = result.numFailedTests
  } catch {
    // No report: the test runner failed, with an exit code that is not 0.
  }
  const nothingRan = passed === 0 && !process.argv.includes('--changed')
  return { passed, failed: failed === 0 && (code !== 0 || nothingRan) ? 1 : failed }
}
