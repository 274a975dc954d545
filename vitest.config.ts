import { defineConfig } from 'vitest/config'
import { clientAssets } from './build/client-assets.ts'
import { siteFonts } from './build/site-fonts.ts'

/** The groups run one after the other: two browsers beside two databases are slower than both in turn on a small machine. */
export default defineConfig({
  plugins: [siteFonts(), clientAssets()],
  test: {
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['test/support/setup.ts'],
    // Generous, for machines are shared: what hangs is found all the same.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.{ts,tsx}',
            'test/{platform,contracts}/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'test/support/*.test.ts',
          ],
          globalSetup: ['test/support/postgres.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          globalSetup: ['test/support/built.ts', 'test/support/postgres.ts'],
          testTimeout: 180_000,
          // A browser beside two databases on a shared machine: what is wrong fails twice, what was late does not.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          include: ['test/{crash,programs}/**/*.test.ts'],
          globalSetup: ['test/support/built.ts', 'test/support/postgres.ts'],
          testTimeout: 400_000,
          retry: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
