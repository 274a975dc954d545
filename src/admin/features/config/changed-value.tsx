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
import { dayNames, textForStaff, textsOf } from './values.ts'

type Configs = readonly Partial<SiteParts>[]

/**
 * A readable label of a path in the configuration: `Prijzen · Bedrijfswebsite · Bedrag in euro`.
 * @param configs those compared, in which an item's name is looked up instead of its id
 */
export function changeLabel(path: readonly string[], t: TFunction, configs: Configs = []): string {
  const [part = '', ...rest] = path
  const words = (key: string, otherwise: string) => {
    const found = t(key as TextKey)
    return found === key || typeof found !== 'string' ? otherwise : found
  }
  const named = rest.flatMap((name, index): string[] => {
    const holder = rest[index - 1]
    const itemName = nameOfItem(path.slice(0, index + 2), configs)
    if (itemName) return [itemName]
    const isId =
      (part === 'forms' || part === 'collections') && (index === 0 || holder === 'fields' || holder === 'options')
    if (isId) return [/^\d+$/.test(name) ? numberText(Number(name), currentLocale()) : name]
    if (isLanguage(name) && holder !== 'showIf') return [languageName(name)]
    if (part === 'logo' || part === 'menus' || formFieldParts.has(name)) return []
    const [before] = rest
    if (part === 'branding') {
      if (index === 0) return []
      if (index === 1) return [words(`config.fields.areas.${before}.${name}`, name)]
      return [
        /^\d+$/.test(name)
          ? index === 3
            ? t('config.fields.block_', { number: Number(name) })
            : numberText(Number(name), currentLocale())
          : words(`config.fields.block.${name}`, name),
      ]
    }
    if (part === 'offer' && index > 1) return [words(`config.fields.item.${name}`, name)]
    if (part === 'collections') {
      const field = name === 'options' ? 'fields.form.options' : `collections.${name}`
      return [words(`config.${field}`, name)]
    }
    if (part === 'forms') return [words(`config.fields.form.${name}`, name)]
    if (part === 'business' && before === 'openingHours' && index === 1)
      return [dayNames(t)[name as keyof ReturnType<typeof dayNames>] ?? name]
    if (index === 0) return [words(`config.fields.${part}.${name}`, name)]
    if (part === 'contact' && /^\d+$/.test(name)) return [numberText(Number(name), currentLocale())]
    return [words(`config.fields.${before}.${name}`, name)]
  })
  const screen =
    part === 'branding' ? `config.screens.${path[1]}.title` : `config.screens.${screenOf[part] ?? part}.title`
  const isArea = part === 'branding' && path.length > 1
  const first = isArea ? words(screen, part) : words(`config.fields.${part}`, words(screen, part))
  return [first, ...named].join(' · ')
}

/** The label of an area such as `navbar.top`; a name without a dot is a part of the configuration. */
export const configLabel = (name: string, t: TFunction): string =>
  changeLabel(name.includes('.') ? ['branding', ...name.split('.')] : [name], t)

/** Parts with items that have a name or label in each language. */
const partsWithItems = new Set(['forms', 'collections', 'offer'])

/** The name, in the language of staff, of an item whose path ends with its id. */
function nameOfItem(path: readonly string[], configs: Configs): string {
  const [part = ''] = path
  const id = path.at(-1)
  if (!partsWithItems.has(part)) return ''
  const names = configs.map((config) => {
    const list = path.slice(0, -1).reduce<unknown>(childOf, config)
    const item = Array.isArray(list) ? (childOf(list, id ?? '') as NamedItem | undefined) : undefined
    return textForStaff(textsOf(item?.name ?? item?.label))
  })
  return names.find(Boolean) ?? ''
}

/** Whether a path leads to or through an item that has no name in these configurations. */
export const isUnnamed = (path: readonly string[], configs: Configs): boolean =>
  partsWithItems.has(path[0] ?? '') &&
  path.some(
    (_, index) =>
      (index === (path[0] === 'offer' ? 2 : 1) || path[index - 1] === 'fields') &&
      !nameOfItem(path.slice(0, index + 1), configs),
  )

type NamedItem = Partial<Record<'name' | 'label', Localized<string>>>

const childOf = (inside: unknown, name: string): unknown =>
  Array.isArray(inside)
    ? inside.find((one) => one.id === name)
    : (inside as Record<string, unknown> | undefined)?.[name]

/** Names of properties that are tags of a language too, besides `id` and `is`, which are languages of some sites. */
const propertiesLikeTags = new Set(['alt', 'geo', 'kvk', 'old', 'seo', 'src', 'tel', 'top', 'url', 'vat'])
const isLanguage = (name: string) => isLanguageTag(name) && !propertiesLikeTags.has(name)

/** Properties of a contact form field that a label omits. */
const formFieldParts = new Set(['placeholder', 'autocomplete'])

const screenOf: Record<string, string> = { tagline: 'brand', url: 'brand', languages: 'locales' }

/** A readable value: a colour with its swatch, a formatted price, opening hours. */
export function ChangedValue(props: { path: readonly string[]; value: unknown; configs?: Configs }): ReactNode {
  const { path, value, configs = [] } = props
  const t = useText()
  const locale = useLocale()
  const last = path.at(-1) ?? ''
  if (value === undefined || value === null || value === '') {
    const day = path[0] === 'business' && path[1] === 'openingHours'
    return <span className="quiet">{t(day ? 'config.hours.closed' : 'form.nothing')}</span>
  }
  if (isMenuTree(path)) return <MenuOutline tree={value as MenuItem[]} locale={path[2] ?? ''} />
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
    return last === 'amount' ? <bdi>{formatPrice(value, locale)}</bdi> : exactNumber(value, locale)
  if (typeof value === 'string') {
    const question = path.at(-2) === 'showIf' && last === 'field' && nameOfItem([...path.slice(0, -3), value], configs)
    return <bdi>{question || wordsOf(path, value, t, locale)}</bdi>
  }
  if (isHours(value)) {
    return (
      <bdi dir="ltr">
        {value.opens}–{value.closes}
      </bdi>
    )
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return (
      <ul>
        {value.map((one) => (
          <li key={one}>
            <bdi>{last === 'locales' ? languageName(one) : nameOfItem([...path, one], configs) || one}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  return <bdi>{summaryOf(value) || t('config.fields.blockAlone')}</bdi>
}

/** With all decimals, such as those of coordinates; a number is exact to 15 digits. */
const exactNumber = (value: number, locale: Locale) => numberFormat(locale, { maximumFractionDigits: 15 }).format(value)

/** The items of a menu by their titles, with those of its submenus below them. */
function MenuOutline({ tree, locale }: { tree: readonly MenuItem[]; locale: Locale }): ReactNode {
  const t = useText()
  const pages = useNamedPages(tree)
  const main = useMainLocale()
  if (tree.length === 0) return <span className="quiet">{t('form.nothing')}</span>
  const list = (items: readonly MenuItem[]): ReactNode => (
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
          {item.submenu.length > 0 && list(item.submenu)}
        </li>
      ))}
    </ul>
  )
  return list(tree)
}

function wordsOf(path: readonly string[], value: string, t: TFunction, locale: Locale): string {
  const field = path.at(-1) ?? ''
  if (path[0] === 'collections' && (field === 'kind' || field === 'order' || field === 'type')) {
    const words = `config.collections.${field}s.${value}`
    return t(words as TextKey) === words ? value : t(words as TextKey)
  }
  if (field === 'icon') return nameOfIcon(value, adminLocale(locale))
  if (field === 'src') return fileNameFromUrl(value)
  const kind = `config.forms.kinds.${value}`
  if (field === 'kind' && t(kind as TextKey) !== kind) return t(kind as TextKey)
  const key = field === 'period' || field === 'vat' ? `config.offer.${field}.${value}` : `config.choices.${value}`
  const isChoice = [
    'period',
    'vat',
    'showIf',
    'menuType',
    'menu',
    'submenuDirection',
    'target',
    'widest',
    ...Object.keys(appearanceOptions),
  ].includes(field)
  const words = isChoice ? t(key as TextKey) : key
  // HTML is shown as plain text.
  return words === key
    ? value
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim() || value
    : words
}

const isHours = (value: unknown): value is { opens: string; closes: string } =>
  typeof value === 'object' && value !== null && 'opens' in value && 'closes' in value

/** Summarises an added or removed object by the texts in it. */
function summaryOf(value: unknown): string {
  const words: string[] = []
  const collect = (one: unknown, name: string, isTranslated = false) => {
    if (
      typeof one === 'string' &&
      ((isTranslated && isLanguage(name)) || /^(title|name|content|copyright|description|url|\d+)$/.test(name))
    )
      words.push(one)
    if (typeof one !== 'object' || one === null) return
    const areLanguages = Object.keys(one).every(isLanguageTag)
    for (const [key, inner] of Object.entries(one)) collect(inner, key, areLanguages)
  }
  collect(value, '')
  return words
    .slice(0, 8)
    .join(' · ')
    .replace(/<[^>]+>/g, ' ')
}

/** A table of changes: setting, old value, new value. */
export function Changes(props: { changes: ConfigChange[]; configs?: Configs; before: string; after: string }) {
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
            <th scope="row">{changeLabel(path, t, configs)}</th>
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
