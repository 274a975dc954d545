import { button, defineBlock, longText, shortText } from './define-block.ts'
import { renderSectionHead, renderText, resolveLink } from './render-text.tsx'

export const cta = defineBlock({
  type: 'cta',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['faq'],
  fields: { title: shortText, text: longText, button },
  labels: {
    name: { nl: 'Oproep', fa: 'فراخوان', en: 'Call to action' },
    hint: {
      nl: 'Een vraag aan de lezer met één knop.',
      fa: 'دعوت خواننده با یک دکمه.',
      en: 'A question to the reader with one button.',
    },
    fields: {
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      text: { nl: 'Tekst', fa: 'متن', en: 'Text' },
      button: { nl: 'Knop', fa: 'دکمه', en: 'Button' },
    },
    nestedFields: {
      'button.title': { nl: 'Tekst op de knop', fa: 'متن دکمه', en: 'Text on the button' },
      'button.url': { nl: 'Adres van de knop', fa: 'نشانی دکمه', en: 'Address of the button' },
    },
  },
  defaults: {
    nl: {
      title: 'Een vraag?',
      text: 'Vertel ons wat u zoekt.',
      button: { title: 'Neem contact op', url: '/#contact' },
    },
    fa: {
      title: 'پرسشی دارید؟',
      text: 'به ما بگویید دنبال چه هستید.',
      button: { title: 'با ما تماس بگیرید', url: '/#contact' },
    },
    en: {
      title: 'Any questions?',
      text: 'Tell us what you are looking for.',
      button: { title: 'Contact us', url: '/#contact' },
    },
  },
  View(block, context) {
    return (
      <section className="cta deep">
        <div className="wrap">
          {renderSectionHead(block.title, block.text, context)}
          <a className="button" href={resolveLink(block.button.url, context)}>
            {renderText(block.button.title, context)}
          </a>
        </div>
      </section>
    )
  },
})
