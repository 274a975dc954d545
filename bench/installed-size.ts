import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes under `node_modules` that `npm start` needs, without Node itself and without development packages. */
export function installedSize(root: string): number {
  const lock: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const paths = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => path)
    .filter((path) => path !== 'node_modules/node')
  return paths.reduce((sum, path) => sum + sizeOf(join(root, path)), 0)
}

/** The own files of a package: nested packages are in the list themselves. */
function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) sum += sizeOf(path)
    else if (entry.isFile()) sum += statSync(path).size
  }
  return sum
}
