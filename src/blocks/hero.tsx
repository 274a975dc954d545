import { z } from 'zod'
import { imageUrl } from '../contract/url.ts'
import { filmType, filmUrl } from '../contract/video.ts'
import { button, defineBlock, longText, type RenderContext, shortText } from './define-block.ts'
import { illustrationOf } from './illustrations.ts'
import { renderOptionalImage, resolveImageUrl } from './render-image.tsx'
import { rawHtml, renderText, resolveLink } from './render-text.tsx'

const mediaKind = z.enum(['illustration', 'none', 'picture', 'beside', 'screenshot', 'film'])

export const hero = defineBlock({
  type: 'hero',
  group: 'opening',
  fullWidth: true,
  stylesheets: ['hero'],
  fields: {
    title: shortText,
    subtitle: longText,
    button,
    note: shortText.default(''),
    // Optional, because pages were stored without them.
    media: mediaKind.optional(),
    src: imageUrl.optional(),
    alt: shortText.optional(),
    film: filmUrl.optional(),
  },
  labels: {
    nl: {
      name: 'Openingsbeeld',
      hint: 'Grote titel met beeld bovenaan de pagina.',
      words: 'hero header banner omslag kop foto',
      fields: {
        title: 'Titel',
        subtitle: 'Ondertitel',
        button: 'Knop',
        note: 'Regel onder de knop',
        media: 'Beeld',
        src: 'Afbeelding',
        alt: 'Beschrijving',
        film: 'Film',
      },
      nestedFields: { 'button.title': 'Tekst op de knop', 'button.url': 'Adres van de knop' },
      choices: {
        'media.': 'Foto of film, anders tekening',
        'media.illustration': 'Tekening',
        'media.none': 'Geen',
        'media.picture': 'Foto achter de tekst',
        'media.beside': 'Foto naast de tekst',
        'media.screenshot': 'Schermafbeelding',
        'media.film': 'Korte film zonder geluid',
      },
    },
    fa: {
      name: 'تصویر سرآغاز',
      hint: 'عنوان بزرگ با تصویر در بالای صفحه.',
      words: 'هدر بنر سرصفحه عکس',
      fields: {
        title: 'عنوان',
        subtitle: 'زیرعنوان',
        button: 'دکمه',
        note: 'سطر زیر دکمه',
        media: 'تصویر یا فیلم',
        src: 'تصویر',
        alt: 'شرح',
        film: 'فیلم',
      },
      nestedFields: { 'button.title': 'متن دکمه', 'button.url': 'نشانی دکمه' },
      choices: {
        'media.': 'عکس یا فیلم شما، وگرنه نقاشی',
        'media.illustration': 'نقاشی',
        'media.none': 'هیچ',
        'media.picture': 'عکس پشت متن',
        'media.beside': 'عکس کنار متن',
        'media.screenshot': 'تصویر صفحهٔ نمایش',
        'media.film': 'فیلم کوتاه بی‌صدا',
      },
    },
    en: {
      name: 'Hero',
      hint: 'A large title with a visual at the top of the page.',
      words: 'header banner cover opening photo',
      fields: {
        title: 'Title',
        subtitle: 'Subtitle',
        button: 'Button',
        note: 'Line below the button',
        media: 'Visual',
        src: 'Image',
        alt: 'Description',
        film: 'Film',
      },
      nestedFields: { 'button.title': 'Text on the button', 'button.url': 'Address of the button' },
      choices: {
        'media.': 'Photo or film, else illustration',
        'media.illustration': 'Illustration',
        'media.none': 'None',
        'media.picture': 'Photo behind the text',
        'media.beside': 'Photo beside the text',
        'media.screenshot': 'Screenshot',
        'media.film': 'Short film without sound',
      },
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
    en: {
      title: 'Online, easily and fast',
      subtitle: '[brand] builds and looks after your website.',
      button: { title: 'Contact us', url: '/#contact' },
    },
  },
  examples: ['subtitle'],
  View(block, context) {
    // A background of the block's style takes the place of the media behind the text.
    const isBehind = block.media !== 'screenshot' && block.media !== 'beside'
    const isCovered = block.style?.background !== undefined && isBehind
    const media = isCovered ? 'none' : heroMedia(block)
    // Text on a photo or a film is light in both colour schemes.
    const mediaClass = {
      illustration: '',
      none: ' plain',
      screenshot: ' plain',
      beside: ' plain',
      picture: ' deep',
      film: ' deep',
    }
    return (
      <section className={`hero${mediaClass[media]}`}>
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
        {media === 'illustration'
          ? rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(context.site).view())
          : mediaView({ ...block, media }, context)}
      </section>
    )
  },
})

/** The media of the hero: the chosen kind, or else the film or image that it has. */
export const heroMedia = (block: { media?: z.output<typeof mediaKind> | undefined; src?: unknown; film?: unknown }) =>
  block.media ?? (block.film ? 'film' : block.src ? 'picture' : 'illustration')

function mediaView(
  block: { media: string; src?: string | undefined; alt?: string | undefined; film?: string | undefined },
  context: RenderContext,
) {
  const { src, film } = block
  const alt = renderText(block.alt ?? '', context)
  if (block.media === 'none') return null
  if (block.media === 'film' && film !== undefined) {
    const shared = { muted: true, loop: true, playsInline: true, controls: true, 'aria-label': alt || undefined }
    const poster = src && resolveImageUrl(src, context)
    // With reduced motion the first has no source; the second, which plays on request, is shown in its place.
    return (
      <div className="media">
        <video {...shared} autoPlay poster={poster} className="moving">
          <source src={film} type={filmType(film)} media="(prefers-reduced-motion: no-preference)" />
        </video>
        <video {...shared} preload="none" poster={poster} className="still">
          <source src={film} type={filmType(film)} />
        </video>
      </div>
    )
  }
  const besideText = { screenshot: ' screen', beside: ' half' }[block.media] ?? ''
  return (
    <div className={`media${besideText}`}>
      {renderOptionalImage(
        { src, alt, sizes: besideText ? '(width < 62rem) 90vw, 50vw' : '100vw', first: true },
        context,
      )}
    </div>
  )
}
