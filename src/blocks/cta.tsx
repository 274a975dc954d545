import { button, defineBlock, longText, shortText } from './define-block.ts'
import { renderText, resolveLink, sectionHead } from './render-text.tsx'

export const cta = defineBlock({
  type: 'cta',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['faq'],
  fields: { title: shortText, text: longText, button },
  labels: {
    nl: {
      name: 'Oproep',
      hint: 'Een vraag aan de lezer met één knop.',
      fields: { title: 'Titel', text: 'Tekst', button: 'Knop' },
      nestedFields: { 'button.title': 'Tekst op de knop', 'button.url': 'Adres van de knop' },
    },
    fa: {
      name: 'فراخوان',
      hint: 'دعوت خواننده با یک دکمه.',
      fields: { title: 'عنوان', text: 'متن', button: 'دکمه' },
      nestedFields: { 'button.title': 'متن دکمه', 'button.url': 'نشانی دکمه' },
    },
    en: {
      name: 'Call to action',
      hint: 'A question to the reader with one button.',
      fields: { title: 'Title', text: 'Text', button: 'Button' },
      nestedFields: { 'button.title': 'Text on the button', 'button.url': 'Address of the button' },
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
          {sectionHead(block.title, block.text, context)}
          <a className="button" href={resolveLink(block.button.url, context)}>
            {renderText(block.button.title, context)}
          </a>
        </div>
      </section>
    )
  },
})
