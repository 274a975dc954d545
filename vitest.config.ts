import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildId } from './build/build-id.ts'
import { clientAssets } from './build/client-assets.ts'
import { emptyDatabase } from './build/empty-database.ts'
import { siteFonts } from './build/site-fonts.ts'
import { patienceMs } from './test/support/wait-until.ts'

// Tests write much and keep nothing, so their temporary files live in memory where there is room.
if (hasRoom('/dev/shm')) process.env.TMPDIR ??= '/dev/shm'

// An image process loads jsdom and sharp for each file: with compiled modules in a third less processor time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'tests')

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 2 ** 31
  } catch {
    return false
  }
}

/** Files that take much longer than others of their size: they walk through many screens, or wait. */
const slow =
  /\/(?:accessibility|look|newcomer|samples|image-interruptions|page-views|backup-process-stuck|[\w-]+-screens)\.test\.ts$/

/** Files that wait most of the time: for programs that they start, end and kill, or for peers that do not answer. */
const waiting =
  /\/test\/(?:crash|programs)\/|\/(?:cdn|database-faults|files-storage|health|mail-server|mail-worker|mailbox|page-views|password-links|postgres|serve)\.test\.ts$/

/**
 * The longest files first, so that none is left when the other workers are done. Those that wait are spread: with all of them
 * at the beginning, the processors would have nothing to do then, and too much later.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const order = (file: TestSpecification) => (slow.test(file.moduleId) ? 1e9 : 0) + sizeOf(file)
    const sorted = files.sort((one, other) => order(other) - order(one))
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap(mix)
  }
}

const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size

/** A file that waits comes before as much of the others, by size, as there is for each. */
function mix(files: TestSpecification[]): TestSpecification[] {
  const { waits = [], works = [] } = Object.groupBy(files, ({ moduleId }) =>
    waiting.test(moduleId) ? 'waits' : 'works',
  )
  const share = works.reduce((sum, file) => sum + sizeOf(file), 0) / waits.length
  let left = 0
  const mixed = works.flatMap((file) => {
    const next = left <= 0 ? waits.splice(0, 1) : []
    left += next.length * share - sizeOf(file)
    return [...next, file]
  })
  return [...mixed, ...waits]
}

/** The groups run one after the other: two browsers beside two databases are slower than both in turn on a small machine. */
export default defineConfig({
  plugins: [buildId('tests'), siteFonts(), clientAssets(), emptyDatabase()],
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Tests wait for databases, image processes, programs and browsers: a third and a fourth worker keep two cores busy.
    maxWorkers: 4,
    // Importing a module does nothing, so files can share the modules of a worker.
    isolate: false,
    // Each test makes an app and throws it away: collecting that rarely takes a fourteenth less processor time, and compiling it
    // without the slowest compiler a twentieth.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--no-turbofan'],
    setupFiles: ['test/support/setup.ts'],
    // Generous, for machines are shared: what hangs is found all the same.
    testTimeout: 200_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: patienceMs, interval: 100 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // The stylesheets are empty strings otherwise.
          css: { include: [/\/src\/site\/styles\//] },
          include: [
            'src/**/*.test.{ts,tsx}',
            'test/{platform,contracts}/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'test/support/*.test.ts',
          ],
          globalSetup: ['test/support/database-templates.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/{journeys,crash,programs}/**/*.test.ts'],
          globalSetup: ['test/support/database-templates.ts', 'test/support/program-templates.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
