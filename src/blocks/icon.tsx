import { linkUrl } from '../contract/url.ts'
import { defineBlock, longText, shortText } from './define-block.ts'
import { iconName, icon as renderIcon } from './icons.tsx'
import { renderText, resolveLink } from './render-text.tsx'

export const icon = defineBlock({
  type: 'icon',
  group: 'text',
  fields: {
    icon: iconName,
    title: shortText,
    description: longText,
    titleUrl: linkUrl.optional(),
    descriptionUrl: linkUrl.optional(),
  },
  labels: {
    nl: {
      name: 'Icoon met tekst',
      hint: 'Een teken met een korte tekst ernaast.',
      fields: {
        icon: 'Icoon',
        title: 'Titel',
        description: 'Omschrijving',
        titleUrl: 'Link van de titel',
        descriptionUrl: 'Link van de omschrijving',
      },
    },
    fa: {
      name: 'نماد با متن',
      hint: 'نمادی با متنی کوتاه در کنارش.',
      fields: {
        icon: 'نماد',
        title: 'عنوان',
        description: 'توضیح',
        titleUrl: 'پیوند عنوان',
        descriptionUrl: 'پیوند توضیح',
      },
    },
    en: {
      name: 'Icon with text',
      hint: 'An icon with a short text beside it.',
      fields: {
        icon: 'Icon',
        title: 'Title',
        description: 'Description',
        titleUrl: 'Link of the title',
        descriptionUrl: 'Link of the description',
      },
    },
  },
  defaults: {
    nl: { icon: 'globe', title: 'Titel', description: 'Een zin die uitlegt wat hier staat.' },
    fa: { icon: 'globe', title: 'عنوان', description: 'جمله‌ای که این بخش را توضیح می‌دهد.' },
    en: { icon: 'globe', title: 'Title', description: 'A sentence that explains what this is.' },
  },
  examples: ['title', 'description'],
  View(block, context) {
    const linked = (text: string, url: string | undefined) =>
      url === undefined ? (
        renderText(text, context)
      ) : (
        <a href={resolveLink(url, context)}>{renderText(text, context)}</a>
      )
    return (
      <div className="icon-block">
        {renderIcon(block.icon)}
        <p className="icon-title">{linked(block.title, block.titleUrl)}</p>
        <p>{linked(block.description, block.descriptionUrl)}</p>
      </div>
    )
  },
})
