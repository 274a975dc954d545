// @ts-check
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { node26 } from './setup/node26.mjs'
import { log, root, runScript, Stop } from './setup/project.mjs'

/** The files and folders that the server needs at run time, besides its packages. */
const files = ['dist', 'public', 'samples', 'site.config.json', 'site.schema.json', 'package.json', 'LICENSE']

/** The packages that are not bundled into the build. See `external` in vite.config.ts. */
const external = ['sharp', 'jsdom', 'file-type']

await runScript(() => {
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
      // Without nested packages, which are copied on their own if needed.
      filter: (from) => from === join(root, path) || !from.startsWith(join(root, path, 'node_modules')),
    })
  }
  cpSync(join(root, 'scripts', 'launcher.mjs'), join(folder, 'launcher.mjs'))
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  // `release.json` describes a version, for the launcher and `src/platform/config/release.ts`.
  const { start, ...description } = read('release.json')
  const release = { version: read('package.json').version, ...description, start: { ...start, program: 'bin/node' } }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, undefined, 2)}\n`)
  log(
    `${folder}: start it there with  bin/node dist/server/main.js, or  bin/node launcher.mjs  to be able to update it`,
  )
})

/**
 * The folders of a package and its dependencies, transitively. Optional ones may be missing: those of other platforms.
 * @param {string} path
 * @param {Set<string>} folders
 * @returns {string[]}
 */
function withDependencies(path, folders = new Set()) {
  if (folders.has(path)) return []
  folders.add(path)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, path, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const dependency = findPackage(path, name)
    if (dependency) withDependencies(dependency, folders)
    else if (Object.hasOwn(dependencies, name)) throw new Stop(`${name}, which ${path} needs, is not installed.`)
  }
  return [...folders]
}

/**
 * Finds the folder of a dependency as Node does: in the package, or in `node_modules` of a folder above.
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function findPackage(from, name) {
  const path = join(from, 'node_modules', name)
  if (existsSync(join(root, path, 'package.json'))) return path
  const parent = dirname(from)
  return parent === from ? undefined : findPackage(parent, name)
}
