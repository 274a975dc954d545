import { button, defineBlock, longText, shortText } from './define-block.ts'
import { linkTo } from './links.ts'
import { rawHtml } from './raw-html.ts'
import { riverView } from './river.ts'
import { say } from './say.ts'

export const hero = defineBlock({
  type: 'hero',
  band: true,
  sheets: ['hero'],
  fields: { title: shortText, subtitle: longText, button, note: shortText.default('') },
  labels: {
    nl: {
      name: 'Openingsbeeld',
      fields: { title: 'Titel', subtitle: 'Ondertitel', button: 'Knop', note: 'Regel onder de knop' },
      parts: { 'button.title': 'Tekst op de knop', 'button.url': 'Adres van de knop' },
    },
    fa: {
      name: 'تصویر سرآغاز',
      fields: { title: 'عنوان', subtitle: 'زیرعنوان', button: 'دکمه', note: 'سطر زیر دکمه' },
      parts: { 'button.title': 'متن دکمه', 'button.url': 'نشانی دکمه' },
    },
  },
  defaults: {
    nl: {
      title: 'Makkelijk & Snel Online',
      subtitle: '[brand] bouwt en beheert uw website.',
      button: { title: 'Neem contact op', url: '/#contact' },
    },
    fa: {
      title: 'آسان و سریع آنلاین شوید',
      subtitle: '[brand] وب‌سایت شما را می‌سازد و نگهداری می‌کند.',
      button: { title: 'با ما تماس بگیرید', url: '/#contact' },
    },
  },
  examples: ['subtitle'],
  View(block, scene) {
    return (
      <section className="hero">
        <div className="wrap">
          <h1>{say(block.title, scene)}</h1>
          <p className="lead">{say(block.subtitle, scene)}</p>
          <p className="act">
            <a className="button" href={linkTo(block.button.url, scene)}>
              {say(block.button.title, scene)}
            </a>
            {block.note && <span className="note">{say(block.note, scene)}</span>}
          </p>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, riverView())}
      </section>
    )
  },
})
