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
 * A reference to a page in a menu. In the database it is the page's id; a configuration file has no ids, so there it is
 * a text: the slug of a page in that file, a slug in the default language, or a slug behind its language, like
 * `fa/slug`. A text for which no page is found is stored as it is.
 */
export type MenuPageRef = number | string

/**
 * Splits a reference from a configuration file, such as `fa/slug`, into language and slug.
 * @param locales the languages of the site; of any other prefix `locale` is undefined, and `slug` includes it
 */
export function parseMenuPage(ref: string, locales: readonly Locale[]): { locale: Locale | undefined; slug: string } {
  const locale = locales.find((siteLocale) => ref.startsWith(`${siteLocale}/`))
  return { locale, slug: locale === undefined ? ref : ref.slice(locale.length + 1) }
}

/** The menus of the configuration: each is a tree of items per language. */
export type Menus = { main: Localized<MenuItem[]> }

/** The live title and slug of a page, in each language in which it is published. */
export type MenuPage = Record<Locale, { title: string; slug: string }>
/** The pages of the menu items, by the reference of the item. */
export type MenuPages = ReadonlyMap<MenuPageRef, MenuPage>

/** Null: the page has no text in that language. */
const namedText = z.object({ title: z.string(), slug: z.string(), isLive: z.boolean() }).nullable()
/** A page with its titles, for screens that show a menu. */
export const namedPage = z
  .object({
    id: z.int(),
    inTrash: z.boolean(),
    /** An entry of a collection that the site no longer has. */
    isHidden: z.boolean(),
    /** `nl` and `fa` repeat `texts`, which has every language of the page. */
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

/** A page to add to the menu of a language, as the last item of a submenu or of the top level. */
export const newMenuItem = z
  .strictObject({
    /** The version of the configuration that the client has loaded. */
    version: counter,
    locale: languageTag,
    page: rowId,
    /** The path to the parent item, as the index at each level from the top down; empty: add at the top level. */
    under: z.array(z.int().min(0).max(limits.menuItems)).max(limits.menuLevels).default([]),
  })
  .meta({ id: 'NewMenuItem' })
export type NewMenuItem = z.infer<typeof newMenuItem>

/** Whether a text is a slug, or a language and a slug: any language, as those of the site are not known here. */
function isPageRefText(text: string): boolean {
  const [firstSegment = '', ...otherSegments] = text.split('/')
  const hasLanguage = otherSegments.length > 0 && isLanguageTag(firstSegment)
  return slug.safeParse(hasLanguage ? otherSegments.join('/') : text).success
}

export const menuPageRef = z.union([rowId, z.string().refine(isPageRefText, 'menuPage')], 'menuPage')

/** The menu of one language. The item schema is a parameter, as icons and classes are defined in a higher layer. */
export const menuTree = <Item extends z.ZodType>(item: Item) => z.array(item).superRefine(refuseLargeTree)

/** Limits the levels and the items of a tree: a request can contain more than anybody can use. */
function refuseLargeTree(tree: readonly unknown[], { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  let count = 0
  const visitItems = (items: readonly unknown[], path: PropertyKey[], level: number) => {
    if (level > limits.menuLevels && items.length > 0) {
      const params = { limit: limits.menuLevels }
      const itemPath = path.slice(0, -1)
      issues.push({ code: 'custom', message: 'menuTooDeep', params, path: itemPath, input: items })
      return
    }
    count += items.length
    for (const [index, { submenu }] of (items as readonly MenuItem[]).entries()) {
      visitItems(submenu, [...path, index, 'submenu'], level + 1)
    }
  }
  visitItems(tree, [], 1)
  if (count > limits.menuItems) {
    issues.push({ code: 'too_big', origin: 'array', maximum: limits.menuItems, inclusive: true, path: [], input: tree })
  }
}

/** Yields each item of a tree, a parent before its submenu. */
export function* menuItemsIn(tree: readonly MenuItem[] | undefined): Generator<MenuItem> {
  for (const item of tree ?? []) {
    yield item
    yield* menuItemsIn(item.submenu)
  }
}

/** The items of a tree with their paths in the configuration. `path`: that of the tree, such as `menus.main.nl`. */
export const menuPaths = (tree: readonly MenuItem[], path: string): { item: MenuItem; path: string }[] =>
  tree.flatMap((item, index) => [
    { item, path: `${path}.${index}` },
    ...menuPaths(item.submenu, `${path}.${index}.submenu`),
  ])

/** The page references in the menus of all languages, each once. */
export function menuPageRefs(menus: Menus | undefined): MenuPageRef[] {
  const items = Object.values(menus?.main ?? {}).flatMap((tree) => [...menuItemsIn(tree)])
  return [...new Set(items.flatMap(({ page }) => page ?? []))]
}

/** The menus with the tree of each language replaced by the result of `change`. */
export const mapMenuTrees = (
  { main }: Menus,
  change: (tree: readonly MenuItem[], locale: Locale) => MenuItem[],
): Menus => ({
  main: Object.fromEntries(
    Object.entries(main).flatMap(([locale, tree]) => (tree ? [[locale, change(tree, locale)]] : [])),
  ) as Menus['main'],
})

/** A copy of a tree with each item changed. `change` cannot change the submenu: its items are changed one by one. */
export const mapMenuItems = (tree: readonly MenuItem[], change: (item: MenuItem) => MenuItem): MenuItem[] =>
  tree.map((item) => ({ ...change(item), submenu: mapMenuItems(item.submenu, change) }))

/**
 * A copy of a tree without the removed items. The submenu of a removed item takes its place. An item without a page or
 * address is removed too when its submenu becomes empty.
 */
export function removeMenuItems<Item extends MenuItem>(
  tree: readonly Item[],
  isRemoved: (item: MenuItem) => boolean,
): Item[] {
  return tree.flatMap((item): Item[] => {
    const submenu = removeMenuItems(item.submenu, isRemoved)
    if (isRemoved(item)) return submenu as Item[]
    const leadsNowhere = item.page === undefined && item.url === undefined && submenu.length === 0
    return leadsNowhere && item.submenu.length > 0 ? [] : [{ ...item, submenu }]
  })
}
