import { z } from 'zod'
import { intlTagOf, type Locale } from '../contract/locales.ts'
import { imageUrl } from '../contract/url.ts'
import { captionLanguages, captionsUrl, filmType, parseVideo, videoUrl } from '../contract/video.ts'
import { defineBlock, labelFrom, type RenderContext, shortText } from './define-block.ts'
import { renderImage, resolveImageUrl } from './render-image.tsx'
import { renderText } from './render-text.tsx'

const captionsFile = z.strictObject({ file: captionsUrl, language: z.enum(captionLanguages) })

/** Returns the names of languages in a language. */
const languageNames = (locale: Locale) => new Intl.DisplayNames(intlTagOf(locale), { type: 'language' })
const namesInAdmin = { nl: languageNames('nl'), fa: languageNames('fa'), en: languageNames('en') }
const languageChoices = Object.fromEntries(
  captionLanguages.map((language) => [
    `captions.language.${language}`,
    labelFrom((locale) => namesInAdmin[locale].of(language) ?? language),
  ]),
)

export const video = defineBlock({
  type: 'video',
  group: 'text',
  stylesheets: ['image', 'video'],
  fields: {
    src: videoUrl,
    title: shortText,
    picture: imageUrl.optional(),
    caption: shortText.default(''),
    captions: z.array(captionsFile).max(captionLanguages.length).optional(),
  },
  labels: {
    name: { nl: 'Video', fa: 'ویدیو', en: 'Video' },
    hint: {
      nl: 'Een eigen film, of een video van YouTube of Vimeo.',
      fa: 'فیلم خودتان، یا ویدیویی از یوتیوب یا ویمیو.',
      en: 'A film of your own, or a video from YouTube or Vimeo.',
    },
    fields: {
      src: { nl: 'Video', fa: 'ویدیو', en: 'Video' },
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      picture: { nl: 'Stilstaand beeld', fa: 'تصویر ثابت', en: 'Still image' },
      caption: { nl: 'Bijschrift', fa: 'شرح زیر ویدیو', en: 'Caption' },
      captions: {
        nl: 'Ondertitels van een eigen film',
        fa: 'زیرنویس‌های فیلم خودتان',
        en: 'Captions of a film of your own',
      },
    },
    nestedFields: {
      'captions.file': {
        nl: 'Bestand met ondertitels (vtt)',
        fa: 'فایل زیرنویس (vtt)',
        en: 'File with captions (vtt)',
      },
      'captions.language': { nl: 'Taal', fa: 'زبان', en: 'Language' },
    },
    choices: languageChoices,
  },
  defaults: {
    nl: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'Titel van de video' },
    fa: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'عنوان ویدیو' },
    en: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'Title of the video' },
  },
  sampleTextPaths: ['title'],
  View(block, context) {
    return (
      <figure className="video">
        {renderVideo(block, context)}
        {block.caption && <figcaption>{renderText(block.caption, context)}</figcaption>}
      </figure>
    )
  },
})

/**
 * Renders a film of this site as `video`; a video of YouTube or Vimeo as a link to their page, which a script replaces
 * by the player. Nothing is requested from them before the click.
 */
function renderVideo(
  block: {
    src: string
    title: string
    picture?: string | undefined
    captions?: z.output<typeof captionsFile>[] | undefined
  },
  context: RenderContext,
) {
  const { src, picture } = block
  const title = renderText(block.title, context)
  const parsed = parseVideo(src)
  if (!parsed) return null
  if (parsed.kind === 'own') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: a film may be uploaded without captions
      <video
        controls
        playsInline
        preload="none"
        aria-label={title}
        poster={picture && resolveImageUrl(picture, context)}
      >
        <source src={src} type={filmType(src)} />
        {block.captions?.map(({ file, language }) => (
          <track
            key={`${language} ${file}`}
            kind="captions"
            src={file}
            srcLang={language}
            label={languageNames(context.locale).of(language) ?? language}
          />
        ))}
      </video>
    )
  }
  return (
    <a className="still" href={parsed.page} data-player={parsed.player}>
      {picture && renderImage({ src: picture, alt: '', sizes: '(width < 62rem) 94vw, 60rem' }, context)}
      <span className="play">
        <strong>{title}</strong>
        <span>{context.t(`site.video.${parsed.kind}`)}</span>
      </span>
    </a>
  )
}
