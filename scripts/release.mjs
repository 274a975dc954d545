// @ts-check
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { node26 } from './setup/node26.mjs'
import { command, log, root, Stop } from './setup/project.mjs'

/** The files that the program reads at run time, beside its packages. */
const files = ['dist', 'public', 'samples', 'site.config.json', 'site.schema.json', 'package.json', 'LICENSE']

/** The packages that the server loads at run time; the build contains the others. See `external` in vite.config.ts. */
const external = ['sharp', 'jsdom', 'file-type']

await command(() => {
  const target = process.argv[2]
  if (!target) throw new Stop('Usage: npm run release -- <new folder>')
  const folder = resolve(root, target)
  if (existsSync(folder)) throw new Stop(`${folder} exists already. Give a new folder.`)
  ensureInstalled({ dev: false })
  ensureBuilt()

  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(node26(), join(folder, 'bin', 'node'))
  for (const name of files) cpSync(join(root, name), join(folder, name), { recursive: true })
  const packages = new Set(external.flatMap((name) => withDependencies(`node_modules/${name}`)))
  for (const path of packages) {
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      // A nested package is copied when something needs it.
      filter: (from) => from === join(root, path) || !from.startsWith(join(root, path, 'node_modules')),
    })
  }
  cpSync(join(root, 'scripts', 'launcher.mjs'), join(folder, 'launcher.mjs'))
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  // The description of a version, for the launcher and `src/platform/config/release.ts`.
  const { start, ...stated } = read('release.json')
  const release = { version: read('package.json').version, ...stated, start: { ...start, program: 'bin/node' } }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, undefined, 2)}\n`)
  log(
    `${folder}: start it there with  bin/node dist/server/main.js, or  bin/node launcher.mjs  to be able to update it`,
  )
})

/**
 * The folder of a package and of all that it needs; an optional dependency for another machine is not installed.
 * @param {string} path
 * @param {Set<string>} found
 * @returns {string[]}
 */
function withDependencies(path, found = new Set()) {
  if (found.has(path)) return []
  found.add(path)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, path, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const at = findPackage(path, name)
    if (at) withDependencies(at, found)
    else if (Object.hasOwn(dependencies, name)) throw new Stop(`${name}, which ${path} needs, is not installed.`)
  }
  return [...found]
}

/**
 * As Node finds it: in the package, or in a folder above.
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function findPackage(from, name) {
  const at = join(from, 'node_modules', name)
  if (existsSync(join(root, at, 'package.json'))) return at
  const above = dirname(from)
  return above === from ? undefined : findPackage(above, name)
}
