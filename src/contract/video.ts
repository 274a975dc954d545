import { z } from 'zod'
import { isSafeUrl } from './url.ts'

/** A film in a file of our own, or a video on a platform: the page to watch it on, and its player for a frame. */
export type Video = { kind: 'own' } | { kind: 'youtube' | 'vimeo'; page: string; player: string }

/** The origins of the players, for the Content-Security-Policy. */
export const playerOrigins = { youtube: 'https://www.youtube-nocookie.com', vimeo: 'https://player.vimeo.com' } as const

/** @returns undefined for a URL of another host, and for one that names no video */
export function parseVideo(url: string): Video | undefined {
  if (isOwnFilm(url)) return { kind: 'own' }
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:') return undefined
  return youtube(parsed) ?? vimeo(parsed)
}

const isOwnFilm = (url: string) => isSafeUrl(url) && /^\/(?!\/)[^\s\\?#"'<>]+\.(?:mp4|m4v|webm)$/i.test(url)

function youtube({ hostname, pathname, searchParams }: URL): Video | undefined {
  const host = hostname.replace(/^(?:www|m|music)\./, '')
  const [, first = '', second = ''] = pathname.split('/')
  const found =
    host === 'youtu.be'
      ? first
      : host !== 'youtube.com' && host !== 'youtube-nocookie.com'
        ? ''
        : first === 'watch'
          ? searchParams.get('v')
          : ['embed', 'shorts', 'live'].includes(first)
            ? second
            : ''
  if (!found || !/^[\w-]{11}$/.test(found)) return undefined
  return {
    kind: 'youtube',
    page: `https://www.youtube.com/watch?v=${found}`,
    player: `${playerOrigins.youtube}/embed/${found}?autoplay=1`,
  }
}

/** A video that is not listed has a second part in its URL, which its player needs too. */
function vimeo({ hostname, pathname, searchParams }: URL): Video | undefined {
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined
  const [, id, part = searchParams.get('h') ?? ''] =
    /^\/(?:video\/)?(\d{6,12})(?:\/([0-9a-f]{6,20}))?$/.exec(pathname) ?? []
  if (!id || !/^[0-9a-f]*$/.test(part)) return undefined
  return {
    kind: 'vimeo',
    page: `https://vimeo.com/${id}${part && `/${part}`}`,
    player: `${playerOrigins.vimeo}/video/${id}?${part && `h=${part}&`}autoplay=1&dnt=1`,
  }
}

const shortUrl = z.string().max(2_000)
export const videoUrl = shortUrl.refine((url) => parseVideo(url) !== undefined, 'videoUrl')
/** The URL of a film on this site. */
export const filmUrl = shortUrl.refine(isOwnFilm, 'filmUrl')

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

/** The media type of a film on this site, by its extension. */
export const filmType = (url: string) => (/\.webm$/i.test(url) ? 'video/webm' : 'video/mp4')
