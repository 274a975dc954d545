import { linkUrl } from '../contract/url.ts'
import { defineBlock, longText, shortText } from './define-block.ts'
import { iconName, renderIcon } from './icons.tsx'
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
    name: { nl: 'Icoon met tekst', fa: 'نماد با متن', en: 'Icon with text' },
    hint: {
      nl: 'Een teken met een korte tekst ernaast.',
      fa: 'نمادی با متنی کوتاه در کنارش.',
      en: 'An icon with a short text beside it.',
    },
    fields: {
      icon: { nl: 'Icoon', fa: 'نماد', en: 'Icon' },
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      description: { nl: 'Omschrijving', fa: 'توضیح', en: 'Description' },
      titleUrl: { nl: 'Link van de titel', fa: 'پیوند عنوان', en: 'Link of the title' },
      descriptionUrl: { nl: 'Link van de omschrijving', fa: 'پیوند توضیح', en: 'Link of the description' },
    },
  },
  defaults: {
    nl: { icon: 'globe', title: 'Titel', description: 'Een zin die uitlegt wat hier staat.' },
    fa: { icon: 'globe', title: 'عنوان', description: 'جمله‌ای که این بخش را توضیح می‌دهد.' },
    en: { icon: 'globe', title: 'Title', description: 'A sentence that explains what this is.' },
  },
  sampleTextPaths: ['title', 'description'],
  View(block, context) {
    const renderLinkedText = (text: string, url: string | undefined) =>
      url === undefined ? (
        renderText(text, context)
      ) : (
        <a href={resolveLink(url, context)}>{renderText(text, context)}</a>
      )
    return (
      <div className="icon-block">
        {renderIcon(block.icon)}
        <p className="icon-title">{renderLinkedText(block.title, block.titleUrl)}</p>
        <p>{renderLinkedText(block.description, block.descriptionUrl)}</p>
      </div>
    )
  },
})
