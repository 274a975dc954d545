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

/** The areas of the header with a menu. */
export const menuAreas = ['desktop', 'mobile'] as const

/** The first `menu` block that all visitors see; undefined unless it has items of its own. */
export function findOwnMenu(blocks: readonly StoredBlock[] | undefined): MenuBlock | undefined {
  const menu = blocks?.find((block): block is MenuBlock => block.type === 'menu' && isForEveryone(block as MenuBlock))
  return menu?.menu === undefined && menu?.items?.length ? menu : undefined
}

/** The items of the header's own menus, per area; areas without an own menu are left out. */
export const ownHeaderItems = ({ branding }: Branding, locale: Locale): MenuItem[][] =>
  menuAreas.flatMap((area) => {
    const items = findOwnMenu(branding.navbar[area][locale])?.items
    return items ? [items] : []
  })

/** Whether header or footer show the menu of the site in a language; omitted: in any language. */
export const showsSiteMenu = ({ branding }: Branding, locale?: Locale): boolean =>
  Object.values(branding).some((headerOrFooter) =>
    Object.values(headerOrFooter).some((area) => {
      const blockLists = locale === undefined ? Object.values(area) : [localized(area, locale).value]
      return blockLists.some((blocks) => blocks?.some(isSiteMenu))
    }),
  )

const isSiteMenu = (block: StoredBlock) => block.type === 'menu' && (block as MenuBlock).menu !== undefined

const isForEveryone = ({ showIf = 'always' }: MenuBlock) => showIf === 'always'
