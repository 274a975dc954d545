import { riverPicture } from '../blocks/river.ts'
import { fillText, placeholdersOf } from '../contract/fill-text.ts'
import { direction, type Locale, localized } from '../contract/locales.ts'
import { type Colours, coloursOf } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Drawing } from './draw-images.ts'
import { placed } from './site-icons.ts'

const size = { width: 1200, height: 630 }

/** The picture that stands beside a shared link: the brand and what it does, above the river. */
export function openGraphDrawing(input: {
  site: SiteConfig
  locale: Locale
  logo: string
  /** Families of the fonts that the texts are set in. */
  families: { display: string; persian: string }
}): Drawing {
  const { site, locale, logo, families } = input
  const rtl = direction[locale] === 'rtl'
  const colours = coloursOf(site.palette, 'light')
  const tagline = fillText(localized(site.tagline, locale).value, placeholdersOf(site, locale, new Date(0)))
  const say = (text: string) => `<span foreground="${colours.deep}">${escaped(text)}</span>`
  return {
    name: `opengraph-${locale}.png`,
    ...size,
    svg: picture(colours, rtl, placed(logo, rtl ? 1024 : 80, 72, 96)),
    texts: [
      { markup: say(site.brand), font: `${families.display}, Bold 60`, top: 98, start: 202, width: 900, rtl },
      {
        markup: say(tagline),
        font: locale === 'fa' ? `${families.persian}, Bold 54` : `${families.display}, Bold 68`,
        top: 208,
        start: 80,
        width: 780,
        rtl,
      },
    ],
  }
}

function picture(colours: Colours, mirrored: boolean, mark: string): string {
  const c = colours
  const style = `.far{fill:${c.far}}.stone{fill:${c.bridge}}.posts,.lamps,.glint{fill:none;stroke:${c.bridge};stroke-width:1.6}.lamps{stroke:${c.lamp};stroke-width:5;stroke-linecap:round;stroke-dasharray:0 99;stroke-dashoffset:-16}.water{fill:${c.water1}}.w1{fill:${c.water2};opacity:.5}.w2{fill:${c.water3};opacity:.8}.w3{fill:${c.water4}}.w4{fill:${c.water5}}.glint{stroke:${c.glow};stroke-width:2.5;stroke-linecap:round}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><defs><style>${style}</style><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${c.sky}"/><stop offset=".8" stop-color="${c.skyLow}"/></linearGradient><radialGradient id="glow"><stop offset=".2" stop-color="${c.glow}"/><stop offset="1" stop-color="${c.glow}" stop-opacity="0"/></radialGradient></defs><g${mirrored ? ` transform="matrix(-1 0 0 1 ${size.width} 0)"` : ''}><path fill="url(#sky)" d="M0 0h1200v630H0z"/><circle cx="920" cy="410" r="290" fill="url(#glow)"/><circle cx="920" cy="410" r="84" fill="${c.sun}"/><g transform="translate(0 330)">${riverPicture()}</g></g>${mark}</svg>`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character)
