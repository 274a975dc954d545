import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

type FindModule = (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds' | 'dynamicallyImportedIds' | 'code'> | null

const adminPath = (path: string) => resolve('src/admin', path)
const main = adminPath('main.tsx')
const home = adminPath('features/home/home.tsx')
const editor = [adminPath('features/pages/page-page.tsx'), adminPath('features/blocks/body-editor.tsx')]
/** Larger code that the same screens share is left to the bundler, which makes a chunk of it. */
const maxJoinedChars = 16_000
/** Packages that most screens need anyway, so that loading them costs nothing. */
const commonPackages = /^(?:react|i18next|lucide-react|@tanstack\/.+|@mantine\/(?:core|hooks|notifications))$/

/**
 * Small parts of packages that most screens need, joined into one chunk. They include the icons of Home, so that the
 * first screen need not load the chunk of all icons (7 kB).
 */
const smallParts = [
  ...['ActionIcon/', 'Badge/'].map((part) => `/@mantine/core/esm/components/${part}`),
  ...[
    '/use-resize-observer.',
    '/use-resolved-styles-api.',
    '/use-debounced-value.',
    '/useMutation.',
    '/mutationObserver.',
  ],
  ...['file-plus.', 'image-plus.', 'user-plus.'].map((icon) => `/lucide-react/dist/esm/icons/${icon}`),
]
/** The input components, which have a chunk of their own. */
const inputComponents = /\/@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput)\/|\/use-uncontrolled\//

/**
 * Joins the small chunks that the editor shares with other screens: as separate files their overhead would be a tenth
 * of the editor. Modules are joined only if they import the same large modules and packages, so that another screen
 * with one of them loads nothing large that it does not need. What Home shares is separate: it is the first screen.
 */
export function adminChunks(): Rolldown.CodeSplittingGroup[] {
  let names: Map<string, string> | undefined
  return [
    {
      name(id, modules) {
        names ??= chunkNames((moduleId) => modules.getModuleInfo(moduleId))
        return names.get(id) ?? (smallParts.some((part) => id.includes(part)) ? 'small' : undefined)
      },
      includeDependenciesRecursively: false,
    },
    { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
    { name: 'schemas', test: /\/zod\/v4\//, minShareCount: 2 },
    { name: 'fields', test: inputComponents, minShareCount: 3, includeDependenciesRecursively: false },
  ]
}

/** The name of the chunk of each module to join. */
function chunkNames(find: FindModule): Map<string, string> {
  /** The roots and all own modules that they import, transitively. The loop also visits what it adds. */
  const closureOf = (roots: readonly string[]) => {
    const closure = new Set(roots)
    for (const id of closure) for (const next of find(id)?.importedIds ?? []) if (isOwn(next)) closure.add(next)
    return closure
  }
  // Every dynamic import is the root of a screen, or of a part of one.
  const screens = new Set([main])
  for (const screen of screens) {
    for (const id of closureOf([screen])) {
      for (const imported of find(id)?.dynamicallyImportedIds ?? []) if (isOwn(imported)) screens.add(imported)
    }
  }
  const screensOf = new Map<string, string[]>()
  for (const screen of screens) {
    for (const id of closureOf([screen])) screensOf.set(id, [...(screensOf.get(id) ?? []), screen])
  }
  const shared = [...closureOf(editor)].filter((id) => {
    const users = screensOf.get(id) ?? []
    return users.length > 1 && !users.includes(main)
  })
  const sizes = new Map<string, number>()
  const screenKey = (id: string) => (screensOf.get(id) ?? []).join('\n')
  for (const id of shared) sizes.set(screenKey(id), (sizes.get(screenKey(id)) ?? 0) + (find(id)?.code?.length ?? 0))
  const large = new Set(shared.filter((id) => (sizes.get(screenKey(id)) ?? 0) > maxJoinedChars))
  const packagesOf = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => (find(id)?.importedIds ?? []).filter(isHeavy).map(packageOf))
  const blockPackages = new Set(packagesOf(closureOf([...large].filter((id) => !isPuck(id)))))
  /** What a module loads that is large, as a key: modules with the same key are joined. */
  const requirementsOf = (id: string) => {
    const closure = closureOf([id])
    const hasBlocks = [...closure].some((imported) => large.has(imported) && !isPuck(imported))
    const packages = packagesOf(closure).filter((name) => !hasBlocks || !blockPackages.has(name))
    const parts = [
      ...(screensOf.get(id)?.includes(home) ? ['home'] : []),
      ...(hasBlocks ? ['blocks'] : []),
      ...([...closure].some(isPuck) ? ['puck'] : []),
    ]
    return [...parts, ...new Set(packages)].sort().join('\n')
  }
  const names = new Map([
    ['', 'shared-0'],
    ['home', 'small'],
  ])
  const nameOf = (id: string) => {
    const key = requirementsOf(id)
    if (!names.has(key)) names.set(key, `shared-${names.size}`)
    return names.get(key) as string
  }
  return new Map(shared.filter((id) => !large.has(id)).map((id) => [id, nameOf(id)]))
}

const isPuck = (id: string) => id.includes('/@puckeditor/core/')
/** An import of the URL of a file, which is one line of code. */
const isUrl = (id: string) => id.endsWith('?url')
const isOwn = (id: string) => id.startsWith(resolve('src')) || isPuck(id) || isUrl(id)
const packageOf = (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id
const isHeavy = (id: string) => !isOwn(id) && !id.startsWith('\0') && !commonPackages.test(packageOf(id))
