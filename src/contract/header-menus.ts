import { type Locale, localized } from './locales.ts'
import type { MenuItem } from './menus.ts'
import type { SiteConfig, StoredBlock } from './site-config.ts'

/** A `menu` block, with the fields that decide which items it shows. */
export interface MenuBlock extends StoredBlock {
  showIf?: string
  menu?: 'main' | undefined
  items?: MenuItem[] | undefined
}

type Branding = Pick<SiteConfig, 'branding'>

/** The areas of the header whose first `menu` block for all visitors can be switched to the menu of the site, if it has items of its own. */
export const menuAreas = ['desktop', 'mobile'] as const

export function findOwnMenu(list: readonly StoredBlock[] | undefined): MenuBlock | undefined {
  const first = list?.find((block): block is MenuBlock => block.type === 'menu' && isForEveryone(block as MenuBlock))
  return first?.menu === undefined && first?.items?.length ? first : undefined
}

/** The items of the header's own menus, which are not in the menu of the site. */
export const ownHeaderItems = ({ branding }: Branding, locale: Locale): MenuItem[][] =>
  menuAreas.flatMap((area) => {
    const items = findOwnMenu(branding.navbar[area][locale])?.items
    return items ? [items] : []
  })

/** Whether some part of the header or footer shows the menu of the site: in any language, or to readers of this one. */
export const showsSiteMenu = ({ branding }: Branding, locale?: Locale): boolean =>
  Object.values(branding).some((bar) =>
    Object.values(bar).some((area) => {
      const lists = locale === undefined ? Object.values(area) : [localized(area, locale).value]
      return lists.some((list) => list?.some(isSiteMenu))
    }),
  )

const isSiteMenu = (block: StoredBlock) => block.type === 'menu' && (block as MenuBlock).menu !== undefined

const isForEveryone = ({ showIf = 'always' }: MenuBlock) => showIf === 'always'
