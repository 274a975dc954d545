import type { ReactNode } from 'react'
import { iconNames } from '../../../blocks/icon-names.ts'
import { formatPrice } from '../../../blocks/price.ts'
import type { ConfigChange } from '../../../contract/config-changes.ts'
import { type Locale, localeNames } from '../../../contract/locales.ts'
import { fileNameIn } from '../../../contract/pictures.ts'
import { numberText } from '../../components/dates.ts'
import { type Say, spokenLocale, type TextKey, useLocale, useText } from '../../i18n.ts'
import styles from './config.module.css'
import { dayNames } from './days.ts'

/** Where a changed value stands, in words: `Prijzen · bedrijfswebsite · Bedrag in euro`. */
export function changeLabel(path: readonly string[], t: Say): string {
  const [part = '', ...rest] = path
  const words = (key: string, otherwise: string) => {
    const found = t(key as TextKey)
    return found === key || typeof found !== 'string' ? otherwise : found
  }
  const isLocale = (name: string): name is keyof typeof localeNames => name in localeNames
  const named = rest.flatMap((name, index): string[] => {
    if (isLocale(name)) return [localeNames[name]]
    const [before] = rest
    if (part === 'branding') {
      if (index === 0) return []
      if (index === 1) return [words(`config.fields.areas.${before}.${name}`, name)]
      return [
        /^\d+$/.test(name)
          ? index === 3
            ? t('config.fields.block_', { number: Number(name) })
            : numberText(Number(name), spokenLocale())
          : words(`config.fields.block.${name}`, name),
      ]
    }
    if (part === 'offer' && index > 1) return [words(`config.fields.item.${name}`, name)]
    if (part === 'business' && before === 'openingHours' && index === 1)
      return [dayNames(t)[name as keyof ReturnType<typeof dayNames>] ?? name]
    if (index === 0) return [words(`config.fields.${part}.${name}`, name)]
    if (part === 'contact' && /^\d+$/.test(name)) return [t('config.fields.block_', { number: Number(name) })]
    return [words(`config.fields.${before}.${name}`, name)]
  })
  const screen =
    part === 'branding' ? `config.screens.${path[1]}.title` : `config.screens.${screenOf[part] ?? part}.title`
  const first = words(`config.fields.${part}`, words(screen, part))
  return [first, ...named].join(' · ')
}

const screenOf: Record<string, string> = { tagline: 'brand', url: 'brand' }

/** A value as a person reads it: a colour with its swatch, a price as a price, hours as hours. */
export function ChangedValue({ path, value }: { path: readonly string[]; value: unknown }): ReactNode {
  const t = useText()
  const locale = useLocale()
  const last = path.at(-1) ?? ''
  if (value === undefined || value === null || value === '') {
    const day = path[0] === 'business' && path[1] === 'openingHours'
    return <span className="quiet">{t(day ? 'config.hours.closed' : 'form.nothing')}</span>
  }
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
    return last === 'amount' ? <bdi>{formatPrice(value, locale)}</bdi> : numberText(value, locale)
  if (typeof value === 'string') return <bdi>{wordsOf(last, value, t, locale)}</bdi>
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
            <bdi>{last === 'locales' && one in localeNames ? localeNames[one as keyof typeof localeNames] : one}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  return <bdi>{summaryOf(value)}</bdi>
}

function wordsOf(field: string, value: string, t: Say, locale: Locale): string {
  if (field === 'icon') return (iconNames[locale] as Record<string, string>)[value] ?? value
  if (field === 'src') return fileNameIn(value)
  const key = `config.offer.${field}.${value}`
  const words = field === 'period' || field === 'vat' ? t(key as TextKey) : key
  // What was formatted is shown as words; its markup says nothing to who reads it.
  return words === key
    ? value
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim() || value
    : words
}

const isHours = (value: unknown): value is { opens: string; closes: string } =>
  typeof value === 'object' && value !== null && 'opens' in value && 'closes' in value

/** What came or went as a whole, by the words in it. */
function summaryOf(value: unknown): string {
  const words: string[] = []
  const look = (one: unknown, name: string) => {
    if (typeof one === 'string' && /^(nl|fa|title|name|content|copyright|description|url|type|\d+)$/.test(name))
      words.push(one)
    if (typeof one === 'object' && one !== null) for (const [key, inner] of Object.entries(one)) look(inner, key)
  }
  look(value, '')
  return words
    .slice(0, 8)
    .join(' · ')
    .replace(/<[^>]+>/g, ' ')
}

/** Changes as a table: the setting, what it was, what it became. */
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
