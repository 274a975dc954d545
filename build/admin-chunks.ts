import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

type FindModule = (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds' | 'dynamicallyImportedIds' | 'code'> | null

const at = (path: string) => resolve('src/admin', path)
const main = at('main.tsx')
const home = at('features/home/home.tsx')
const editor = [at('features/pages/page-page.tsx'), at('features/blocks/body-editor.tsx')]
/** Code that the same screens share becomes a file of its own from this size on, in characters. */
const ownFile = 16_000
/** Packages that most screens need anyway. */
const light = /^(?:react|i18next|lucide-react|@tanstack\/.+|@mantine\/(?:core|hooks|notifications))$/

/**
 * Small parts of packages that most screens need. Without the icons of Home among them, the first screen would load the file of
 * all icons (7 kB).
 */
const small = [
  ...['ActionIcon/', 'Badge/'].map((part) => `/@mantine/core/esm/components/${part}`),
  ...['/use-resize-observer.', '/use-resolved-styles-api.', '/useMutation.', '/mutationObserver.'],
  ...['file-plus.', 'image-plus.', 'user-plus.'].map((icon) => `/lucide-react/dist/esm/icons/${icon}`),
]
const input = /\/@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput)\/|\/use-uncontrolled\//

/**
 * Joins the small files of the editor's first view, whose headers would weigh a tenth of it. The sources in one file need
 * the same large files and packages, so another screen with one of them loads nothing large that it does not need. Home
 * is the first screen of most, so what it shares with the editor is apart.
 */
export function adminChunks(): Rolldown.CodeSplittingGroup[] {
  let names: Map<string, string> | undefined
  return [
    {
      name(id, modules) {
        names ??= namesOf((one) => modules.getModuleInfo(one))
        return names.get(id) ?? (small.some((part) => id.includes(part)) ? 'small' : undefined)
      },
      includeDependenciesRecursively: false,
    },
    { name: 'icons', test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
    { name: 'schemas', test: /\/zod\/v4\//, minShareCount: 2 },
    { name: 'fields', test: input, minShareCount: 3, includeDependenciesRecursively: false },
  ]
}

function namesOf(find: FindModule): Map<string, string> {
  const closureOf = (roots: readonly string[]) => {
    const found = new Set(roots)
    for (const id of found) for (const one of find(id)?.importedIds ?? []) if (isOwn(one)) found.add(one)
    return found
  }
  const screens = new Set([main])
  for (const screen of screens) {
    for (const id of closureOf([screen])) {
      for (const one of find(id)?.dynamicallyImportedIds ?? []) if (isOwn(one)) screens.add(one)
    }
  }
  const usersOf = new Map<string, string[]>()
  for (const screen of screens) {
    for (const id of closureOf([screen])) usersOf.set(id, [...(usersOf.get(id) ?? []), screen])
  }
  const wanted = [...closureOf(editor)].filter((id) => {
    const users = usersOf.get(id) ?? []
    return users.length > 1 && !users.includes(main)
  })
  const sizes = new Map<string, number>()
  const keyOf = (id: string) => (usersOf.get(id) ?? []).join('\n')
  for (const id of wanted) sizes.set(keyOf(id), (sizes.get(keyOf(id)) ?? 0) + (find(id)?.code?.length ?? 0))
  const large = new Set(wanted.filter((id) => (sizes.get(keyOf(id)) ?? 0) > ownFile))
  const packagesOf = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => (find(id)?.importedIds ?? []).filter(isHeavy).map(packageOf))
  const ofBlocks = new Set(packagesOf(closureOf([...large].filter((id) => !isPuck(id)))))
  const needsOf = (id: string) => {
    const closure = closureOf([id])
    const blocks = [...closure].some((one) => large.has(one) && !isPuck(one))
    const packages = packagesOf(closure).filter((one) => !blocks || !ofBlocks.has(one))
    const more = [
      ...(usersOf.get(id)?.includes(home) ? ['home'] : []),
      ...(blocks ? ['blocks'] : []),
      ...([...closure].some(isPuck) ? ['puck'] : []),
    ]
    return [...more, ...new Set(packages)].sort().join('\n')
  }
  const numbers = new Map([
    ['', 'shared-0'],
    ['home', 'small'],
  ])
  const nameOf = (id: string) => {
    const key = needsOf(id)
    if (!numbers.has(key)) numbers.set(key, `shared-${numbers.size}`)
    return numbers.get(key) as string
  }
  return new Map(wanted.filter((id) => !large.has(id)).map((id) => [id, nameOf(id)]))
}

const isPuck = (id: string) => id.includes('/@puckeditor/core/')
/** The address of a file is a line of code. */
const isUrl = (id: string) => id.endsWith('?url')
const isOwn = (id: string) => id.startsWith(resolve('src')) || isPuck(id) || isUrl(id)
const packageOf = (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id
const isHeavy = (id: string) => !isOwn(id) && !id.startsWith('\0') && !light.test(packageOf(id))
