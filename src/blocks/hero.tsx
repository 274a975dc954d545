import { button, defineBlock, longText, shortText } from './define-block.ts'
import { rawHtml, renderText, resolveLink } from './render-text.tsx'
import { riverView } from './river.ts'

export const hero = defineBlock({
  type: 'hero',
  group: 'opening',
  fullWidth: true,
  stylesheets: ['hero'],
  fields: { title: shortText, subtitle: longText, button, note: shortText.default('') },
  labels: {
    nl: {
      name: 'Openingsbeeld',
      hint: 'Grote titel met beeld bovenaan de pagina.',
      fields: { title: 'Titel', subtitle: 'Ondertitel', button: 'Knop', note: 'Regel onder de knop' },
      nestedFields: { 'button.title': 'Tekst op de knop', 'button.url': 'Adres van de knop' },
    },
    fa: {
      name: 'تصویر سرآغاز',
      hint: 'عنوان بزرگ با تصویر در بالای صفحه.',
      fields: { title: 'عنوان', subtitle: 'زیرعنوان', button: 'دکمه', note: 'سطر زیر دکمه' },
      nestedFields: { 'button.title': 'متن دکمه', 'button.url': 'نشانی دکمه' },
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
  View(block, context) {
    return (
      <section className="hero">
        <div className="wrap">
          <h1>{renderText(block.title, context)}</h1>
          <p className="lead">{renderText(block.subtitle, context)}</p>
          <p className="act">
            <a className="button" href={resolveLink(block.button.url, context)}>
              {renderText(block.button.title, context)}
            </a>
            {block.note && <span className="note">{renderText(block.note, context)}</span>}
          </p>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, riverView())}
      </section>
    )
  },
})
