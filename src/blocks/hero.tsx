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
    // Optional, because older pages were stored without them.
    media: mediaKind.optional(),
    src: imageUrl.optional(),
    alt: shortText.optional(),
    film: filmUrl.optional(),
  },
  labels: {
    name: { nl: 'Openingsbeeld', fa: 'تصویر سرآغاز', en: 'Hero' },
    hint: {
      nl: 'Grote titel met beeld bovenaan de pagina.',
      fa: 'عنوان بزرگ با تصویر در بالای صفحه.',
      en: 'A large title with a visual at the top of the page.',
    },
    keywords: {
      nl: 'hero header banner omslag kop foto',
      fa: 'هدر بنر سرصفحه عکس',
      en: 'header banner cover opening photo',
    },
    fields: {
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      subtitle: { nl: 'Ondertitel', fa: 'زیرعنوان', en: 'Subtitle' },
      button: { nl: 'Knop', fa: 'دکمه', en: 'Button' },
      note: { nl: 'Regel onder de knop', fa: 'سطر زیر دکمه', en: 'Line below the button' },
      media: { nl: 'Beeld', fa: 'تصویر یا فیلم', en: 'Visual' },
      src: { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
      alt: { nl: 'Beschrijving', fa: 'شرح', en: 'Description' },
      film: { nl: 'Film', fa: 'فیلم', en: 'Film' },
    },
    nestedFields: {
      'button.title': { nl: 'Tekst op de knop', fa: 'متن دکمه', en: 'Text on the button' },
      'button.url': { nl: 'Adres van de knop', fa: 'نشانی دکمه', en: 'Address of the button' },
    },
    choices: {
      'media.': {
        nl: 'Foto of film, anders tekening',
        fa: 'عکس یا فیلم شما، وگرنه نقاشی',
        en: 'Photo or film, else illustration',
      },
      'media.illustration': { nl: 'Tekening', fa: 'نقاشی', en: 'Illustration' },
      'media.none': { nl: 'Geen', fa: 'هیچ', en: 'None' },
      'media.picture': { nl: 'Foto achter de tekst', fa: 'عکس پشت متن', en: 'Photo behind the text' },
      'media.beside': { nl: 'Foto naast de tekst', fa: 'عکس کنار متن', en: 'Photo beside the text' },
      'media.screenshot': { nl: 'Schermafbeelding', fa: 'تصویر صفحهٔ نمایش', en: 'Screenshot' },
      'media.film': { nl: 'Korte film zonder geluid', fa: 'فیلم کوتاه بی‌صدا', en: 'Short film without sound' },
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
  sampleTextPaths: ['subtitle'],
  View(block, context) {
    // A background of the block's style replaces media behind the text.
    const isMediaBehindText = block.media !== 'screenshot' && block.media !== 'beside'
    const isReplaced = block.style?.background !== undefined && isMediaBehindText
    const media = isReplaced ? 'none' : heroMedia(block)
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
          ? rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(context.site).renderHtml())
          : renderMedia({ ...block, media }, context)}
      </section>
    )
  },
})

/** The kind of media: that of the block, or else of the film or image that it has, or else `illustration`. */
export const heroMedia = (block: { media?: z.output<typeof mediaKind> | undefined; src?: unknown; film?: unknown }) =>
  block.media ?? (block.film ? 'film' : block.src ? 'picture' : 'illustration')

function renderMedia(
  block: { media: string; src?: string | undefined; alt?: string | undefined; film?: string | undefined },
  context: RenderContext,
) {
  const { src, film } = block
  const alt = renderText(block.alt ?? '', context)
  if (block.media === 'none') return null
  if (block.media === 'film' && film !== undefined) {
    const videoProps = { muted: true, loop: true, playsInline: true, controls: true, 'aria-label': alt || undefined }
    const poster = src && resolveImageUrl(src, context)
    // With reduced motion the first has no source, and CSS shows the second, which plays on request.
    return (
      <div className="media">
        <video {...videoProps} autoPlay poster={poster} className="moving">
          <source src={film} type={filmType(film)} media="(prefers-reduced-motion: no-preference)" />
        </video>
        <video {...videoProps} preload="none" poster={poster} className="still">
          <source src={film} type={filmType(film)} />
        </video>
      </div>
    )
  }
  const besideClass = { screenshot: ' screen', beside: ' half' }[block.media] ?? ''
  return (
    <div className={`media${besideClass}`}>
      {renderOptionalImage(
        { src, alt, sizes: besideClass ? '(width < 62rem) 90vw, 50vw' : '100vw', first: true },
        context,
      )}
    </div>
  )
}
