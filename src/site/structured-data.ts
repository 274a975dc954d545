import type { BreadcrumbList, FAQPage, Graph, ProfessionalService, Thing, WebSite } from 'schema-dts'
import type { Scene } from '../blocks/define-block.ts'
import { questionsOf } from '../blocks/page-facts.ts'
import { fillText } from '../contract/fill-text.ts'
import { localized, localizedPath } from '../contract/locales.ts'
import { openingSpans } from '../contract/opening-hours.ts'
import { weekdays } from '../contract/site-config.ts'
import type { PageToRender } from './page-to-render.ts'

/** What search engines read of a page: the company, the site, where the page stands, and its questions. Safe inside a script element. */
export function structuredData(input: { scene: Scene; page: PageToRender; origin: string }): string {
  const { scene, page, origin } = input
  const things: Thing[] = [business(scene, origin), website(scene, origin)]
  if (page.slug !== '') things.push(breadcrumbs(scene, page, origin))
  const questions = questionsOf(page.body)
  if (questions.length > 0) things.push(faqPage(questions, scene))
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things }
  return JSON.stringify(graph).replaceAll('<', '\\u003c')
}

function business({ site, locale, placeholders }: Scene, origin: string): ProfessionalService {
  const { business, legal } = site
  return {
    '@type': 'ProfessionalService',
    '@id': `${origin}/#bedrijf`,
    name: site.brand,
    legalName: placeholders['legal.name'] ?? legal.name,
    description: fillText(localized(business.description, locale).value, placeholders),
    slogan: fillText(localized(site.tagline, locale).value, placeholders),
    url: origin + localizedPath('/', locale),
    logo: `${origin}/icon-512.png`,
    image: origin + localizedPath('/opengraph.png', locale),
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

function website({ site, locale }: Scene, origin: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: site.brand,
    url: origin + localizedPath('/', locale),
    inLanguage: locale,
    publisher: { '@id': `${origin}/#bedrijf` },
  }
}

function breadcrumbs({ site, locale }: Scene, page: PageToRender, origin: string): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: site.brand, item: origin + localizedPath('/', locale) },
      { '@type': 'ListItem', position: 2, name: page.title, item: origin + localizedPath(`/${page.slug}`, locale) },
    ],
  }
}

function faqPage(questions: { question: string; answer: string }[], { placeholders, contentLocale }: Scene): FAQPage {
  return {
    '@type': 'FAQPage',
    inLanguage: contentLocale,
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: fillText(question, placeholders),
      acceptedAnswer: { '@type': 'Answer', text: fillText(answer.replace(/^<p>|<\/p>$/g, ''), placeholders) },
    })),
  }
}
