import type { ReactNode } from 'react'
import { nameOfIcon } from '../../../blocks/icon-names.ts'
import { formatPrice } from '../../../blocks/offer.tsx'
import { appearanceOptions } from '../../../contract/config-choices.ts'
import { type ConfigChange, isMenuTree, type SiteParts } from '../../../contract/config-parts.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { numberFormat } from '../../../contract/intl-formats.ts'
import { adminLocale, isLanguageTag, type Locale, type Localized, languageName } from '../../../contract/locales.ts'
import type { MenuItem } from '../../../contract/menus.ts'
import { numberText } from '../../components/dates.tsx'
import { currentLocale, type TextKey, type TFunction, useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import styles from './config.module.css'
import { menuItemTitle, useNamedPages } from './named-pages.ts'
import { textForStaff, toTexts, weekdayNames } from './values.ts'

type Configs = readonly Partial<SiteParts>[]

/**
 * A readable label of a path in the configuration: `Prijzen · Bedrijfswebsite · Bedrag in euro`.
 * @param configs the compared configurations: the label has the name of an item that one of them has, or else its id
 */
export function configPathLabel(path: readonly string[], t: TFunction, configs: Configs = []): string {
  const labels = path.slice(1).flatMap((_, index) => labelAt(index + 1, path, t, configs) ?? [])
  return [partLabel(path, t), ...labels].join(' · ')
}

/** The label of a part; of the header or the footer, the title of its screen. */
function partLabel([part = '', bar]: readonly string[], t: TFunction): string {
  const screen = part === 'branding' ? bar : (screenOf[part] ?? part)
  const screenTitle = textOr(part, `config.screens.${screen}.title`, t)
  const isBar = part === 'branding' && bar !== undefined
  return isBar ? screenTitle : textOr(screenTitle, `config.fields.${part}`, t)
}

/** The label of the name at an index of a path, from 1; undefined for a name that labels omit. */
function labelAt(index: number, path: readonly string[], t: TFunction, configs: Configs): string | undefined {
  const [part = '', group] = path
  const name = path[index] ?? ''
  const parent = index > 1 ? path[index - 1] : undefined
  const itemName = nameOfItem(path.slice(0, index + 1), configs)
  if (itemName) return itemName
  const number = /^\d+$/.test(name) ? Number(name) : undefined
  const formattedNumber = number === undefined ? undefined : numberText(number, currentLocale())
  const hasItems = part === 'forms' || part === 'collections'
  if (hasItems && (index === 1 || parent === 'fields' || parent === 'options')) return formattedNumber ?? name
  // `is` in `showIf.is` is a property, not Icelandic.
  if (isLanguage(name) && parent !== 'showIf') return languageName(name)
  if (part === 'logo' || part === 'menus' || omittedNames.has(name)) return undefined
  if (part === 'branding') {
    // `branding.navbar.top.nl.2.title`: the label of the bar is that of the part.
    if (index === 1) return undefined
    if (index === 2) return textOr(name, `config.fields.areas.${group}.${name}`, t)
    if (number === undefined) return textOr(name, `config.fields.block.${name}`, t)
    return index === 4 ? t('config.fields.block_', { number }) : formattedNumber
  }
  if (part === 'offer' && index > 2) return textOr(name, `config.fields.item.${name}`, t)
  if (part === 'collections')
    return textOr(name, name === 'options' ? 'config.fields.form.options' : `config.collections.${name}`, t)
  if (part === 'forms') return textOr(name, `config.fields.form.${name}`, t)
  if (part === 'business' && group === 'openingHours' && index === 2)
    return weekdayNames(t)[name as keyof ReturnType<typeof weekdayNames>] ?? name
  if (index === 1) return textOr(name, `config.fields.${part}.${name}`, t)
  if (part === 'contact' && formattedNumber) return formattedNumber
  return textOr(name, `config.fields.${group}.${name}`, t)
}

/** The text with a key, or the fallback if there is none. `t` returns the key of a text that does not exist. */
function textOr(fallback: string, key: string, t: TFunction): string {
  const text = t(key as TextKey)
  return text === key || typeof text !== 'string' ? fallback : text
}

/** The label of an area such as `navbar.top`; a name without a dot is a part of the configuration. */
export const configLabel = (name: string, t: TFunction): string =>
  configPathLabel(name.includes('.') ? ['branding', ...name.split('.')] : [name], t)

/** Parts with items that have an id, and a name or label in each language. */
const partsWithItems = new Set(['forms', 'collections', 'offer'])

/** The name, in the language of the user, of the item whose id ends the path; empty if there is none. */
function nameOfItem(path: readonly string[], configs: Configs): string {
  const [part = ''] = path
  const id = path.at(-1) ?? ''
  if (!partsWithItems.has(part)) return ''
  const names = configs.map((config) => {
    const list = path.slice(0, -1).reduce<unknown>(childOf, config)
    const item = Array.isArray(list) ? (childOf(list, id) as NamedItem | undefined) : undefined
    return textForStaff(toTexts(item?.name ?? item?.label))
  })
  return names.find(Boolean) ?? ''
}

/** Whether a path leads to or through an item that has no name in these configurations. */
export function leadsToUnnamedItem(path: readonly string[], configs: Configs): boolean {
  const [part = ''] = path
  // `offer.prices.<id>`, but `forms.<id>`.
  const itemIndex = part === 'offer' ? 2 : 1
  const isUnnamed = (index: number) => !nameOfItem(path.slice(0, index + 1), configs)
  return (
    partsWithItems.has(part) &&
    path.some((_, index) => (index === itemIndex || path[index - 1] === 'fields') && isUnnamed(index))
  )
}

type NamedItem = Partial<Record<'name' | 'label', Localized<string>>>

/** The item of a list with this id, or the property of an object with this name. */
const childOf = (parent: unknown, name: string): unknown =>
  Array.isArray(parent)
    ? parent.find((item) => item.id === name)
    : (parent as Record<string, unknown> | undefined)?.[name]

/** Properties that are tags of rare languages too. Not `id` and `is`: there are sites in Indonesian and Icelandic. */
const propertiesLikeTags = new Set(['alt', 'geo', 'kvk', 'old', 'seo', 'src', 'tel', 'top', 'url', 'vat'])
const isLanguage = (name: string) => isLanguageTag(name) && !propertiesLikeTags.has(name)

/** Names that a label omits. */
const omittedNames = new Set(['placeholder', 'autocomplete'])

/** The screens of parts that have no screen of their own name. */
const screenOf: Record<string, string> = { tagline: 'brand', url: 'brand', languages: 'locales' }

/** A value of the configuration as readable text: a colour with a swatch, a formatted price, opening hours, a menu. */
export function ChangedValue(props: { path: readonly string[]; value: unknown; configs?: Configs }): ReactNode {
  const { path, value, configs = [] } = props
  const t = useText()
  const uiLocale = useLocale()
  const name = path.at(-1) ?? ''
  if (value === undefined || value === null || value === '') {
    const isWeekday = path[0] === 'business' && path[1] === 'openingHours'
    return <span className="quiet">{t(isWeekday ? 'config.hours.closed' : 'form.nothing')}</span>
  }
  if (isMenuTree(path)) return <MenuOutline menu={value as MenuItem[]} locale={path[2] ?? ''} />
  if (typeof value === 'boolean') return t(value ? 'form.yes' : 'form.no')
  if (path[0] === 'palette' && typeof value === 'string') {
    return (
      <bdi dir="ltr">
        <span className={styles.swatch} style={{ background: value }} />
        {value}
      </bdi>
    )
  }
  if (typeof value === 'number')
    return name === 'amount' ? <bdi>{formatPrice(value, uiLocale)}</bdi> : exactNumber(value, uiLocale)
  if (typeof value === 'string') {
    // `showIf.field` has the id of another question: the path of the fields, and that id, lead to it.
    const isQuestionId = path.at(-2) === 'showIf' && name === 'field'
    const question = isQuestionId && nameOfItem([...path.slice(0, -3), value], configs)
    return <bdi>{question || formatString(path, value, t, uiLocale)}</bdi>
  }
  if (isHours(value)) {
    return (
      <bdi dir="ltr">
        {value.opens}–{value.closes}
      </bdi>
    )
  }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return (
      <ul>
        {value.map((item) => (
          <li key={item}>
            <bdi>{name === 'locales' ? languageName(item) : nameOfItem([...path, item], configs) || item}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  return <bdi>{summarize(value) || t('config.fields.blockAlone')}</bdi>
}

/** With all decimals, such as those of coordinates. JavaScript numbers are exact to 15 digits. */
const exactNumber = (value: number, locale: Locale) => numberFormat(locale, { maximumFractionDigits: 15 }).format(value)

/** The items of a menu by their titles, with those of its submenus below them. */
function MenuOutline({ menu, locale }: { menu: readonly MenuItem[]; locale: Locale }): ReactNode {
  const t = useText()
  const pages = useNamedPages(menu)
  const main = useMainLocale()
  if (menu.length === 0) return <span className="quiet">{t('form.nothing')}</span>
  const renderList = (items: readonly MenuItem[]): ReactNode => (
    <ul>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and may repeat
        <li key={index}>
          <bdi>{menuItemTitle(item, pages, locale, main) || t('config.offer.unnamed')}</bdi>{' '}
          {item.url !== undefined && (
            <small className="quiet" dir="ltr">
              {item.url}
            </small>
          )}
          {item.submenu.length > 0 && renderList(item.submenu)}
        </li>
      ))}
    </ul>
  )
  return renderList(menu)
}

/** The label of a choice, icon or file; otherwise the string itself, without HTML tags. */
function formatString(path: readonly string[], value: string, t: TFunction, uiLocale: Locale): string {
  const field = path.at(-1) ?? ''
  if (path[0] === 'collections' && (field === 'kind' || field === 'order' || field === 'type')) {
    return textOr(value, `config.collections.${field}s.${value}`, t)
  }
  if (field === 'icon') return nameOfIcon(value, adminLocale(uiLocale))
  if (field === 'src') return fileNameFromUrl(value)
  const withoutTags = value
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const plainText = withoutTags || value
  if (field === 'kind') return textOr(plainText, `config.forms.kinds.${value}`, t)
  if (field === 'period' || field === 'vat') return textOr(plainText, `config.offer.${field}.${value}`, t)
  return choiceFields.has(field) ? textOr(plainText, `config.choices.${value}`, t) : plainText
}

const choicesOfBlocks = ['showIf', 'menuType', 'menu', 'submenuDirection', 'target', 'widest']
const choiceFields = new Set([...choicesOfBlocks, ...Object.keys(appearanceOptions)])

const isHours = (value: unknown): value is { opens: string; closes: string } =>
  typeof value === 'object' && value !== null && 'opens' in value && 'closes' in value

/** The first eight texts in an added or removed object, without HTML tags. */
function summarize(value: unknown): string {
  const texts: string[] = []
  /** @param isTranslated whether the names beside this one are all language tags */
  const collectTexts = (child: unknown, name: string, isTranslated = false) => {
    const isText = (isTranslated && isLanguage(name)) || textNames.test(name)
    if (typeof child === 'string' && isText) texts.push(child)
    if (typeof child !== 'object' || child === null) return
    const areLanguages = Object.keys(child).every(isLanguageTag)
    for (const [key, grandchild] of Object.entries(child)) collectTexts(grandchild, key, areLanguages)
  }
  collectTexts(value, '')
  return texts
    .slice(0, 8)
    .join(' · ')
    .replace(/<[^>]+>/g, ' ')
}

/** Properties, and indexes of lists, whose strings summarise an object. */
const textNames = /^(title|name|content|copyright|description|url|\d+)$/

/** A table of changes: setting, old value, new value. @param props.before the heading of the old values */
export function ChangesTable(props: { changes: ConfigChange[]; configs?: Configs; before: string; after: string }) {
  const { changes, configs = [], before, after } = props
  const t = useText()
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('config.revisions.field')}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, ...values }) => (
          <tr key={path.join('.')}>
            <th scope="row">{configPathLabel(path, t, configs)}</th>
            <td data-label={before}>
              <ChangedValue path={path} value={values.before} configs={configs} />
            </td>
            <td data-label={after}>
              <ChangedValue path={path} value={values.after} configs={configs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
