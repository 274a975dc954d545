import { imageUrl } from '../contract/url.ts'
import { anchor, defineBlock, longText, shortText } from './define-block.ts'
import { renderIcon } from './icons.tsx'
import { renderOptionalImage } from './render-image.tsx'
import { renderText, undefinedIfEmpty } from './render-text.tsx'

/** Map services, with URLs that the encoded address completes. Nothing is requested before the click. */
const mapServices = [
  ['Google Maps', 'https://www.google.com/maps/dir/?api=1&destination='],
  ['Apple Maps', 'https://maps.apple.com/?daddr='],
  ['OpenStreetMap', 'https://www.openstreetmap.org/search?query='],
] as const

const defaultAddress = '[legal.name]\n[legal.street]\n[legal.postalCode] [legal.city]'

export const location = defineBlock({
  type: 'location',
  group: 'contact',
  fullWidth: true,
  stylesheets: ['section', 'image', 'location'],
  fields: {
    anchor,
    title: shortText,
    address: longText,
    text: longText.default(''),
    src: imageUrl.optional(),
    alt: shortText.default(''),
  },
  labels: {
    name: { nl: 'Adres en route', fa: 'نشانی و مسیر', en: 'Address and route' },
    hint: {
      nl: 'Uw adres met links naar routes, en een kaart of foto die u zelf kiest.',
      fa: 'نشانی شما با پیوندهای مسیریابی، و نقشه یا عکسی که خودتان برمی‌گزینید.',
      en: 'Your address with links to directions, and a map or photo that you choose.',
    },
    fields: {
      anchor: { nl: 'Anker', fa: 'لنگر', en: 'Anchor' },
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      address: { nl: 'Adres', fa: 'نشانی', en: 'Address' },
      text: { nl: 'Toelichting', fa: 'یادداشت', en: 'Note' },
      src: { nl: 'Kaart of foto', fa: 'نقشه یا عکس', en: 'Map or photo' },
      alt: { nl: 'Beschrijving', fa: 'شرح', en: 'Description' },
    },
  },
  defaults: {
    nl: { anchor: 'route', title: 'Hier vindt u ons', address: defaultAddress },
    fa: { anchor: 'route', title: 'ما را اینجا بیابید', address: defaultAddress },
    en: { anchor: 'route', title: 'Where to find us', address: defaultAddress },
  },
  View(block, context) {
    const lines = renderText(block.address, context).split('\n').filter(Boolean)
    const alt = renderText(block.alt, context)
    return (
      <section className="part location" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          <div className="where">
            {block.title && <h2>{renderText(block.title, context)}</h2>}
            <address>
              {lines.map((line) => (
                <bdi key={line}>{line}</bdi>
              ))}
            </address>
            {block.text && <p>{renderText(block.text, context)}</p>}
            <p>{context.t('site.route')}</p>
            <ul className="routes">
              {mapServices.map(([name, url]) => (
                <li key={name}>
                  <a href={url + encodeURIComponent(lines.join(', ').toWellFormed())} rel="noopener">
                    {renderIcon('map-pin')}
                    <bdi>{name}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          </div>
          {renderOptionalImage({ src: block.src, alt, sizes: '(width < 62rem) 94vw, 54vw', className: 'map' }, context)}
        </div>
      </section>
    )
  },
})
