import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/**
 * Joins the modules that every start loads into one file: loading some sixty small ones takes a twentieth of the start.
 * Modules that the image process or the supervisor of workers need too stay separate, because these load nothing else.
 */
export function serverChunks(): Rolldown.CodeSplittingGroup[] {
  let startModules: Set<string> | undefined
  return [
    {
      name(id, modules) {
        startModules ??= findStartModules((moduleId) => modules.getModuleInfo(moduleId)?.importedIds ?? [])
        return startModules.has(id) ? 'start' : null
      },
      includeDependenciesRecursively: false,
    },
  ]
}

function findStartModules(importsOf: (id: string) => readonly string[]): Set<string> {
  const closureOf = (path: string) => {
    const closure = new Set([resolve('src', path)])
    // The loop also visits what it adds.
    for (const id of closure) for (const imported of importsOf(id)) closure.add(imported)
    return closure
  }
  const otherProcesses = closureOf('main.ts').union(closureOf('platform/images/image-process.ts'))
  return closureOf('app.ts').difference(otherProcesses)
}
