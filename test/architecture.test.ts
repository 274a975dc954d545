import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { describe, expect, test } from 'vitest'
import rules, { arrows, nouns } from '../.dependency-cruiser.mjs'
import { lighterPackages } from '../build/lighter-packages.ts'
import { adminPaths } from '../src/contract/admin-start.ts'
import * as fa from '../src/i18n/fa/index.ts'
import * as nl from '../src/i18n/nl/index.ts'
import { aTempFolder } from './support/databases.ts'

const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const sources = filesUnder('src').filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest(path))
const read = (path: string) => readFileSync(path, 'utf8')
const linesWith = (paths: string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    read(path)
      .split('\n')
      .map((line, index) => `${path}:${index + 1} ${line.trim()}`)
      .filter((line) => pattern.test(line)),
  )

async function checkImports(baseDir: string) {
  const { forbidden, options } = rules
  const { output } = await cruise(['src'], {
    ...options,
    baseDir,
    validate: true,
    ruleSet: { forbidden: forbidden ?? [] },
  })
  const { summary, modules } = output as ICruiseResult
  return {
    seen: modules.map((one) => one.source).filter((source) => source.startsWith('src/')),
    violations: summary.violations.map((one) => `${one.rule.name}: ${one.from} → ${one.to}`),
    broken: [...new Set(summary.violations.map((one) => one.rule.name))],
  }
}

describe('imports', () => {
  test('no source breaks a rule, and every source is checked', async () => {
    const { violations, seen } = await checkImports(process.cwd())
    expect(violations).toEqual([])
    expect(sources.filter((path) => !seen.includes(path))).toEqual([])
    expect(seen.length).toBeGreaterThan(60)
  })

  test('each rule finds a violation', async () => {
    const folder = aTempFolder()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    write('package.json', '{ "devDependencies": { "chai": "1.0.0" } }')
    write('node_modules/chai/package.json', '{ "name": "chai", "version": "1.0.0", "main": "index.js" }')
    write('node_modules/chai/index.js', '')
    write('src/app.ts', 'export type App = number')
    for (const name of Object.keys(arrows))
      write(`src/${name}/wrong.ts`, "import type { App } from '../app.ts'\nexport type A = App")
    for (const name of nouns) write(`src/domain/${name}/wrong.ts`, "import '../later.ts'")
    write('src/domain/later.ts', '')
    write('src/domain/users/user.queries.ts', 'export const one = 1')
    write('src/http/peek.ts', "import { one } from '../domain/users/user.queries.ts'\nexport const two = one + 1")
    write('src/api/routes.ts', 'export const routes = 1')
    write('src/admin/client.ts', "import { routes } from '../api/routes.ts'\nexport const mine = routes")
    write('src/i18n/one.ts', "import type { Two } from './two.ts'\nexport type One = Two")
    write('src/i18n/two.ts', "import type { One } from './one.ts'\nexport type Two = One")
    write('src/http/lost.ts', "import './nowhere.ts'")
    write('src/http/tool.ts', "import 'chai'")

    expect((await checkImports(folder)).broken.sort()).toEqual(rules.forbidden?.map((rule) => rule.name).sort())
  })

  test('every folder of src is in the rules, and every domain folder has its position', () => {
    const foldersOf = (path: string) =>
      readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    expect(Object.keys(arrows)).toEqual(expect.arrayContaining(foldersOf('src')))
    expect(nouns).toEqual(expect.arrayContaining(foldersOf('src/domain')))
  })
})

describe('where code belongs', () => {
  test('the environment is read only in settings.ts', () => {
    const found = linesWith(sources, /\bprocess\s*\??\.\s*env\b|\bimport\.meta\.env\b|node:process/)
    expect(found.filter((line) => !line.startsWith('src/platform/config/settings.ts:'))).toEqual([])
    expect(found).not.toEqual([])
  })

  test('SQL is only in queries, in the database folder of the platform, and in the outbox and the cache invalidation', () => {
    const query =
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(?:<[^>]*>)?`|from 'kysely'/
    const allowed =
      /^src\/(?:.+\.queries\.ts|platform\/(?:db\/.+|mail\/outbox(?:-emails)?\.ts|cache-invalidation\.ts)):/
    const found = linesWith(sources, query)
    expect(found.filter((line) => !allowed.test(line))).toEqual([])
    for (const file of ['message.queries.ts:', 'outbox.ts:', 'cache-invalidation.ts:'])
      expect(found.join('\n')).toContain(file)
  })

  test('the server knows every screen of the admin’s router, and no other', () => {
    const routed = filesUnder('src/admin/routes').flatMap((path) =>
      [...read(path).matchAll(/^ {4}path: '([^']+)',$/gm)].map(([, screen]) => screen),
    )
    expect(routed.sort()).toEqual([...adminPaths].sort())
  })

  test('no source contains the brand', () => {
    expect(
      linesWith(
        filesUnder('src').filter((path) => !isTest(path)),
        /maaslicht/i,
      ),
    ).toEqual([])
    expect(read('site.config.json')).toMatch(/maaslicht/i)
  })

  test('no folder has a meaningless name', () => {
    const folders = ['src', 'test', 'build', 'bench', 'scripts'].flatMap(filesUnder).map(dirname)
    expect(folders.filter((path) => /(^|\/)(utils?|helpers?|common|lib|types|shared|misc)(\/|$)/.test(path))).toEqual(
      [],
    )
  })
})

describe('directions', () => {
  const physical =
    /(?:^|[;{\s])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/
  const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))

  test('styles use logical properties, which follow the direction of the language', () => {
    const styles = filesUnder('src').filter((path) => path.endsWith('.css'))
    const found = styles.flatMap((path) =>
      withoutComments(read(path))
        .split('\n')
        .flatMap((line, index) => (physical.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )
    expect(styles).not.toEqual([])
    expect(found).toEqual([])
  })

  test.each([
    'margin-left: 1px',
    'a { right: 0 }',
    'border-right-color: red',
    'border-top-left-radius: 2px',
    'text-align: left',
    'float: right',
    'scroll-padding-left: 1px',
  ])('the check finds a physical direction in %s', (css) => expect(css).toMatch(physical))

  test.each(['margin-inline-start: 1px', 'text-align: start', '--right: 1px', 'background-position: left top'])(
    'the check finds no physical direction in %s',
    (css) => expect(css).not.toMatch(physical),
  )
})

test('the build fails when a package no longer contains the code that the build cuts out of it', async () => {
  const refused: string[] = []
  const build = {
    environment: { mode: 'build', name: 'of a test' },
    resolve: async () => ({ id: '/htmlparser2/entry.js' }),
    error: (message: string) => refused.push(message),
  }
  for (const plugin of lighterPackages()) {
    const hooks = plugin as unknown as Record<string, ((...input: string[]) => unknown) | undefined>
    await hooks.resolveId?.call(build, 'htmlparser2', '/sanitize-html/index.js')
    await hooks.transform?.call(build, 'inst.toJSON = makeJson(inst)', '/zod/v4/classic/schemas.js')
    await hooks.transform?.call(build, 'var uiStyles = `a{}`;', '/@puckeditor/core/dist/index.mjs')
    await hooks.buildEnd?.call(build)
  }
  expect(refused).toEqual([
    expect.stringMatching(/postcss, .*htmlparser2, var defaultUiStyles = `, \/zod\/v4\/classic\/schemas\.js$/),
    expect.stringMatching(/postcss, dayjs, \.\/cjs\/react-dom-server/),
  ])
})

describe('texts', () => {
  const leaves = (texts: object, prefix = ''): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as [string, string]] : leaves(value, `${prefix}${key}.`),
    )
  const placeholders = (text: string) => (text.match(/\{\{[^}]*\}\}|\[[\w.]+\]/g) ?? []).sort()

  test('Dutch and Persian have the same keys', () => {
    expect(
      leaves(fa)
        .map(([key]) => key)
        .sort(),
    ).toEqual(
      leaves(nl)
        .map(([key]) => key)
        .sort(),
    )
  })

  test('a translation has the same placeholders', () => {
    const filled = (texts: object) => Object.fromEntries(leaves(texts).map(([key, text]) => [key, placeholders(text)]))
    expect(filled(fa)).toEqual(filled(nl))
    expect(Object.values(filled(nl)).flat()).not.toEqual([])
  })

  test('no text is empty, and Persian is written in its own script', () => {
    expect([...leaves(nl), ...leaves(fa)].filter(([, text]) => text.trim() === '')).toEqual([])
    // The specification has this title in English for every language.
    const english = ['Page Not Found', 'Internal Server Error']
    expect(leaves(fa).filter(([, text]) => !/[\u0600-\u06ff]/.test(text) && !english.includes(text))).toEqual([])
  })
})
