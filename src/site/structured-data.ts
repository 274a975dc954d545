import type { BreadcrumbList, FAQPage, Graph, ProfessionalService, Thing, WebSite } from 'schema-dts'
import { questionsOf } from '../blocks/block-contents.ts'
import type { RenderContext } from '../blocks/define-block.ts'
import { weekdays } from '../contract/config-choices.ts'
import { localized, localizedPath } from '../contract/locales.ts'
import { openingSpans } from '../contract/opening-hours.ts'
import { fillPlaceholders } from '../contract/placeholders.ts'
import { overviewPath } from '../domain/pages/collection-view.ts'
import type { PageContent } from './render-context.ts'

/** The JSON-LD of a page: the company, the site, the breadcrumbs and the questions. Escaped for a script element. */
export function structuredData(input: { context: RenderContext; page: PageContent; origin: string }): string {
  const { context, page, origin } = input
  const things: Thing[] = [business(context, origin), website(context, origin)]
  if (page.slug !== '') things.push(breadcrumbs(context, page, origin))
  const questions = questionsOf(page.body)
  if (questions.length > 0) things.push(faqPage(questions, context))
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things }
  return JSON.stringify(graph).replaceAll('<', '\\u003c')
}

function business({ site, locale, placeholders }: RenderContext, origin: string): ProfessionalService {
  const { business, legal } = site
  return {
    '@type': 'ProfessionalService',
    '@id': `${origin}/#bedrijf`,
    name: site.brand,
    legalName: placeholders['legal.name'] ?? legal.name,
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
    address: {
      '@type': 'PostalAddress',
      streetAddress: legal.address.street,
      postalCode: legal.address.postalCode,
      addressLocality: legal.address.city,
      addressCountry: legal.address.country,
    },
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

function website({ site, locale }: RenderContext, origin: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: site.brand,
    url: origin + localizedPath('/', locale, site),
    inLanguage: locale,
    publisher: { '@id': `${origin}/#bedrijf` },
  }
}

function breadcrumbs({ site, locale }: RenderContext, page: PageContent, origin: string): BreadcrumbList {
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

function faqPage(
  questions: { question: string; answer: string }[],
  { placeholders, contentLocale }: RenderContext,
): FAQPage {
  return {
    '@type': 'FAQPage',
    inLanguage: contentLocale,
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: fillPlaceholders(question, placeholders),
      acceptedAnswer: { '@type': 'Answer', text: fillPlaceholders(answer.replace(/^<p>|<\/p>$/g, ''), placeholders) },
    })),
  }
}
