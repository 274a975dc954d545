import type { ReactNode } from 'react'
import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, type RenderContext, shortText } from './define-block.ts'
import { icon, iconName } from './icons.tsx'
import { renderText, resolveLink, undefinedIfEmpty } from './render-text.tsx'

/** An item with this title shows the user's name, and is omitted when nobody is signed in. */
const userName = '[user]'

export interface MenuItem {
  title: string
  /** Omitted for an item that only opens its submenu. */
  url?: string | undefined
  icon?: z.output<typeof iconName> | undefined
  className: string
  submenu: MenuItem[]
}
type MenuItemInput = Pick<MenuItem, 'title' | 'url' | 'icon'> & { className?: string; submenu?: MenuItemInput[] }

const menuItem: z.ZodType<MenuItem, MenuItemInput> = z
  .strictObject({
    title: shortText,
    url: linkUrl.optional(),
    icon: iconName.optional(),
    className,
    get submenu() {
      return z.array(menuItem).max(20).default([])
    },
  })
  .refine(({ url, submenu }) => url !== undefined || submenu.length > 0, { path: ['url'], error: 'required' })

export const menu = defineBlock({
  type: 'menu',
  group: 'site',
  fields: {
    menuType: z.enum(['desktop', 'mobile']),
    submenuDirection: z.enum(['end']).default('end'),
    className,
    items: z.array(menuItem).max(20),
  },
  labels: {
    nl: {
      name: 'Menu',
      hint: 'De navigatie van de site.',
      fields: { menuType: 'Soort', submenuDirection: 'Richting van het submenu', className: 'Klassen', items: 'Items' },
      nestedFields: {
        'items.title': 'Tekst',
        'items.url': 'Adres',
        'items.icon': 'Icoon',
        'items.className': 'Klassen',
        'items.submenu': 'Submenu',
      },
      choices: {
        'menuType.desktop': 'Groot scherm',
        'menuType.mobile': 'Telefoon',
        'submenuDirection.end': 'Naar het einde van de regel',
      },
    },
    fa: {
      name: 'منو',
      hint: 'ناوبری سایت.',
      fields: { menuType: 'نوع', submenuDirection: 'جهت زیرمنو', className: 'کلاس‌ها', items: 'گزینه‌ها' },
      nestedFields: {
        'items.title': 'متن',
        'items.url': 'نشانی',
        'items.icon': 'نماد',
        'items.className': 'کلاس‌ها',
        'items.submenu': 'زیرمنو',
      },
      choices: {
        'menuType.desktop': 'صفحهٔ بزرگ',
        'menuType.mobile': 'گوشی',
        'submenuDirection.end': 'به سوی پایان سطر',
      },
    },
  },
  defaults: {
    nl: { menuType: 'desktop', items: [{ title: 'Contact', url: '/#contact' }] },
    fa: { menuType: 'desktop', items: [{ title: 'تماس', url: '/#contact' }] },
  },
  View(block, context) {
    const submenu = block.menuType === 'desktop' ? hoverSubmenu : foldedSubmenu
    return renderItems(block.items, `menu menu-${block.menuType} ${block.className}`.trim(), submenu, context)
  },
})

type RenderSubmenu = (item: MenuItem, items: ReactNode, context: RenderContext) => ReactNode

function renderItems(
  items: readonly MenuItem[],
  className: string | undefined,
  submenu: RenderSubmenu,
  context: RenderContext,
): ReactNode {
  const shown = items.filter((item) => isShown(item, context))
  return (
    <ul className={className}>
      {shown.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and may repeat
        <li key={index} className={undefinedIfEmpty(item.className)}>
          {item.submenu.some((inner) => isShown(inner, context))
            ? submenu(item, renderItems(item.submenu, undefined, submenu, context), context)
            : itemLink(item, context)}
        </li>
      ))}
    </ul>
  )
}

/** An item without URL is only shown when its submenu has a visible item. */
const isShown = (item: MenuItem, context: RenderContext): boolean =>
  (item.title !== userName || context.viewer !== undefined) &&
  (item.url !== undefined || item.submenu.some((inner) => isShown(inner, context)))

function itemLink(item: MenuItem, context: RenderContext): ReactNode {
  return <a href={hrefOf(item, context)}>{itemText(item, context)}</a>
}

const hrefOf = ({ url }: MenuItem, context: RenderContext) =>
  url === undefined ? undefined : resolveLink(url, context)

/** Opens on hover or keyboard focus. */
function hoverSubmenu(item: MenuItem, items: ReactNode, context: RenderContext): ReactNode {
  return (
    <div className="drop">
      {item.url === undefined ? (
        <button type="button" className="more">
          {itemText(item, context)}
        </button>
      ) : (
        <a href={hrefOf(item, context)} className="more">
          {itemText(item, context)}
        </a>
      )}
      {items}
    </div>
  )
}

/** Opens on a click. */
function foldedSubmenu(item: MenuItem, items: ReactNode, context: RenderContext): ReactNode {
  return (
    <details>
      <summary className="more">{itemText(item, context)}</summary>
      {items}
    </details>
  )
}

function itemText(item: MenuItem, context: RenderContext): ReactNode {
  return (
    <>
      {item.icon && icon(item.icon)}
      {item.title === userName ? <bdi>{context.viewer?.name}</bdi> : renderText(item.title, context)}
    </>
  )
}
