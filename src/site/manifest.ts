import { fillText, placeholdersOf } from '../contract/fill-text.ts'
import { defaultLocale, direction } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'

/** The web app manifest: what a phone shows when the site is put on its home screen. */
export function manifest(site: SiteConfig) {
  return {
    name: site.brand,
    short_name: site.brand,
    description: fillText(site.tagline[defaultLocale], placeholdersOf(site, defaultLocale, new Date(0))),
    lang: defaultLocale,
    dir: direction[defaultLocale],
    start_url: '/',
    scope: '/',
    display: 'browser',
    theme_color: site.palette.accent,
    background_color: site.palette.light,
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
