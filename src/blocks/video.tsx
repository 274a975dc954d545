import { z } from 'zod'
import { intlTagOf, type Locale } from '../contract/locales.ts'
import { imageUrl } from '../contract/url.ts'
import { captionLanguages, captionsUrl, filmType, parseVideo, videoUrl } from '../contract/video.ts'
import { defineBlock, type RenderContext, shortText } from './define-block.ts'
import { renderImage, resolveImageUrl } from './render-image.tsx'
import { renderText } from './render-text.tsx'

const captions = z.strictObject({ file: captionsUrl, language: z.enum(captionLanguages) })

/** The names of languages in a language. */
const languageNames = (locale: Locale) => new Intl.DisplayNames(intlTagOf(locale), { type: 'language' })
function languageChoices(locale: Locale): Record<string, string> {
  const names = languageNames(locale)
  return Object.fromEntries(captionLanguages.map((one) => [`captions.language.${one}`, names.of(one) ?? one]))
}

export const video = defineBlock({
  type: 'video',
  group: 'text',
  stylesheets: ['image', 'video'],
  fields: {
    src: videoUrl,
    title: shortText,
    picture: imageUrl.optional(),
    caption: shortText.default(''),
    captions: z.array(captions).max(captionLanguages.length).optional(),
  },
  labels: {
    nl: {
      name: 'Video',
      hint: 'Een eigen film, of een video van YouTube of Vimeo.',
      fields: {
        src: 'Video',
        title: 'Titel',
        picture: 'Stilstaand beeld',
        caption: 'Bijschrift',
        captions: 'Ondertitels van een eigen film',
      },
      nestedFields: { 'captions.file': 'Bestand met ondertitels (vtt)', 'captions.language': 'Taal' },
      choices: languageChoices('nl'),
    },
    fa: {
      name: 'ویدیو',
      hint: 'فیلم خودتان، یا ویدیویی از یوتیوب یا ویمیو.',
      fields: {
        src: 'ویدیو',
        title: 'عنوان',
        picture: 'تصویر ثابت',
        caption: 'شرح زیر ویدیو',
        captions: 'زیرنویس‌های فیلم خودتان',
      },
      nestedFields: { 'captions.file': 'فایل زیرنویس (vtt)', 'captions.language': 'زبان' },
      choices: languageChoices('fa'),
    },
    en: {
      name: 'Video',
      hint: 'A film of your own, or a video from YouTube or Vimeo.',
      fields: {
        src: 'Video',
        title: 'Title',
        picture: 'Still image',
        caption: 'Caption',
        captions: 'Captions of a film of your own',
      },
      nestedFields: { 'captions.file': 'File with captions (vtt)', 'captions.language': 'Language' },
      choices: languageChoices('en'),
    },
  },
  defaults: {
    nl: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'Titel van de video' },
    fa: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'عنوان ویدیو' },
    en: { src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'Title of the video' },
  },
  examples: ['title'],
  View(block, context) {
    return (
      <figure className="video">
        {player(block, context)}
        {block.caption && <figcaption>{renderText(block.caption, context)}</figcaption>}
      </figure>
    )
  },
})

/** A video of YouTube or Vimeo loads nothing before the click, which opens the player, or without JavaScript their page. */
function player(
  block: {
    src: string
    title: string
    picture?: string | undefined
    captions?: z.output<typeof captions>[] | undefined
  },
  context: RenderContext,
) {
  const { src, picture } = block
  const title = renderText(block.title, context)
  const found = parseVideo(src)
  if (!found) return null
  if (found.kind === 'own') {
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
    <a className="still" href={found.page} data-player={found.player}>
      {picture && renderImage({ src: picture, alt: '', sizes: '(width < 62rem) 94vw, 60rem' }, context)}
      <span className="play">
        <strong>{title}</strong>
        <span>{context.t(`site.video.${found.kind}`)}</span>
      </span>
    </a>
  )
}
