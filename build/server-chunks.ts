import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/**
 * Joins what every start loads into one file: some sixty small ones take a twentieth of the start, to be found, read and
 * linked. What the image process and the supervisor of workers need as well stays apart, because they load nothing else.
 */
export function serverChunks(): Rolldown.CodeSplittingGroup[] {
  let joined: Set<string> | undefined
  return [
    {
      name(id, modules) {
        joined ??= modulesOfStart((one) => modules.getModuleInfo(one)?.importedIds ?? [])
        return joined.has(id) ? 'start' : null
      },
      includeDependenciesRecursively: false,
    },
  ]
}

function modulesOfStart(importsOf: (id: string) => readonly string[]): Set<string> {
  const closureOf = (path: string) => {
    const found = new Set([resolve('src', path)])
    for (const id of found) for (const one of importsOf(id)) found.add(one)
    return found
  }
  const others = closureOf('main.ts').union(closureOf('platform/images/image-process.ts'))
  return closureOf('app.ts').difference(others)
}
