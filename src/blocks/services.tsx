import { z } from 'zod'
import { defineBlock, longText, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { iconName, renderIcon } from './icons.tsx'
import { renderSectionHead, renderText, undefinedIfEmpty } from './render-text.tsx'

const item = z.strictObject({
  icon: iconName,
  title: shortText,
  description: longText,
  points: z.array(shortText).max(12).default([]),
})

export const services = defineBlock({
  type: 'services',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['services'],
  fields: { ...sectionFields, items: z.array(item).max(12) },
  labels: {
    name: { nl: 'Diensten', fa: 'خدمات', en: 'Services' },
    hint: {
      nl: 'Wat u aanbiedt, met per dienst een teken en punten.',
      fa: 'آنچه ارائه می‌دهید، با نماد و نکته‌های هر خدمت.',
      en: 'What you offer, each with an icon and a few points.',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Diensten', fa: 'خدمات', en: 'Services' },
    },
    nestedFields: {
      'items.icon': { nl: 'Icoon', fa: 'نماد', en: 'Icon' },
      'items.title': { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      'items.description': { nl: 'Omschrijving', fa: 'توضیح', en: 'Description' },
      'items.points': { nl: 'Punten', fa: 'نکته‌ها', en: 'Points' },
    },
  },
  defaults: {
    nl: {
      anchor: 'diensten',
      title: 'Wat bieden wij?',
      items: [{ icon: 'globe', title: 'Moderne Websites', description: 'Een snelle website.', points: ['Snel'] }],
    },
    fa: {
      anchor: 'diensten',
      title: 'خدمات ما',
      items: [{ icon: 'globe', title: 'وب‌سایت‌های مدرن', description: 'وب‌سایتی پرسرعت.', points: ['پرسرعت'] }],
    },
    en: {
      anchor: 'services',
      title: 'What we offer',
      items: [{ icon: 'globe', title: 'Modern websites', description: 'A fast website.', points: ['Fast'] }],
    },
  },
  sampleTextPaths: ['items.description'],
  View(block, context) {
    return (
      <section className="services" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {renderSectionHead(block.title, block.intro, context)}
          <ul className="course">
            {block.items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
              <li key={index}>
                {index === 0 && renderCurve('bend source')}
                {renderCurve('bend')}
                <span className="buoy">{renderIcon(item.icon)}</span>
                <h3>{renderText(item.title, context)}</h3>
                <p>{renderText(item.description, context)}</p>
                <ul className="ticks">
                  {item.points.map((point, pointIndex) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
                    <li key={pointIndex}>{renderText(point, context)}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </div>
      </section>
    )
  },
})

/** Renders the decorative curve between two services. */
const renderCurve = (className: string) => (
  <svg className={className} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
    <path d="M3 0C3 55 97 45 97 100" />
  </svg>
)
