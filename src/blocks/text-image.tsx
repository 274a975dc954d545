import { imageUrl } from '../contract/url.ts'
import { anchor, defineBlock, linkFields, linkLabels, richText, shortText } from './define-block.ts'
import { renderOptionalImage } from './render-image.tsx'
import { rawHtml, renderHtml, renderLink, renderText, undefinedIfEmpty } from './render-text.tsx'

export const textImage = defineBlock({
  type: 'text-image',
  group: 'text',
  fullWidth: true,
  imageSide: 'end',
  stylesheets: ['section', 'image', 'text-image'],
  fields: {
    anchor,
    title: shortText,
    text: richText,
    src: imageUrl.optional(),
    alt: shortText.default(''),
    ...linkFields,
  },
  labels: {
    name: { nl: 'Tekst met beeld', fa: 'متن با تصویر', en: 'Text with image' },
    hint: {
      nl: 'Een tekst met een grote foto ernaast.',
      fa: 'متنی با عکسی بزرگ در کنارش.',
      en: 'A text with a large photo beside it.',
    },
    keywords: { nl: 'foto naast tekst over ons', fa: 'عکس کنار متن دربارهٔ ما', en: 'photo beside text about us' },
    fields: {
      anchor: { nl: 'Anker', fa: 'لنگر', en: 'Anchor' },
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      text: { nl: 'Tekst', fa: 'متن', en: 'Text' },
      src: { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
      alt: { nl: 'Beschrijving', fa: 'شرح', en: 'Description' },
      ...linkLabels,
    },
  },
  defaults: {
    nl: { title: 'Wie wij zijn', text: '<p>Schrijf hier uw tekst.</p>' },
    fa: { title: 'ما که هستیم', text: '<p>متن خود را اینجا بنویسید.</p>' },
    en: { title: 'Who we are', text: '<p>Write your text here.</p>' },
  },
  sampleTextPaths: ['text'],
  View(block, context) {
    const alt = renderText(block.alt, context)
    return (
      <section className="part text-image" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          <div className="words">
            {block.title && <h2>{renderText(block.title, context)}</h2>}
            {rawHtml('div', { className: 'text' }, renderHtml(block.text, context))}
            {renderLink(block, 'button', context)}
          </div>
          {renderOptionalImage(
            { src: block.src, alt, sizes: '(width < 62rem) 94vw, 46vw', className: 'beside' },
            context,
          )}
        </div>
      </section>
    )
  },
})
