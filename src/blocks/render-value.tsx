import type { ReactNode } from 'react'
import type { ShownValue } from '../contract/collections.ts'
import { fileNameFromUrl } from '../contract/file-urls.ts'
import { longDate, numberFormat } from '../contract/intl-formats.ts'
import type { RenderContext } from './define-block.ts'
import { fileTypeAndSize } from './download.tsx'
import { formatPrice } from './offer.tsx'
import { localizeWithLang, resolveLink } from './render-text.tsx'

/** Renders a value of an entry, formatted in the language of the content. Not for images and rich text. */
export function renderValue({ field, value, linkTitle }: ShownValue, context: RenderContext): ReactNode {
  const { contentLocale } = context
  switch (field.type) {
    case 'date':
      return <time dateTime={String(value)}>{longDate(String(value), contentLocale)}</time>
    case 'number':
      return (
        <bdi>
          {numberFormat(contentLocale, {
            useGrouping: Math.abs(Number(value)) > 9_999,
            // A JavaScript number is exact to 15 digits.
            maximumFractionDigits: 15,
          }).format(Number(value))}
        </bdi>
      )
    case 'price':
      return <bdi>{formatPrice(Number(value), contentLocale)}</bdi>
    case 'choice': {
      const option = field.options?.find(({ id }) => id === value)
      return option ? localizeWithLang(option.name, context).value : ''
    }
    case 'file':
      return (
        <>
          <a href={String(value)} download>
            <bdi>{fileNameFromUrl(String(value)) || String(value)}</bdi>
          </a>{' '}
          <span className="note">{fileTypeAndSize(String(value), context)}</span>
        </>
      )
    case 'link':
      return <a href={resolveLink(String(value), context)}>{linkTitle ?? <bdi dir="ltr">{String(value)}</bdi>}</a>
    default:
      return <bdi>{value}</bdi>
  }
}
