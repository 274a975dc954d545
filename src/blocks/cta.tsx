import { button, defineBlock, longText, shortText } from './define-block.ts'
import { sectionHead } from './heading.tsx'
import { linkTo } from './links.ts'
import { say } from './say.ts'

export const cta = defineBlock({
  type: 'cta',
  band: true,
  sheets: ['questions'],
  fields: { title: shortText, text: longText, button },
  labels: {
    nl: {
      name: 'Oproep',
      fields: { title: 'Titel', text: 'Tekst', button: 'Knop' },
      parts: { 'button.title': 'Tekst op de knop', 'button.url': 'Adres van de knop' },
    },
    fa: {
      name: 'فراخوان',
      fields: { title: 'عنوان', text: 'متن', button: 'دکمه' },
      parts: { 'button.title': 'متن دکمه', 'button.url': 'نشانی دکمه' },
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
  },
  View(block, scene) {
    return (
      <section className="cta deep">
        <div className="wrap">
          {sectionHead(block.title, block.text, scene)}
          <a className="button" href={linkTo(block.button.url, scene)}>
            {say(block.button.title, scene)}
          </a>
        </div>
      </section>
    )
  },
})
