import type {
  Article,
  BreadcrumbList,
  CreativeWork,
  FAQPage,
  Graph,
  JobPosting,
  PostalAddress,
  ProfessionalService,
  Thing,
  WebSite,
} from 'schema-dts'
import { questionsOf } from '../blocks/block-contents.ts'
import { extractBlockTexts, htmlToText, toSingleLine } from '../blocks/block-texts.ts'
import type { RenderContext } from '../blocks/define-block.ts'
import { escapeHtml, renderHtml } from '../blocks/render-text.tsx'
import { overviewPath } from '../contract/collections.ts'
import { weekdays } from '../contract/config-choices.ts'
import { imageKey } from '../contract/file-urls.ts'
import { localized, localizedPath } from '../contract/locales.ts'
import { openingSpans } from '../contract/opening-hours.ts'
import { fillPlaceholders } from '../contract/placeholders.ts'
import type { EntryView } from '../domain/pages/collection-view.ts'
import type { PageContent } from './render-context.ts'

/** The JSON-LD of a page, escaped for a script element: company, site, breadcrumbs, entry and FAQ. */
export function structuredData(input: { context: RenderContext; page: PageContent; origin: string }): string {
  const { context, page, origin } = input
  const things: Thing[] = [companyData(context, origin), websiteData(context, origin)]
  if (page.slug !== '') things.push(breadcrumbData(context, page, origin))
  if (page.collection?.kind === 'entry') things.push(...entryData(page.collection, context, page, origin))
  const questions = questionsOf(page.body)
  if (questions.length > 0) things.push(faqData(questions, context))
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things }
  return JSON.stringify(graph).replaceAll('<', '\\u003c')
}

function companyData({ site, locale, placeholders }: RenderContext, origin: string): ProfessionalService {
  const { business, legal } = site
  const legalName = placeholders['legal.name'] ?? legal.name
  return {
    '@type': 'ProfessionalService',
    '@id': `${origin}/#bedrijf`,
    name: site.brand,
    ...(legalName === site.brand ? {} : { legalName }),
    description: fillPlaceholders(localized(business.description, locale).value, placeholders),
    slogan: fillPlaceholders(localized(site.tagline, locale).value, placeholders),
    url: origin + localizedPath('/', locale, site),
    logo: `${origin}/icon-512.png`,
    image: origin + localizedPath('/opengraph.png', locale, site),
    email: legal.email,
    ...(legal.telephone === undefined ? {} : { telephone: legal.telephone }),
    vatID: legal.vat,
    identifier: { '@type': 'PropertyValue', propertyID: 'KvK', value: legal.kvk },
    priceRange: business.priceRange,
    areaServed: { '@type': 'Country', name: business.areaServed },
    sameAs: business.sameAs,
    address: postalAddress(site),
    geo: { '@type': 'GeoCoordinates', ...business.geo },
    openingHoursSpecification: openingSpans(business.openingHours).map(({ from, to, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: weekdays
        .slice(weekdays.indexOf(from), weekdays.indexOf(to) + 1)
        .map((day) => `${(day[0] ?? '').toUpperCase()}${day.slice(1)}` as 'Monday'),
      opens,
      closes,
    })),
  }
}

const postalAddress = ({ legal: { address } }: RenderContext['site']): PostalAddress => ({
  '@type': 'PostalAddress',
  streetAddress: address.street,
  postalCode: address.postalCode,
  addressLocality: address.city,
  addressCountry: address.country,
})

function websiteData({ site, locale }: RenderContext, origin: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: site.brand,
    url: origin + localizedPath('/', locale, site),
    inLanguage: locale,
    publisher: { '@id': `${origin}/#bedrijf` },
  }
}

function breadcrumbData({ site, locale }: RenderContext, page: PageContent, origin: string): BreadcrumbList {
  const { collection } = page
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: site.brand, item: origin + localizedPath('/', locale, site) },
      ...(collection?.kind === 'entry'
        ? [
            {
              '@type': 'ListItem' as const,
              position: 2,
              name: localized(collection.collection.name, locale).value,
              item: origin + overviewPath(site, collection.collection, locale),
            },
          ]
        : []),
      {
        '@type': 'ListItem',
        position: collection?.kind === 'entry' ? 3 : 2,
        name: page.title,
        item: origin + localizedPath(`/${page.slug}`, locale, site),
      },
    ],
  }
}

/** The data of an entry, by the kind of its collection; empty for another kind, or when a required value is missing. */
function entryData(
  { collection, values, date }: EntryView,
  context: RenderContext,
  page: PageContent,
  origin: string,
): (Article | CreativeWork | JobPosting)[] {
  const { site, contentLocale, placeholders, images } = context
  const url = origin + encodeURI(localizedPath(`/${page.slug}`, contentLocale, site))
  const imageValue = values.find(({ field }) => field.type === 'picture')
  const src = imageValue && (images.get(imageKey(String(imageValue.value)))?.src || String(imageValue.value))
  const image = src && (src.startsWith('/') ? origin + src : src)
  const firstText = values.find(({ field }) => field.type === 'richText' || field.type === 'text')
  const summary = firstText && toSingleLine(htmlToText(String(firstText.value)))
  const description = fillPlaceholders(page.description || summary || '', placeholders)
  const commonProperties = {
    url,
    inLanguage: contentLocale,
    ...(description && { description }),
    ...(image && { image }),
    ...(date && { datePublished: date }),
    ...(page.updated && { dateModified: page.updated }),
  }
  const author = values.find(({ field }) => field.type === 'author')
  const company = { '@id': `${origin}/#bedrijf` }
  switch (collection.kind) {
    case 'news':
      return [
        {
          '@type': 'Article',
          headline: page.title,
          mainEntityOfPage: url,
          publisher: company,
          ...commonProperties,
          ...(author && { author: { '@type': 'Person', name: String(author.value) } }),
        },
      ]
    case 'project':
      return [{ '@type': 'CreativeWork', name: page.title, creator: company, ...commonProperties }]
    case 'vacancy': {
      const { placeholdersIn } = context
      const blockTexts = extractBlockTexts(page.body, { site, locale: contentLocale, placeholdersIn })
      const html = [
        ...values
          .filter(({ field }) => field.type === 'richText')
          .map(({ value }) => renderHtml(String(value), context)),
        ...blockTexts.map((text) => `<p>${escapeHtml(text)}</p>`),
      ].join('')
      const jobDescription = html || (description && `<p>${escapeHtml(description)}</p>`)
      if (!jobDescription || !date) return []
      return [
        {
          '@type': 'JobPosting',
          title: page.title,
          description: jobDescription,
          datePosted: date,
          url,
          hiringOrganization: {
            '@type': 'Organization',
            name: placeholders['legal.name'] ?? site.legal.name,
            sameAs: origin + localizedPath('/', contentLocale, site),
            logo: `${origin}/icon-512.png`,
          },
          jobLocation: { '@type': 'Place', address: postalAddress(site) },
        },
      ]
    }
    default:
      return []
  }
}

function faqData(questions: { question: string; answer: string }[], context: RenderContext): FAQPage {
  const { placeholders, contentLocale } = context
  return {
    '@type': 'FAQPage',
    inLanguage: contentLocale,
    mainEntity: questions.map(({ question, answer }) => {
      const html = renderHtml(answer, context)
      // An answer of one paragraph is given without its `<p>`.
      const [, onlyParagraph] = /^<p>((?:(?!<\/p>).)*)<\/p>$/s.exec(html) ?? []
      return {
        '@type': 'Question',
        name: fillPlaceholders(question, placeholders),
        acceptedAnswer: { '@type': 'Answer', text: onlyParagraph ?? html },
      }
    }),
  }
}
