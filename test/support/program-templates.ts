import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../scripts/setup/build.mjs'
import { sqlitePath } from '../../src/platform/db/database.ts'
import { administrator } from './administrator.ts'
import type { DatabaseKind } from './databases.ts'
import { spawnProgram } from './spawn-program.ts'
import { waitUntil } from './wait-until.ts'

/** The states after a first start of the built program: without users, or with the administrator of the tests. */
const templates = ['empty', 'administrator'] as const
export type ProgramTemplate = (typeof templates)[number]

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the data folder of each template and kind of database: `empty/sqlite`. */
    programTemplates: string
  }
}

/**
 * Vitest global setup: builds the program and starts it once for each template and kind of database, so that the programs of
 * the tests need not create pages, icons and an administrator. The tables are copied from the template `migrated`.
 */
export default async function setup(project: TestProject) {
  ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'etalage-programs-'))
  const { postgresUrl, templateFolders } = project.getProvidedContext()
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  for (const template of templates) await client.query(`create database program_${template} template migrated`)
  await client.end()
  const dataDirOf = (template: ProgramTemplate, kind: DatabaseKind) => join(folder, template, kind)
  for (const template of templates) {
    cpSync(sqlitePath(join(templateFolders, 'migrated')), sqlitePath(dataDirOf(template, 'sqlite')))
  }
  await startOnce(dataDirOf('empty', 'sqlite'), 'empty')
  // The other templates get the icons that this start has rendered.
  const start = async (template: ProgramTemplate, kind: DatabaseKind) => {
    const dataDir = dataDirOf(template, kind)
    cpSync(join(dataDirOf('empty', 'sqlite'), 'cache'), join(dataDir, 'cache'), { recursive: true })
    const url = new URL(postgresUrl)
    url.pathname = `/program_${template}`
    await startOnce(dataDir, template, kind === 'postgres' ? url.href : undefined)
  }
  await Promise.all([start('administrator', 'sqlite'), ...templates.map((template) => start(template, 'postgres'))])
  project.provide('programTemplates', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Starts the program, and stops it when it listens and has rendered its icons. @throws when it does not exit with code 0 */
async function startOnce(dataDir: string, template: ProgramTemplate, databaseUrl?: string) {
  const program = spawnProgram(
    {
      DATA_DIR: dataDir,
      PORT: '0',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...(template === 'administrator' && { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }),
    },
    ['ignore', 'pipe', 'ignore'],
  )
  let output = ''
  program.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(program, 'exit')
  const cache = join(dataDir, 'cache')
  const hasIcons = () => existsSync(cache) && readdirSync(cache).some((name) => /^images-\w+$/.test(name))
  const isReady = () => output.includes('"listening"') && hasIcons()
  await waitUntil(() => program.exitCode !== null || isReady(), 'icon of the site')
  program.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) throw new Error(`the program of the template ended with code ${code}`)
}
