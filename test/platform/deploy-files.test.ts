import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { emailStates } from '../../src/contract/outbox.ts'
import { readRelease } from '../../src/platform/config/release.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { aTempFolder } from '../support/databases.ts'

/** The longest time from the end of the drain to the end of the process, as `docs/operate/deploy.md` promises. */
const stopSeconds = 25

test('the unit for systemd starts a script that exists and waits until the program has stopped', () => {
  const unit = Object.fromEntries(
    readFileSync('deploy/etalage.service', 'utf8')
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const [node = '', script = ''] = unit.ExecStart?.split(' ') ?? []
  expect(unit.WorkingDirectory).toBe('/opt/etalage/current')
  expect(existsSync(node.replace('/opt/etalage/current', process.cwd())), node).toBe(true)
  expect(existsSync(join(process.cwd(), script)), script).toBe(true)
  // The database has messages, which other users of the server must not read.
  expect(unit.UMask).toBe('0077')
  expect(Number(unit.TimeoutStopSec)).toBeGreaterThan(readSettings({}).drainMs / 1_000 + stopSeconds)
})

const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(canVerify)('systemd finds no fault in its unit', () => {
  const unit = readFileSync('deploy/etalage.service', 'utf8')
  const path = join(aTempFolder(), 'etalage.service')
  writeFileSync(path, unit.replaceAll('/opt/etalage/current', process.cwd()).replace('User=etalage', 'User=root'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('release.json of a checkout makes the launcher start the program as `npm start` does', () => {
  const { start } = readRelease(process.cwd())
  // Set by the script to a folder of its own; without it, nothing is compiled ahead.
  const { NODE_COMPILE_CACHE, ...environment } = server.environment
  expect(start).toEqual({
    program: 'node_modules/node/bin/node',
    args: [...server.flags, 'dist/server/main.js'],
    environment,
  })
})

test('Caddy passes requests to the default port', () => {
  expect(readFileSync('deploy/Caddyfile', 'utf8')).toContain(`reverse_proxy 127.0.0.1:${readSettings({}).port} {`)
})

test('the example for HAProxy uses each running instance when none is ready, and closes idle connections before the program', () => {
  const text = readFileSync('docs/operate/scale.md', 'utf8')
  const backend = (name: string) => new RegExp(`^backend ${name}\\n(  .*\\n)+`, 'm').exec(text)?.[0]
  expect(text).toContain('use_backend any if { nbsrv(ready) eq 0 }')
  expect([backend('ready'), backend('any')]).toEqual([
    expect.stringContaining('GET /readyz'),
    expect.stringContaining('GET /healthz'),
  ])
  const [, idleSeconds] = /timeout http-keep-alive (\d+)s/.exec(text) ?? []
  expect(Number(idleSeconds)).toBeLessThan(65)
})

test('the example for nginx redirects plain HTTP and the other host name to the address of the site, with path and query', () => {
  const text = readFileSync('docs/operate/deploy.md', 'utf8')
  const servers = (/```nginx\n(.*?)```/s.exec(text)?.[1] ?? '').split(/^server /m).slice(1)
  const passing = servers.filter((one) => one.includes('proxy_pass'))
  expect(passing).toHaveLength(1)
  expect(passing[0]).not.toContain('listen 80')
  expect(passing[0]).toContain(`proxy_pass http://127.0.0.1:${readSettings({}).port};`)
  for (const one of servers.filter((server) => !passing.includes(server))) {
    expect(one).toContain('return 301 https://www.example.nl$request_uri;')
  }
})

describe('the documents for operators name only what exists:', () => {
  const operate = readdirSync('docs/operate').map((name) => join('docs/operate', name))
  const documents = ['README.md', ...operate].map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const source = (path: string) => readFileSync(path, 'utf8')
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => source(join('src', path)))
    .join('\n')
  /** Each match of `pattern` in the documents with its document, for which `isKnown` is false. */
  const unknown = (pattern: RegExp, isKnown: (match: RegExpExecArray, path: string) => boolean) =>
    documents.flatMap(({ path, text }) => {
      const matches = [...text.matchAll(pattern)]
      return matches.filter((match) => !isKnown(match, path)).map(([found]) => `${path}: ${found}`)
    })
  const count = (pattern: RegExp) => documents.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)

  test('commands and their options', () => {
    const usage = source('src/cli/main.ts')
    const command = /(?:\bcli --|scripts\/cli\.mjs|server\/cli\.js) ((?!…)[a-z][a-z-]+)([^`\n]*)/g
    expect(count(command)).toBeGreaterThan(30)
    expect(
      unknown(command, ([, name, rest = '']) => {
        const options = rest.split(/&&|[|#>]/)[0]?.match(/ --[a-z-]+/g) ?? []
        const isCommand = new RegExp(`^  ${name}( |$)`, 'm').test(usage)
        return (
          isCommand &&
          options.every(
            (option) => usage.includes(`'${option.trim().slice(2)}'`) || usage.includes(` ${option.trim().slice(2)}: `),
          )
        )
      }),
    ).toEqual([])
  })

  test('npm scripts', () => {
    const { scripts } = JSON.parse(source('package.json'))
    const script = /\bnpm run (?:--silent )?([a-z]+)/g
    expect(count(script)).toBeGreaterThan(30)
    expect(unknown(script, ([, name = '']) => name in scripts)).toEqual([])
  })

  test('settings', () => {
    const settings = source('src/platform/config/settings.ts')
    const setting = /\b((?:[A-Z][A-Z0-9]*_)+[A-Z0-9]+|PORT|HOST|SECRET|CDN|WORKERS)(?==|`)/g
    expect(count(setting)).toBeGreaterThan(80)
    const documented = new Set([...source('README.md').matchAll(setting)].map(([, name]) => name))
    const read = [...settings.matchAll(/^ {2}([A-Z][A-Z_0-9]+): \{/gm)].map(([, name]) => name)
    expect(read.length).toBeGreaterThan(30)
    expect(read.filter((name) => !documented.has(name))).toEqual([])
    // Of the compose files, and of Node.
    const isOfOthers = (name = '') => ['SITE_HOST', 'NODE_OPTIONS'].includes(name)
    expect(
      unknown(setting, ([, name]) => isOfOthers(name) || new RegExp(`^  ${name}: \\{`, 'm').test(settings)),
    ).toEqual([])
  })

  test('linked documents, files and their headings', () => {
    const link = /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g
    expect(count(link)).toBeGreaterThan(50)
    expect(
      unknown(link, ([, to, heading], path) => {
        const target = to ? join(dirname(path), to) : path
        if (!existsSync(target)) return false
        const anchors = heading
          ? [...source(target).matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => anchorOf(words))
          : []
        return !heading || anchors.includes(heading)
      }),
    ).toEqual([])
  })

  test('files of the project in commands', () => {
    const file = /(?<=[\s/`])(?:deploy|scripts|samples|docs\/operate)\/[\w.-]+(?:\/[\w.-]+)*\.\w+/g
    expect(count(file)).toBeGreaterThan(10)
    expect(unknown(file, ([path]) => existsSync(path))).toEqual([])
  })

  test('addresses of the admin', () => {
    const routes = ['administration', 'pages'].map((name) => source(`src/admin/routes/${name}.ts`)).join()
    const address = /(?<=`)\/admin\/[a-z/]+(?=`)/g
    expect(count(address)).toBeGreaterThan(15)
    expect(unknown(address, ([path]) => routes.includes(`path: '${path}'`))).toEqual([])
  })

  test('metrics, their events and the states of emails', () => {
    const metrics = source('src/platform/log/metrics.ts')
    const metric = /\betalage_[a-z_]+/g
    expect(count(metric)).toBeGreaterThan(8)
    expect(unknown(metric, ([name]) => metrics.includes(`'${name}'`))).toEqual([])
    expect(unknown(/\bemail_[a-z]+/g, ([name]) => sources.includes(`'${name}'`))).toEqual([])
    const row = source('docs/operate/deploy.md')
      .split('\n')
      .find((line) => line.startsWith('| `etalage_emails`'))
    for (const state of emailStates) expect(row).toContain(`\`${state}\``)
  })

  test('and contain no SQL that changes data, because erasing a person takes more than one statement', () => {
    const statement = /\b(delete\s+from|update\s+\S+\s+set|insert\s+into|truncate\s+table|drop\s+table)\b/gi
    expect(unknown(statement, () => false)).toEqual([])
    expect('DELETE FROM message; update "user" set name = \'\''.match(statement)).toHaveLength(2)
  })

  test('lines of the log', () => {
    const [, table = ''] = source('docs/operate/deploy.md').split('| the log says |')
    const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
    /** Of the database and its driver. */
    const foreign = /^(canceling statement|Query read timeout|database is locked|database or disk is full|ECONNREFUSED)/
    const quoted = rows.flatMap((row) =>
      [...(row.split(' | ')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
    )
    expect(quoted.length).toBeGreaterThan(6)
    expect(quoted.filter((line) => !foreign.test(line) && line !== '/readyz' && !sources.includes(line))).toEqual([])
  })
})

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
