import type { ReactNode } from 'react'
import type { RenderContext } from '../blocks/define-block.ts'
import { renderImage } from '../blocks/render-image.tsx'
import { langAttributes, localizeWithLang, rawHtml, renderHtml, resolveLink } from '../blocks/render-text.tsx'
import { renderValue } from '../blocks/render-value.tsx'
import { categoryField, type ListedEntry, overviewPath, type ShownValue } from '../contract/collections.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { localized } from '../contract/locales.ts'
import type { EntryView, OverviewView } from '../domain/pages/collection-view.ts'

/** Renders the breadcrumbs: the home page, for an entry its overview, and the current page. */
export function renderBreadcrumbs(
  { kind, collection }: EntryView | OverviewView,
  title: string,
  context: RenderContext,
): ReactNode {
  const { locale, contentLocale, site, t } = context
  const name = localized(collection.name, locale)
  return (
    <nav className="breadcrumbs" aria-label={t('site.collection.breadcrumbs')}>
      <ol className="wrap">
        <li>
          <a href={resolveLink('/', context)}>{site.brand}</a>
        </li>
        {kind === 'entry' && (
          <li>
            <a href={overviewPath(site, collection, locale)} {...langAttributes(name.locale, contentLocale, site)}>
              {name.value}
            </a>
          </li>
        )}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  )
}

/** Renders the values of an entry: its images, its short values as a list, and its rich texts under a heading. */
export function renderEntryValues({ values }: EntryView, context: RenderContext): ReactNode {
  if (values.length === 0) return null
  const images = values.filter(({ field }) => field.type === 'picture')
  const texts = values.filter(({ field }) => field.type === 'richText')
  const facts = values.filter(({ field }) => field.type !== 'picture' && field.type !== 'richText')
  return (
    <div className="wrap entry">
      {images.map(({ field, value }) => (
        <div key={field.id} className="entry-image">
          {renderImage({ src: String(value), alt: '', sizes: '(width < 60rem) 94vw, 56rem', first: true }, context)}
        </div>
      ))}
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map((fact) => (
            <div key={fact.field.id}>
              <dt>{renderFieldName(fact, context)}</dt>
              <dd>{renderValue(fact, context)}</dd>
            </div>
          ))}
        </dl>
      )}
      {texts.map((text) => (
        <section key={text.field.id} className="entry-text">
          <h2>{renderFieldName(text, context)}</h2>
          {rawHtml('div', {}, renderHtml(String(text.value), context))}
        </section>
      ))}
    </div>
  )
}

function renderFieldName({ field }: ShownValue, context: RenderContext): ReactNode {
  const { value, lang } = localizeWithLang(field.name, context)
  return <span {...lang}>{value}</span>
}

/** Renders links to the previous and the next entry, in the order of the overview. */
export function renderPreviousAndNext({ collection, previous, next }: EntryView, context: RenderContext): ReactNode {
  if (!previous && !next) return null
  const { t, locale, contentLocale, site } = context
  const link = (entry: ListedEntry | undefined, rel: 'prev' | 'next', label: string) =>
    entry && (
      <a href={entry.path} rel={rel}>
        <span className="note">{label}</span>
        <strong {...langAttributes(entry.locale, contentLocale, site)}>{entry.title}</strong>
      </a>
    )
  return (
    <nav className="wrap neighbours" aria-label={localized(collection.name, locale).value}>
      {link(previous, 'prev', t('site.collection.previous'))}
      {link(next, 'next', t('site.collection.next'))}
    </nav>
  )
}

/** Renders an overview: its introduction (on page 1), categories, entries and page numbers. */
export function renderOverview(view: OverviewView, context: RenderContext): ReactNode {
  const { collection, entries } = view
  const { t, locale } = context
  const intro = collection.intro && localizeWithLang(collection.intro, context)
  return (
    <div className="wrap overview">
      {intro && view.page === 1 && (
        <p className="lead" {...intro.lang}>
          {intro.value}
        </p>
      )}
      {renderCategoryLinks(view, context)}
      {entries.length === 0 ? <p>{t('site.collection.empty')}</p> : renderEntryList(entries, context)}
      {view.pages > 1 && (
        <nav aria-label={t('site.collection.pages')}>
          <ul className="page-numbers">
            {linkedPageNumbers(view).map((page) => (
              <li key={page}>
                <a
                  href={overviewPath(context.site, collection, locale, { page, category: view.category })}
                  aria-label={t('site.search.page', { number: page })}
                  aria-current={page === view.page ? 'page' : undefined}
                >
                  {numberFormat(locale).format(page)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

/** The page numbers that get a link, ascending: the first, the last, and up to two on each side of the current one. */
const linkedPageNumbers = ({ page, pages }: OverviewView): number[] =>
  [...new Set([1, page - 2, page - 1, page, page + 1, page + 2, pages])].filter(
    (number) => number >= 1 && number <= pages,
  )

/** Renders a link to all entries and one for each category that has entries. */
function renderCategoryLinks({ collection, categories, category }: OverviewView, context: RenderContext): ReactNode {
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

function renderEntryList(entries: readonly ListedEntry[], context: RenderContext): ReactNode {
  return (
    <ul className="entries">
      {entries.map((entry) => {
        const image = entry.values.find(({ field }) => field.type === 'picture')
        const otherValues = entry.values.filter(({ field }) => field.type !== 'picture')
        const entryContext = { ...context, contentLocale: entry.locale }
        return (
          <li key={entry.path} {...langAttributes(entry.locale, context.locale, context.site)}>
            {image &&
              renderImage({ src: String(image.value), alt: '', sizes: '(width < 44rem) 94vw, 24rem' }, entryContext)}
            <h2>
              <a href={entry.path}>{entry.title}</a>
            </h2>
            {otherValues.map((value) =>
              value.field.type === 'richText' ? (
                <div key={value.field.id}>{rawHtml('div', {}, renderHtml(String(value.value), entryContext))}</div>
              ) : (
                <p key={value.field.id} className={value.field.type === 'text' ? undefined : 'note'}>
                  {renderValue(value, entryContext)}
                </p>
              ),
            )}
          </li>
        )
      })}
    </ul>
  )
}
