import { isSafeUrl, shortUrl } from './url.ts'

/** A video file of this site, or a video on a platform: the URLs of its page and of its player (`<iframe>`). */
type Video = { kind: 'own' } | { kind: 'youtube' | 'vimeo'; page: string; player: string }

/** The origins of the players, for the Content-Security-Policy. */
export const playerOrigins = { youtube: 'https://www.youtube-nocookie.com', vimeo: 'https://player.vimeo.com' } as const

/** The video of a URL; undefined for a URL of another host or without a video id. */
export function parseVideo(url: string): Video | undefined {
  if (isLocalVideo(url)) return { kind: 'own' }
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:') return undefined
  return parseYoutube(parsed) ?? parseVimeo(parsed)
}

const isLocalVideo = (url: string) => isSafeUrl(url) && /^\/(?!\/)[^\s\\?#"'<>]+\.(?:mp4|m4v|webm)$/i.test(url)

function parseYoutube({ hostname, pathname, searchParams }: URL): Video | undefined {
  const host = hostname.replace(/^(?:www|m|music)\./, '')
  const [, first = '', second = ''] = pathname.split('/')
  let id: string | null = null
  if (host === 'youtu.be') id = first
  else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    if (first === 'watch') id = searchParams.get('v')
    else if (['embed', 'shorts', 'live'].includes(first)) id = second
  }
  if (!id || !/^[\w-]{11}$/.test(id)) return undefined
  return {
    kind: 'youtube',
    page: `https://www.youtube.com/watch?v=${id}`,
    player: `${playerOrigins.youtube}/embed/${id}?autoplay=1`,
  }
}

/** The URL of an unlisted video has a hash after its id, which the player needs too. */
function parseVimeo({ hostname, pathname, searchParams }: URL): Video | undefined {
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined
  const [, id, hash = searchParams.get('h') ?? ''] =
    /^\/(?:video\/)?(\d{6,12})(?:\/([0-9a-f]{6,20}))?$/.exec(pathname) ?? []
  if (!id || !/^[0-9a-f]*$/.test(hash)) return undefined
  return {
    kind: 'vimeo',
    page: `https://vimeo.com/${id}${hash && `/${hash}`}`,
    player: `${playerOrigins.vimeo}/video/${id}?${hash && `h=${hash}&`}autoplay=1&dnt=1`,
  }
}

export const videoUrl = shortUrl.refine((url) => parseVideo(url) !== undefined, 'videoUrl')
/** The URL of a video file on this site. */
export const filmUrl = shortUrl.refine(isLocalVideo, 'filmUrl')

/** The URL of a file with captions on this site. */
export const captionsUrl = shortUrl.refine(
  (url) => isSafeUrl(url) && /^\/(?!\/)[^\s\\?#"'<>]+\.vtt$/i.test(url),
  'captionsUrl',
)
/** The languages of captions, which need not be languages of the site. */
export const captionLanguages = [
  'nl',
  'en',
  'fa',
  'ar',
  'de',
  'es',
  'fr',
  'it',
  'pl',
  'pt',
  'ro',
  'ru',
  'tr',
  'uk',
  'zh',
] as const

/** The media type of a video file, by its extension. */
export const filmType = (url: string) => (/\.webm$/i.test(url) ? 'video/webm' : 'video/mp4')
