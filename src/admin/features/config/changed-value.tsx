import type { ReactNode } from 'react'
import { iconNames } from '../../../blocks/icon-names.ts'
import { formatPrice } from '../../../blocks/offer.tsx'
import { appearanceOptions } from '../../../contract/config-choices.ts'
import { type ConfigChange, isMenuTree } from '../../../contract/config-parts.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { numberFormat } from '../../../contract/intl-formats.ts'
import { adminLocale, isLanguageTag, type Locale, languageName } from '../../../contract/locales.ts'
import type { MenuItem } from '../../../contract/menus.ts'
import { numberText } from '../../components/dates.tsx'
import { currentLocale, type TextKey, type TFunction, useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import styles from './config.module.css'
import { menuItemTitle, useNamedPages } from './named-pages.ts'
import { dayNames } from './values.ts'

/** A readable label of a path in the configuration: `Prijzen · bedrijfswebsite · Bedrag in euro`. */
export function changeLabel(path: readonly string[], t: TFunction): string {
  const [part = '', ...rest] = path
  const words = (key: string, otherwise: string) => {
    const found = t(key as TextKey)
    return found === key || typeof found !== 'string' ? otherwise : found
  }
  const named = rest.flatMap((name, index): string[] => {
    const holder = rest[index - 1]
    const isId =
      (part === 'forms' || part === 'collections') && (index === 0 || holder === 'fields' || holder === 'options')
    if (isId) return [/^\d+$/.test(name) ? numberText(Number(name), currentLocale()) : name]
    if (isLanguage(name)) return [languageName(name)]
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

/** Names of properties that are tags of a language too. */
const propertiesLikeTags = new Set(['alt', 'geo', 'id', 'is', 'kvk', 'old', 'seo', 'src', 'tel', 'top', 'url', 'vat'])
const isLanguage = (name: string) => isLanguageTag(name) && !propertiesLikeTags.has(name)

/** Properties of a contact form field that a label omits. */
const formFieldParts = new Set(['placeholder', 'autocomplete'])

const screenOf: Record<string, string> = { tagline: 'brand', url: 'brand', languages: 'locales' }

/** A readable value: a colour with its swatch, a formatted price, opening hours. */
export function ChangedValue({ path, value }: { path: readonly string[]; value: unknown }): ReactNode {
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
  if (typeof value === 'string') return <bdi>{wordsOf(path, value, t, locale)}</bdi>
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
            <bdi>{last === 'locales' ? languageName(one) : one}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  return <bdi>{summaryOf(value) || t('config.fields.blockAlone')}</bdi>
}

/** With all decimals, such as those of coordinates. */
const exactNumber = (value: number, locale: Locale) => numberFormat(locale, { maximumFractionDigits: 8 }).format(value)

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
  if (field === 'icon') return (iconNames[adminLocale(locale)] as Record<string, string>)[value] ?? value
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
  const collect = (one: unknown, name: string) => {
    if (
      typeof one === 'string' &&
      (isLanguage(name) || /^(title|name|content|copyright|description|url|\d+)$/.test(name))
    )
      words.push(one)
    if (typeof one === 'object' && one !== null) for (const [key, inner] of Object.entries(one)) collect(inner, key)
  }
  collect(value, '')
  return words
    .slice(0, 8)
    .join(' · ')
    .replace(/<[^>]+>/g, ' ')
}

/** A table of changes: setting, old value, new value. */
export function Changes(props: { changes: ConfigChange[]; before: string; after: string }) {
  const { changes, before, after } = props
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
            <th scope="row">{changeLabel(path, t)}</th>
            <td data-label={before}>
              <ChangedValue path={path} value={values.before} />
            </td>
            <td data-label={after}>
              <ChangedValue path={path} value={values.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
