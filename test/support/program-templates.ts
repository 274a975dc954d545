import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../scripts/setup/build.mjs'
import { administrator } from './administrator.ts'
import type { DatabaseKind } from './databases.ts'
import { spawnProgram } from './spawn-program.ts'
import { waitUntil } from './wait-until.ts'

/** The state after a first start of the built program: without users, or with the administrator of the tests. */
export type ProgramTemplate = 'empty' | 'administrator'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the data folder of each template, by database. */
    programTemplates: string
  }
}

/**
 * Vitest global setup: builds the program and starts it once on each kind of database, so that the programs of the tests
 * need not create tables, pages, icons and an administrator.
 */
export default async function setup(project: TestProject) {
  ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'etalage-programs-'))
  const client = new pg.Client({ connectionString: project.getProvidedContext().postgresUrl })
  await client.connect()
  for (const template of ['empty', 'administrator'] satisfies ProgramTemplate[]) {
    await client.query(`create database program_${template}`)
    const url = new URL(project.getProvidedContext().postgresUrl)
    url.pathname = `/program_${template}`
    for (const kind of ['sqlite', 'postgres'] as const)
      await startOnce(join(folder, template, kind), template, kind, url.href)
  }
  await client.end()
  project.provide('programTemplates', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

async function startOnce(dataDir: string, template: ProgramTemplate, kind: DatabaseKind, postgresUrl: string) {
  const program = spawnProgram(
    {
      DATA_DIR: dataDir,
      PORT: '0',
      ...(kind === 'postgres' && { DATABASE_URL: postgresUrl }),
      ...(template === 'administrator' && { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }),
    },
    'ignore',
  )
  const ended = once(program, 'exit')
  const cache = join(dataDir, 'cache')
  const rendered = () => existsSync(cache) && readdirSync(cache).some((name) => /^images-\w+$/.test(name))
  await waitUntil(() => program.exitCode !== null || rendered(), 'icon of the site', 120_000)
  program.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) throw new Error(`the program of the template ended with code ${code}`)
}
