import type { ReactNode } from 'react'
import type { RenderContext } from '../blocks/define-block.ts'
import { typeAndSize } from '../blocks/download.tsx'
import { formatPrice } from '../blocks/offer.tsx'
import { renderImage } from '../blocks/render-image.tsx'
import { langAttributes, rawHtml, renderHtml, renderLocalized, resolveLink } from '../blocks/render-text.tsx'
import { categoryField } from '../contract/collections.ts'
import { fileNameFromUrl } from '../contract/file-urls.ts'
import { intlTagOf, type Locale, localized } from '../contract/locales.ts'
import {
  type EntryView,
  type ListedEntry,
  type OverviewView,
  overviewPath,
  type ShownValue,
} from '../domain/pages/collection-view.ts'

/** The way from the home page to the overview. */
export function breadcrumbs(
  { kind, collection }: EntryView | OverviewView,
  title: string,
  context: RenderContext,
): ReactNode {
  const { locale, site, t } = context
  const name = localized(collection.name, locale)
  return (
    <nav className="breadcrumbs" aria-label={t('site.collection.breadcrumbs')}>
      <ol className="wrap">
        <li>
          <a href={resolveLink('/', context)}>{site.brand}</a>
        </li>
        {kind === 'entry' && (
          <li>
            <a href={overviewPath(site, collection, locale)} {...langAttributes(name.locale, locale)}>
              {name.value}
            </a>
          </li>
        )}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  )
}

/** The values of an entry: its picture, its facts, and its longer texts. */
export function entryParts({ values }: EntryView, context: RenderContext): ReactNode {
  if (values.length === 0) return null
  const pictures = values.filter(({ field }) => field.type === 'picture')
  const texts = values.filter(({ field }) => field.type === 'richText')
  const facts = values.filter(({ field }) => field.type !== 'picture' && field.type !== 'richText')
  return (
    <div className="wrap entry">
      {pictures.map((shown) => (
        <div key={shown.field.id} className="entry-picture">
          {renderImage(
            { src: String(shown.value), alt: '', sizes: '(width < 60rem) 94vw, 56rem', first: true },
            context,
          )}
        </div>
      ))}
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map((shown) => (
            <div key={shown.field.id}>
              <dt>{fieldName(shown, context)}</dt>
              <dd>{shownValue(shown, context)}</dd>
            </div>
          ))}
        </dl>
      )}
      {texts.map((shown) => (
        <section key={shown.field.id} className="entry-text">
          <h2>{fieldName(shown, context)}</h2>
          {rawHtml('div', {}, renderHtml(String(shown.value), context))}
        </section>
      ))}
    </div>
  )
}

function fieldName({ field }: ShownValue, context: RenderContext): ReactNode {
  const { value, lang } = renderLocalized(field.name, context)
  return <span {...lang}>{value}</span>
}

function shownValue({ field, value, linkTitle }: ShownValue, context: RenderContext): ReactNode {
  const { contentLocale } = context
  switch (field.type) {
    case 'date':
      return <time dateTime={String(value)}>{longDate(String(value), contentLocale)}</time>
    case 'number':
      return (
        <bdi>
          {new Intl.NumberFormat(intlTagOf(contentLocale), { useGrouping: Number(value) > 9_999 }).format(
            Number(value),
          )}
        </bdi>
      )
    case 'price':
      return <bdi>{formatPrice(Number(value), contentLocale)}</bdi>
    case 'choice': {
      const option = field.options?.find(({ id }) => id === value)
      return option ? renderLocalized(option.name, context).value : ''
    }
    case 'file':
      return (
        <>
          <a href={String(value)} download>
            <bdi>{fileNameFromUrl(String(value)) || String(value)}</bdi>
          </a>{' '}
          <span className="note">{typeAndSize(String(value), context)}</span>
        </>
      )
    case 'link':
      return <a href={resolveLink(String(value), context)}>{linkTitle ?? <bdi dir="ltr">{String(value)}</bdi>}</a>
    default:
      return <bdi>{value}</bdi>
  }
}

function longDate(date: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(intlTagOf(locale), { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${date}T12:00:00Z`))
}

/** The entries before and after this one, in the order of the overview. */
export function neighbours({ collection, previous, next }: EntryView, context: RenderContext): ReactNode {
  if (!previous && !next) return null
  const { t, locale } = context
  const link = (entry: ListedEntry | undefined, rel: 'prev' | 'next', label: string) =>
    entry && (
      <a href={entry.path} rel={rel}>
        <span className="note">{label}</span>
        <strong {...langAttributes(entry.locale, locale)}>{entry.title}</strong>
      </a>
    )
  return (
    <nav className="wrap neighbours" aria-label={localized(collection.name, locale).value}>
      {link(previous, 'prev', t('site.collection.previous'))}
      {link(next, 'next', t('site.collection.next'))}
    </nav>
  )
}

/** An overview: its categories, its entries, and its other pages. */
export function overviewParts(view: OverviewView, context: RenderContext): ReactNode {
  const { collection, entries } = view
  const { t, locale } = context
  const intro = collection.intro && renderLocalized(collection.intro, context)
  return (
    <div className="wrap overview">
      {intro && view.page === 1 && (
        <p className="lead" {...intro.lang}>
          {intro.value}
        </p>
      )}
      {categoryLinks(view, context)}
      {entries.length === 0 ? <p>{t('site.collection.empty')}</p> : entryList(entries, context)}
      {view.pages > 1 && (
        <nav aria-label={t('site.collection.pages')}>
          <ul className="page-numbers">
            {nearPages(view).map((page) => (
              <li key={page}>
                <a
                  href={overviewPath(context.site, collection, locale, { page, category: view.category })}
                  aria-label={t('site.search.page', { number: page })}
                  aria-current={page === view.page ? 'page' : undefined}
                >
                  {new Intl.NumberFormat(intlTagOf(locale)).format(page)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

/** The first and the last page, and those around this one. */
const nearPages = ({ page, pages }: OverviewView): number[] =>
  [...new Set([1, page - 2, page - 1, page, page + 1, page + 2, pages])].filter((one) => one >= 1 && one <= pages)

function categoryLinks({ collection, categories, category }: OverviewView, context: RenderContext): ReactNode {
  if (categories.length === 0) return null
  const { t, locale } = context
  const options = categoryField(collection)?.options ?? []
  const link = (id: string | undefined, name: string) => (
    <li key={id ?? ''}>
      <a
        href={overviewPath(context.site, collection, locale, { category: id })}
        aria-current={id === category ? 'true' : undefined}
      >
        {name}
      </a>
    </li>
  )
  return (
    <nav aria-label={t('site.collection.categories')}>
      <ul className="categories">
        {link(undefined, t('site.collection.all'))}
        {options.flatMap(({ id, name }) => (categories.includes(id) ? [link(id, localized(name, locale).value)] : []))}
      </ul>
    </nav>
  )
}

function entryList(entries: readonly ListedEntry[], context: RenderContext): ReactNode {
  return (
    <ul className="entries">
      {entries.map((entry) => {
        const picture = entry.values.find(({ field }) => field.type === 'picture')
        const inText = { ...context, contentLocale: entry.locale }
        const others = entry.values.filter(({ field }) => field.type !== 'picture')
        return (
          <li key={entry.path} {...langAttributes(entry.locale, context.locale)}>
            {picture &&
              renderImage({ src: String(picture.value), alt: '', sizes: '(width < 44rem) 94vw, 24rem' }, inText)}
            <h2>
              <a href={entry.path}>{entry.title}</a>
            </h2>
            {others.map((shown) =>
              shown.field.type === 'richText' ? (
                <div key={shown.field.id}>{rawHtml('div', {}, renderHtml(String(shown.value), inText))}</div>
              ) : (
                <p key={shown.field.id} className={shown.field.type === 'text' ? undefined : 'note'}>
                  {shownValue(shown, inText)}
                </p>
              ),
            )}
          </li>
        )
      })}
    </ul>
  )
}
