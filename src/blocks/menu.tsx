import type { ReactNode } from 'react'
import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, type Scene, shortText } from './define-block.ts'
import { icon, iconName } from './icons.tsx'
import { linkTo } from './links.ts'
import { orNothing, say } from './say.ts'

/** An item with this title shows the name of who is signed in, and is left out for everybody else. */
const userName = '[user]'

const leaf = { title: shortText, url: linkUrl, icon: iconName.optional(), className }
const menuItem = z.strictObject({ ...leaf, submenu: z.array(z.strictObject(leaf)).max(20).default([]) })
type Leaf = Omit<z.output<typeof menuItem>, 'submenu'>

export const menu = defineBlock({
  type: 'menu',
  fields: {
    menuType: z.enum(['desktop', 'mobile']),
    submenuDirection: z.enum(['end']).default('end'),
    className,
    items: z.array(menuItem).max(20),
  },
  labels: {
    nl: {
      name: 'Menu',
      fields: { menuType: 'Soort', submenuDirection: 'Richting van het submenu', className: 'Klassen', items: 'Items' },
      parts: {
        'items.title': 'Tekst',
        'items.url': 'Adres',
        'items.icon': 'Icoon',
        'items.className': 'Klassen',
        'items.submenu': 'Submenu',
        'items.submenu.title': 'Tekst',
        'items.submenu.url': 'Adres',
        'items.submenu.icon': 'Icoon',
        'items.submenu.className': 'Klassen',
      },
      choices: {
        'menuType.desktop': 'Groot scherm',
        'menuType.mobile': 'Telefoon',
        'submenuDirection.end': 'Naar het einde van de regel',
      },
    },
    fa: {
      name: 'منو',
      fields: { menuType: 'نوع', submenuDirection: 'جهت زیرمنو', className: 'کلاس‌ها', items: 'گزینه‌ها' },
      parts: {
        'items.title': 'متن',
        'items.url': 'نشانی',
        'items.icon': 'نماد',
        'items.className': 'کلاس‌ها',
        'items.submenu': 'زیرمنو',
        'items.submenu.title': 'متن',
        'items.submenu.url': 'نشانی',
        'items.submenu.icon': 'نماد',
        'items.submenu.className': 'کلاس‌ها',
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
  View(block, scene) {
    const items = block.items.filter((item) => item.title !== userName || scene.viewer)
    return (
      <ul className={`menu menu-${block.menuType} ${block.className}`.trim()}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what it says changes while somebody types, and may stand in it twice
          <li key={index} className={orNothing(item.className)}>
            {item.submenu.length === 0
              ? itemLink(item, scene)
              : block.menuType === 'desktop'
                ? hovered(item, subItems(item.submenu, scene), scene)
                : unfolded(item, subItems(item.submenu, scene), scene)}
          </li>
        ))}
      </ul>
    )
  },
})

function subItems(items: Leaf[], scene: Scene): ReactNode {
  return (
    <ul>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what it says changes while somebody types, and may stand in it twice
        <li key={index} className={orNothing(item.className)}>
          {itemLink(item, scene)}
        </li>
      ))}
    </ul>
  )
}

function itemLink(item: Leaf, scene: Scene): ReactNode {
  return <a href={linkTo(item.url, scene)}>{itemText(item, scene)}</a>
}

/** Opens where the pointer rests or the keyboard stands. */
function hovered(item: Leaf, items: ReactNode, scene: Scene): ReactNode {
  return (
    <div className="drop">
      <a href={linkTo(item.url, scene)} className="more">
        {itemText(item, scene)}
      </a>
      {items}
    </div>
  )
}

function unfolded(item: Leaf, items: ReactNode, scene: Scene): ReactNode {
  return (
    <details>
      <summary className="more">{itemText(item, scene)}</summary>
      {items}
    </details>
  )
}

function itemText(item: Leaf, scene: Scene): ReactNode {
  return (
    <>
      {item.icon && icon(item.icon)}
      {item.title === userName ? <bdi>{scene.viewer?.name}</bdi> : say(item.title, scene)}
    </>
  )
}
