import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { closeAfterTest } from '../support/close-after-test.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'
import { slowMs } from '../support/wait-until.ts'

/** A copy of the built program. */
function aCopy(): { folder: string; copy: string } {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-part-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'server')
  // The maps, three quarters of it, are for people.
  cpSync('dist/server', copy, { recursive: true, filter: (path) => !path.endsWith('.map') })
  return { folder, copy }
}

/** The built program, without some of the chunks that are loaded at the first request for them. */
async function aProgramWithout(...parts: string[]) {
  const { folder, copy } = aCopy()
  for (const part of parts) renameSync(join(copy, part), join(folder, part))

  const port = await freePort()
  const program = spawnNode([...server.flags, join(copy, 'main.js')], {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DRAIN_SECONDS: '0',
  })
  const output = text(program.stdout as NodeJS.ReadableStream)
  program.stderr?.resume()
  const ended = once(program, 'close')
  closeAfterTest(async () => {
    program.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  const status = async () => (await fetch(url).catch(() => undefined))?.status
  await expect.poll(status, { timeout: slowMs }).toBe(200)
  return {
    url,
    putBack: (part: string) => renameSync(join(folder, part), join(copy, part)),
    /** Stops it. @returns its log */
    async stop() {
      program.kill('SIGTERM')
      await ended
      return output
    },
  }
}

test('the API and the sign-in pages say that something went wrong while their chunk is missing, and work when it is back', async () => {
  const [ofApi, ofSignIn] = [chunk('routes'), chunk('sign-in-routes')]
  const { url, putBack, stop } = await aProgramWithout(ofApi, ofSignIn)
  const send = () => fetch(`${url}/api/contact`, json('POST', aMessageOf('roya')))

  const answer = await send()
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(await answer.json()).toMatchObject({ title: 'Internal Server Error', status: 500, code: 'unexpected' })
  for (const path of ['/login', '/fa/login', '/voorbeeld/een-concept']) {
    const page = await fetch(url + path)
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 500, 'text/html; charset=utf-8'])
    expect(await page.text(), path).toMatch(/<h1[^>]*>[^<]*Internal Server Error/)
  }
  expect((await fetch(`${url}/disclaimer`)).status).toBe(200)

  putBack(ofApi)
  expect((await send()).status).toBe(201)
  putBack(ofSignIn)
  expect((await fetch(`${url}/login`)).status).toBe(200)
  const log = await stop()
  for (const part of [ofApi, ofSignIn]) expect(log).toContain(part)
})

test('the program does not start while the chunk of its jobs is missing', () => {
  const { folder, copy } = aCopy()
  const part = chunk('start-jobs')
  rmSync(join(copy, part))
  const ended = spawnSync(process.execPath, [join(copy, 'main.js')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data') },
  })
  expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining(part) })
})

test('a start loads nothing that the first page does not need', () => {
  const chunks = withStaticImports(['main.js', chunk('app')])
  // That of the bundler has no map, and neither has one that only exports what another has.
  const mapped = chunks.filter((name) => existsSync(join('dist/server', `${name}.map`)))
  expect(mapped.length).toBeGreaterThanOrEqual(chunks.length - 2)
  const sources = mapped.flatMap((name) => JSON.parse(read(`${name}.map`)).sources as string[])
  expect(sources.filter((source) => source.endsWith('/src/site/render-page.tsx'))).toHaveLength(1)
  const unneeded = [
    ...['/src/api/', '/src/jobs/start-jobs.ts', '/src/domain/backup/', '/src/domain/health/', '/src/domain/privacy/'],
    ...['/src/domain/email-templates.ts', '/src/domain/pages/edit-page.ts', '/src/site/sign-in/login.tsx'],
    ...['/src/site/draft-preview.ts', '/src/platform/db/migrations/run-migrations.ts', '.mail.tsx'],
    ...[
      'age-encryption',
      '@noble',
      'tar-stream',
      'postcss',
      'dayjs',
      'nodemailer',
      'imapflow',
      'mailparser',
      'better-auth',
    ],
    ...['@aws-sdk', 'prom-client', '/feed/', 'zod-openapi', '/pg/', 'react-dom-server.node'],
  ]
  expect(unneeded.filter((part) => sources.some((source) => source.includes(part)))).toEqual([])
  // 2.1 MB before these were loaded when they are needed. An escaped letter of a Persian text takes six characters.
  const code = chunks.map(read)
  expect(code.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(1_620_000)
  // V8 stores a file with any other character in two bytes a character.
  expect(chunks.filter((_, index) => /[^\0-\xff]/.test(code[index] ?? ''))).toEqual([])
  // A hundred before those of the site were joined.
  expect(chunks.length).toBeLessThan(50)
})

const read = (name: string) => readFileSync(join('dist/server', name), 'utf8')
const chunk = (name: string) =>
  readdirSync('dist/server').find((one) => one.startsWith(`${name}-`) && one.endsWith('.js')) ?? ''

/** The chunks and all that they import before they run. */
function withStaticImports(chunks: readonly string[]): string[] {
  const found = new Set(chunks)
  for (const one of found) {
    for (const [, name = ''] of read(one).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) found.add(name)
  }
  return [...found]
}

test('the built program has the list of common passwords beside it', () => {
  const { folder, copy } = aCopy()
  const createAdmin = spawnSync(
    process.execPath,
    [join(copy, 'cli.js'), 'create-admin', 'bente@example.nl', '--password-stdin'],
    {
      input: 'Qwertyuiop',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
    },
  )
  expect(createAdmin).toMatchObject({ status: 1, stderr: expect.stringContaining('is used too often') })
})
