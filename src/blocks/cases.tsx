import { Fragment, type ReactNode } from 'react'
import { z } from 'zod'
import { type Locale, localizeDigits } from '../contract/locales.ts'
import { imageUrl, linkUrl } from '../contract/url.ts'
import { defineBlock, longText, type RenderContext, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderOptionalImage } from './render-image.tsx'
import { langAttributes, renderSection, renderText, resolveLink } from './render-text.tsx'

const item = z.strictObject({
  src: imageUrl.optional(),
  alt: shortText.default(''),
  title: shortText,
  client: shortText.default(''),
  year: shortText.default(''),
  text: longText.default(''),
  url: linkUrl.optional(),
})

export const cases = defineBlock({
  type: 'cases',
  group: 'proof',
  fullWidth: true,
  stylesheets: ['section', 'image', 'cases'],
  fields: { ...sectionFields, items: z.array(item).max(24) },
  labels: {
    name: { nl: 'Werk', fa: 'نمونه‌کارها', en: 'Work' },
    hint: {
      nl: 'Wat u maakte: foto’s met klant, jaar en een link.',
      fa: 'آنچه ساخته‌اید: عکس‌هایی با مشتری، سال و پیوند.',
      en: 'What you made: photos with client, year and a link.',
    },
    keywords: { nl: 'portfolio projecten cases', fa: 'پروژه‌ها کارنامه', en: 'portfolio projects cases' },
    fields: {
      ...sectionLabels,
      items: { nl: 'Werk', fa: 'نمونه‌کارها', en: 'Work' },
    },
    nestedFields: {
      'items.src': { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
      'items.alt': { nl: 'Beschrijving', fa: 'شرح', en: 'Description' },
      'items.title': { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      'items.client': { nl: 'Klant', fa: 'مشتری', en: 'Client' },
      'items.year': { nl: 'Jaar', fa: 'سال', en: 'Year' },
      'items.text': { nl: 'Korte tekst', fa: 'متن کوتاه', en: 'Short text' },
      'items.url': { nl: 'Link', fa: 'پیوند', en: 'Link' },
    },
  },
  defaults: {
    nl: {
      anchor: 'werk',
      title: 'Ons werk',
      items: [{ title: 'Naam van het project', client: 'Klant', text: 'Wat u deed, in één zin.' }],
    },
    fa: {
      anchor: 'werk',
      title: 'نمونه‌کارهای ما',
      items: [{ title: 'نام پروژه', client: 'مشتری', text: 'کاری که کردید، در یک جمله.' }],
    },
    en: {
      anchor: 'work',
      title: 'Our work',
      items: [{ title: 'Name of the project', client: 'Client', text: 'What you did, in one sentence.' }],
    },
  },
  sampleTextPaths: ['items.title', 'items.text'],
  View(block, context) {
    const { contentLocale } = context
    const works = block.items.map((item, index) => {
      const title = renderText(item.title, context)
      return renderWork(
        {
          key: index,
          image: renderOptionalImage(
            { ...item, src: item.src, alt: renderText(item.alt, context), sizes: workSizes },
            context,
          ),
          facts: [
            renderText(item.client, context),
            localizeDigits(contentLocale, renderText(item.year, context)),
          ].filter(Boolean),
          title: item.url === undefined ? title : <a href={resolveLink(item.url, context)}>{title}</a>,
          text: item.text && <p>{renderText(item.text, context)}</p>,
        },
        context,
      )
    })
    return renderSection(block, 'cases', context, <ul className="works">{works}</ul>)
  },
})

/** The `sizes` attribute of the images in the list. */
export const workSizes = '(width < 44rem) 94vw, 55vw'

/** Renders a work, or an entry of a collection, as an entry of a list: an image, facts, a title and a text. */
export function renderWork(
  work: {
    key: string | number
    /** The language of the work; omitted: that of the content around it. */
    locale?: Locale
    image: ReactNode
    /** Short values, which are rendered on one line. */
    facts: readonly ReactNode[]
    title: ReactNode
    text: ReactNode
  },
  { contentLocale, site }: RenderContext,
): ReactNode {
  const { key, locale = contentLocale, image, facts, title, text } = work
  return (
    <li key={key} {...langAttributes(locale, contentLocale, site)}>
      {image}
      {facts.length > 0 && <p className="note">{facts.map(renderFact)}</p>}
      <h3>{title}</h3>
      {text}
    </li>
  )
}

/** In `<bdi>`, so that a number stays behind the Latin name that precedes it in Persian. */
const renderFact = (fact: ReactNode, index: number) => (
  <Fragment key={index}>
    {index > 0 && ' · '}
    <bdi>{fact}</bdi>
  </Fragment>
)
