import type { ReactNode } from 'react'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { type Locale, localized, localizedPath, mainLocaleOf, rootLocaleOf } from '../contract/locales.ts'
import { type MenuItem, type MenuPageRef, menuPageRef } from '../contract/menus.ts'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, type RenderContext, shortText } from './define-block.ts'
import { icon, iconName } from './icons.tsx'
import { langAttributes, renderText, resolveLink, undefinedIfEmpty } from './render-text.tsx'

/** An item with this title shows the user's name, and is omitted when nobody is signed in. */
const userName = '[user]'

interface MenuItemInput {
  title: string
  page?: MenuPageRef | undefined
  url?: string | undefined
  icon?: z.output<typeof iconName> | undefined
  className?: string
  submenu?: MenuItemInput[]
}

const common = { title: shortText, url: linkUrl.optional(), icon: iconName.optional(), className }

/** An item of a block's own menu. */
const menuItem: z.ZodType<MenuItem, Omit<MenuItemInput, 'page'>> = z
  .strictObject({
    ...common,
    get submenu() {
      return z.array(menuItem).max(20).default([])
    },
  })
  .refine(({ url, submenu }) => url !== undefined || submenu.length > 0, { path: ['url'], error: 'required' })

/** An item of the menu of the site. */
export const menuTreeItem: z.ZodType<MenuItem, MenuItemInput> = z
  .strictObject({
    ...common,
    page: menuPageRef.optional(),
    get submenu() {
      return z.array(menuTreeItem).max(limits.menuItems).default([])
    },
  })
  .refine(({ page, title }) => page !== undefined || title.trim() !== '', { path: ['title'], error: 'required' })
  .refine(({ page, url }) => page === undefined || url === undefined, { path: ['url'], error: 'menuTarget' })
  .refine(({ page, url, submenu }) => page !== undefined || url !== undefined || submenu.length > 0, {
    path: ['url'],
    error: 'menuEmpty',
  })

export const menu = defineBlock({
  type: 'menu',
  group: 'site',
  fields: {
    menuType: z.enum(['desktop', 'mobile']),
    submenuDirection: z.enum(['end']).default('end'),
    className,
    /** Shows the menu of the site, in place of items of its own. */
    menu: z.enum(['main']).optional(),
    items: z.array(menuItem).max(20).optional(),
  },
  labels: {
    name: { nl: 'Menu', fa: 'منو', en: 'Menu' },
    hint: { nl: 'De navigatie van de site.', fa: 'ناوبری سایت.', en: 'The navigation of the site.' },
    fields: {
      menuType: { nl: 'Soort', fa: 'نوع', en: 'Kind' },
      submenuDirection: { nl: 'Richting van het submenu', fa: 'جهت زیرمنو', en: 'Direction of the submenu' },
      className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      menu: { nl: 'Items', fa: 'گزینه‌ها', en: 'Items' },
      items: { nl: 'Eigen items', fa: 'گزینه‌های خود بلوک', en: 'Own items' },
    },
    nestedFields: {
      'items.title': { nl: 'Tekst', fa: 'متن', en: 'Text' },
      'items.url': { nl: 'Adres', fa: 'نشانی', en: 'Address' },
      'items.icon': { nl: 'Icoon', fa: 'نماد', en: 'Icon' },
      'items.className': { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      'items.submenu': { nl: 'Submenu', fa: 'زیرمنو', en: 'Submenu' },
    },
    choices: {
      'menuType.desktop': { nl: 'Groot scherm', fa: 'صفحهٔ بزرگ', en: 'Large screen' },
      'menuType.mobile': { nl: 'Telefoon', fa: 'گوشی', en: 'Phone' },
      'submenuDirection.end': {
        nl: 'Naar het einde van de regel',
        fa: 'به سوی پایان سطر',
        en: 'Towards the end of the line',
      },
      'menu.': { nl: 'Eigen items van dit blok', fa: 'گزینه‌های خود این بلوک', en: 'Items of this block itself' },
      'menu.main': { nl: 'Het menu van de website', fa: 'منوی وب‌سایت', en: 'The menu of the website' },
    },
  },
  defaults: {
    nl: { menuType: 'desktop', items: [{ title: 'Contact', url: '/#contact' }] },
    fa: { menuType: 'desktop', items: [{ title: 'تماس', url: '/#contact' }] },
    en: { menuType: 'desktop', items: [{ title: 'Contact', url: '/#contact' }] },
  },
  View(block, context) {
    const submenu = block.menuType === 'desktop' ? hoverSubmenu : foldedSubmenu
    const className = `menu menu-${block.menuType} ${block.className}`.trim()
    if (block.menu === undefined) return renderItems(block.items ?? [], { className }, submenu, context)
    const found = localized(context.site.menus?.[block.menu] ?? { [context.contentLocale]: [] }, context.contentLocale)
    const { locale } = found
    const own = { ...context, contentLocale: locale, placeholders: context.placeholdersIn(locale) }
    const attributes = { className, ...langAttributes(locale, context.contentLocale, context.site) }
    return renderItems(withPages(found.value, own), attributes, submenu, own)
  },
})

/** An item with its link, and the language of its title where that is another one. */
interface ShownItem extends Omit<MenuItem, 'page' | 'submenu'> {
  lang?: ReturnType<typeof langAttributes>
  submenu: ShownItem[]
}

/**
 * The items with the titles and addresses of their pages. Where visitors cannot see the page, an item with a title of
 * its own only opens its submenu; of one without a title the submenu takes its place.
 */
function withPages(items: readonly MenuItem[], context: RenderContext): ShownItem[] {
  return items.flatMap(({ page, ...item }): ShownItem[] => {
    const submenu = withPages(item.submenu, context)
    if (page === undefined) return [{ ...item, submenu }]
    const texts = context.menuPages.get(page) ?? {}
    const { contentLocale, locale, site } = context
    const main = mainLocaleOf(site)
    // A page without a translation is shown in the main language, as it is at its address.
    const own = texts[locale]
    const target = own ?? texts[main]
    const url = target && addressOf(target.slug, own ? locale : main, context)
    if (item.title !== '') return [{ ...item, submenu, ...(url !== undefined && { url }) }]
    if (!target) return submenu
    const titleLocale: Locale = texts[contentLocale] ? contentLocale : texts[locale] ? locale : main
    const title = texts[titleLocale]?.title ?? ''
    return [
      {
        ...item,
        submenu,
        title,
        ...(url !== undefined && { url }),
        lang: langAttributes(titleLocale, contentLocale, site),
      },
    ]
  })
}

/** As it is written in content; a page in the main language has no address of that at the root. */
function addressOf(slug: string, textLocale: Locale, { locale, site }: RenderContext): string {
  const isElsewhere = textLocale !== locale && locale === rootLocaleOf(site)
  return encodeURI(isElsewhere ? localizedPath(`/${slug}`, textLocale, site) : `/${slug}`)
}

type RenderSubmenu = (item: ShownItem, items: readonly ShownItem[], context: RenderContext) => ReactNode

function renderItems(
  items: readonly ShownItem[],
  attributes: { className?: string; lang?: Locale },
  submenu: RenderSubmenu,
  context: RenderContext,
): ReactNode {
  const shown = items.filter((item) => isShown(item, context))
  return (
    <ul {...attributes}>
      {shown.map((item, index) => {
        const inner = item.submenu.filter((one) => isShown(one, context))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and may repeat
          <li key={index} className={undefinedIfEmpty(item.className)}>
            {inner.length > 0 ? submenu(item, inner, context) : itemLink(item, context)}
          </li>
        )
      })}
    </ul>
  )
}

/** An item without URL is only shown when its submenu has a visible item. */
const isShown = (item: ShownItem, context: RenderContext): boolean =>
  (item.title !== userName || context.viewer !== undefined) &&
  (item.url !== undefined || item.submenu.some((inner) => isShown(inner, context)))

function itemLink(item: ShownItem, context: RenderContext): ReactNode {
  return (
    <a href={hrefOf(item, context)} {...item.lang}>
      {itemText(item, context)}
    </a>
  )
}

const hrefOf = ({ url }: ShownItem, context: RenderContext) =>
  url === undefined ? undefined : resolveLink(url, context)

/** Opens on hover or keyboard focus. */
function hoverSubmenu(item: ShownItem, items: readonly ShownItem[], context: RenderContext): ReactNode {
  return (
    <div className="submenu">
      {item.url === undefined ? (
        <button type="button" className="more">
          {itemText(item, context)}
        </button>
      ) : (
        <a href={hrefOf(item, context)} className="more" {...item.lang}>
          {itemText(item, context)}
        </a>
      )}
      {renderItems(items, {}, hoverSubmenu, context)}
    </div>
  )
}

/** Opens on a click. It begins with the address of its item, which has no link of its own, unless it leads there already. */
function foldedSubmenu(item: ShownItem, items: readonly ShownItem[], context: RenderContext): ReactNode {
  const isReached = item.url === undefined || items.some((one) => hrefOf(one, context) === hrefOf(item, context))
  const all = isReached ? items : [{ ...item, className: '', submenu: [] }, ...items]
  return (
    <details>
      <summary className="more" {...item.lang}>
        {itemText(item, context)}
      </summary>
      {renderItems(all, {}, foldedSubmenu, context)}
    </details>
  )
}

function itemText(item: ShownItem, context: RenderContext): ReactNode {
  return (
    <>
      {item.icon && icon(item.icon as z.output<typeof iconName>)}
      {item.title === userName ? <bdi>{context.viewer?.name}</bdi> : renderText(item.title, context)}
    </>
  )
}
