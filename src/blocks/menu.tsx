import type { ReactNode } from 'react'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { type Locale, localized, localizedPath, mainLocaleOf, rootLocaleOf } from '../contract/locales.ts'
import { type MenuItem, type MenuPageRef, menuPageRef } from '../contract/menus.ts'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, type RenderContext, shortText } from './define-block.ts'
import { iconName, renderIcon } from './icons.tsx'
import { langAttributes, renderText, resolveLink, undefinedIfEmpty } from './render-text.tsx'

/** An item with this title shows the user's name, and is omitted when nobody is signed in. */
const userNamePlaceholder = '[user]'

interface MenuItemInput {
  title: string
  page?: MenuPageRef | undefined
  url?: string | undefined
  icon?: z.output<typeof iconName> | undefined
  className?: string
  submenu?: MenuItemInput[]
}

const commonFields = { title: shortText, url: linkUrl.optional(), icon: iconName.optional(), className }

/** An item of a menu that a block itself holds. */
const blockMenuItem: z.ZodType<MenuItem, Omit<MenuItemInput, 'page'>> = z
  .strictObject({
    ...commonFields,
    get submenu() {
      return z.array(blockMenuItem).max(20).default([])
    },
  })
  .refine(({ url, submenu }) => url !== undefined || submenu.length > 0, { path: ['url'], error: 'required' })

/** An item of the menu of the site. */
export const siteMenuItem: z.ZodType<MenuItem, MenuItemInput> = z
  .strictObject({
    ...commonFields,
    page: menuPageRef.optional(),
    get submenu() {
      return z.array(siteMenuItem).max(limits.menuItems).default([])
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
    /** Shows the menu of the site instead of `items`. */
    menu: z.enum(['main']).optional(),
    items: z.array(blockMenuItem).max(20).optional(),
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
      'menuType.desktop': { nl: 'Groot scherm', fa: 'نمایشگر بزرگ', en: 'Large screen' },
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
    const renderSubmenu = block.menuType === 'desktop' ? renderHoverSubmenu : renderFoldedSubmenu
    const className = `menu menu-${block.menuType} ${block.className}`.trim()
    if (block.menu === undefined) return renderItems(block.items ?? [], { className }, renderSubmenu, context)
    const siteMenu = context.site.menus?.[block.menu] ?? { [context.contentLocale]: [] }
    // A menu that is not translated is shown in the main language.
    const { value: items, locale } = localized(siteMenu, context.contentLocale)
    const menuContext = { ...context, contentLocale: locale, placeholders: context.placeholdersIn(locale) }
    const attributes = { className, ...langAttributes(locale, context.contentLocale, context.site) }
    return renderItems(resolvePages(items, menuContext), attributes, renderSubmenu, menuContext)
  },
})

/** A menu item whose reference to a page was replaced by a title and a URL. */
interface ResolvedItem extends Omit<MenuItem, 'page' | 'submenu'> {
  /** Set where the language of the title is not that of the menu. */
  lang?: ReturnType<typeof langAttributes>
  submenu: ResolvedItem[]
}

/**
 * Gives items the titles and URLs of their pages. If visitors cannot see the page, an item with a title only opens its
 * submenu, and one without a title is replaced by the items of its submenu.
 * @param context `locale` decides where a page's link leads; `contentLocale` is the language of the menu
 */
function resolvePages(items: readonly MenuItem[], context: RenderContext): ResolvedItem[] {
  const { contentLocale, locale, site } = context
  const mainLocale = mainLocaleOf(site)
  return items.flatMap(({ page, ...item }): ResolvedItem[] => {
    const submenu = resolvePages(item.submenu, context)
    if (page === undefined) return [{ ...item, submenu }]
    const texts = context.menuPages.get(page) ?? {}
    // A page without a translation is shown in the main language.
    const targetLocale = texts[locale] ? locale : mainLocale
    const target = texts[targetLocale]
    const link = target && { url: contentUrlOf(target.slug, targetLocale, context) }
    if (item.title !== '') return [{ ...item, submenu, ...link }]
    if (!target) return submenu
    const titleLocale = texts[contentLocale] ? contentLocale : targetLocale
    const title = texts[titleLocale]?.title ?? ''
    return [{ ...item, submenu, title, ...link, lang: langAttributes(titleLocale, contentLocale, site) }]
  })
}

/**
 * The URL of a page as it is written in content. At the root, a path without a prefix means a page in the root
 * language, so a page in another language gets its prefix.
 */
function contentUrlOf(slug: string, pageLocale: Locale, { locale, site }: RenderContext): string {
  const needsPrefix = pageLocale !== locale && locale === rootLocaleOf(site)
  return encodeURI(needsPrefix ? localizedPath(`/${slug}`, pageLocale, site) : `/${slug}`)
}

/** @param items the visible items of the submenu */
type RenderSubmenu = (item: ResolvedItem, items: readonly ResolvedItem[], context: RenderContext) => ReactNode

function renderItems(
  items: readonly ResolvedItem[],
  attributes: { className?: string; lang?: Locale },
  renderSubmenu: RenderSubmenu,
  context: RenderContext,
): ReactNode {
  const visible = items.filter((item) => isVisible(item, context))
  return (
    <ul {...attributes}>
      {visible.map((item, index) => {
        const subitems = item.submenu.filter((subitem) => isVisible(subitem, context))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and may repeat
          <li key={index} className={undefinedIfEmpty(item.className)}>
            {subitems.length > 0 ? renderSubmenu(item, subitems, context) : renderItemLink(item, context)}
          </li>
        )
      })}
    </ul>
  )
}

/** The user's name is visible while signed in; an item without URL only if an item of its submenu is. */
const isVisible = (item: ResolvedItem, context: RenderContext): boolean =>
  (item.title !== userNamePlaceholder || context.viewer !== undefined) &&
  (item.url !== undefined || item.submenu.some((subitem) => isVisible(subitem, context)))

function renderItemLink(item: ResolvedItem, context: RenderContext): ReactNode {
  return (
    <a href={hrefOf(item, context)} {...item.lang}>
      {renderItemText(item, context)}
    </a>
  )
}

const hrefOf = ({ url }: ResolvedItem, context: RenderContext) =>
  url === undefined ? undefined : resolveLink(url, context)

/** Renders a submenu that opens on hover or keyboard focus. */
function renderHoverSubmenu(item: ResolvedItem, items: readonly ResolvedItem[], context: RenderContext): ReactNode {
  return (
    <div className="submenu">
      {item.url === undefined ? (
        <button type="button" className="more">
          {renderItemText(item, context)}
        </button>
      ) : (
        <a href={hrefOf(item, context)} className="more" {...item.lang}>
          {renderItemText(item, context)}
        </a>
      )}
      {renderItems(items, {}, renderHoverSubmenu, context)}
    </div>
  )
}

/**
 * Renders a submenu that opens on a click. Its item is then no link, so the submenu begins with a copy of it, unless
 * another link in it has the same target.
 */
function renderFoldedSubmenu(item: ResolvedItem, items: readonly ResolvedItem[], context: RenderContext): ReactNode {
  const hasSameTarget = (subitem: ResolvedItem) => hrefOf(subitem, context) === hrefOf(item, context)
  const needsCopy = item.url !== undefined && !items.some(hasSameTarget)
  const links = needsCopy ? [{ ...item, className: '', submenu: [] }, ...items] : items
  return (
    <details>
      <summary className="more" {...item.lang}>
        {renderItemText(item, context)}
      </summary>
      {renderItems(links, {}, renderFoldedSubmenu, context)}
    </details>
  )
}

function renderItemText(item: ResolvedItem, context: RenderContext): ReactNode {
  return (
    <>
      {item.icon && renderIcon(item.icon as z.output<typeof iconName>)}
      {item.title === userNamePlaceholder ? <bdi>{context.viewer?.name}</bdi> : renderText(item.title, context)}
    </>
  )
}
