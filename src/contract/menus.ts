import { z } from 'zod'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, rowId } from './list.ts'
import { isLanguageTag, type Locale, type Localized } from './locales.ts'
import { slug } from './slug.ts'

/** An item of a menu; without `page` and `url` it only opens its submenu. */
export interface MenuItem {
  /** Empty: the title of its page. */
  title: string
  page?: MenuPageRef | undefined
  url?: string | undefined
  icon?: string | undefined
  className: string
  submenu: MenuItem[]
}

/**
 * A page in a menu: its id, which stays when its slug changes. A file has no ids, so there it is the slug of a page of the
 * file, or else a slug in the default language; `fa/slug` is the slug of a page in that language. It stays so where no
 * such page is found.
 */
export type MenuPageRef = number | string

/**
 * The parts of a page in the menu of a file; without a language it may be a page of the file.
 * @param locales the languages of the site
 */
export function parseMenuPage(ref: string, locales: readonly Locale[]): { locale: Locale | undefined; slug: string } {
  const locale = locales.find((one) => ref.startsWith(`${one}/`))
  return { locale, slug: locale === undefined ? ref : ref.slice(locale.length + 1) }
}

/** The menus of the configuration, each one tree per language. */
export type Menus = { main: Localized<MenuItem[]> }

/** A page of a menu as visitors see it, in the languages in which it is published. */
export type MenuPage = Record<Locale, { title: string; slug: string }>
export type MenuPages = ReadonlyMap<MenuPageRef, MenuPage>

/** A page for screens that show a menu; null: there is no text in that language. */
const namedText = z.object({ title: z.string(), slug: z.string(), isLive: z.boolean() }).nullable()
export const namedPage = z
  .object({
    id: z.int(),
    inTrash: z.boolean(),
    /** An entry of a collection that the site no longer has. */
    isHidden: z.boolean(),
    nl: namedText,
    fa: namedText,
    texts: z.record(languageTag, namedText.unwrap()),
  })
  .meta({ id: 'NamedPage' })
export type NamedPage = z.infer<typeof namedPage>

export const namedPagesQuery = z.strictObject({
  /** Ids with commas between them. */
  ids: z
    .string()
    .regex(/^\d{1,9}(,\d{1,9})*$/)
    .transform((text) => text.split(',').map(Number))
    .refine((ids) => ids.length <= limits.menuItems, 'tooMany'),
})

/** A page to add to the menu. */
export const newMenuItem = z
  .strictObject({
    /** The version of the configuration that the client has loaded. */
    version: counter,
    locale: languageTag,
    page: rowId,
    /** The indexes of the items from the top level down, of which the last gets it in its submenu; empty: the end. */
    under: z.array(z.int().min(0).max(limits.menuItems)).max(limits.menuLevels).default([]),
  })
  .meta({ id: 'NewMenuItem' })
export type NewMenuItem = z.infer<typeof newMenuItem>

/** Whether a text is a slug, or one behind a language. */
function isPageName(text: string): boolean {
  const [first = '', ...rest] = text.split('/')
  return slug.safeParse(rest.length > 0 && isLanguageTag(first) ? rest.join('/') : text).success
}

export const menuPageRef = z.union([rowId, z.string().refine(isPageName, 'menuPage')], 'menuPage')

/** One tree. The item schema is a parameter, because icons and classes are defined in a higher layer. */
export const menuTree = <Item extends z.ZodType>(item: Item) => z.array(item).superRefine(refuseLargeTree)

/** A request can nest deeper, and hold more, than anybody can use. */
function refuseLargeTree(tree: readonly unknown[], { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  let count = 0
  const search = (items: readonly unknown[], path: PropertyKey[], level: number) => {
    if (level > limits.menuLevels && items.length > 0) {
      const params = { limit: limits.menuLevels }
      issues.push({ code: 'custom', message: 'menuTooDeep', params, path: path.slice(0, -1), input: items })
      return
    }
    count += items.length
    for (const [index, { submenu }] of (items as readonly MenuItem[]).entries()) {
      search(submenu, [...path, index, 'submenu'], level + 1)
    }
  }
  search(tree, [], 1)
  if (count > limits.menuItems) {
    issues.push({ code: 'too_big', origin: 'array', maximum: limits.menuItems, inclusive: true, path: [], input: tree })
  }
}

/** Each item of a tree, from top to bottom. */
export function* menuItemsIn(tree: readonly MenuItem[] | undefined): Generator<MenuItem> {
  for (const item of tree ?? []) {
    yield item
    yield* menuItemsIn(item.submenu)
  }
}

/** Each item of a tree with its path in the configuration. */
export const menuPaths = (tree: readonly MenuItem[], path: string): { item: MenuItem; path: string }[] =>
  tree.flatMap((item, index) => [
    { item, path: `${path}.${index}` },
    ...menuPaths(item.submenu, `${path}.${index}.submenu`),
  ])

/** The pages of all trees, each once. */
export const menuPageRefs = (menus: Menus | undefined): MenuPageRef[] => [
  ...new Set(
    Object.values(menus?.main ?? {}).flatMap((tree) => [...menuItemsIn(tree)].flatMap(({ page }) => page ?? [])),
  ),
]

/** Changes each tree. */
export const mapMenuTrees = (
  { main }: Menus,
  change: (tree: readonly MenuItem[], locale: Locale) => MenuItem[],
): Menus => ({
  main: Object.fromEntries(
    Object.entries(main).flatMap(([locale, tree]) => (tree ? [[locale, change(tree, locale)]] : [])),
  ) as Menus['main'],
})

/** Changes each item of a tree. */
export const mapMenuItems = (tree: readonly MenuItem[], change: (item: MenuItem) => MenuItem): MenuItem[] =>
  tree.map((item) => ({ ...change(item), submenu: mapMenuItems(item.submenu, change) }))

/**
 * Removes items. The items of a removed item's submenu take its place, and an item that only opened a submenu goes with
 * the last item in it.
 */
export function removeMenuItems<Item extends MenuItem>(
  tree: readonly Item[],
  isRemoved: (item: MenuItem) => boolean,
): Item[] {
  return tree.flatMap((item): Item[] => {
    const submenu = removeMenuItems(item.submenu, isRemoved)
    if (isRemoved(item)) return submenu as Item[]
    const isEmpty = item.page === undefined && item.url === undefined && submenu.length === 0
    return isEmpty && item.submenu.length > 0 ? [] : [{ ...item, submenu }]
  })
}
