import { defaultLook } from '../contract/config-choices.ts'
import type { Colours } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { riverOpenGraphSvg, riverView } from './river.ts'

/** A decorative SVG behind a hero's text, coloured by `styles/illustrations/`. It has no text. */
interface Illustration {
  /** The content of the element with the class `view`. */
  view(): string
  /** The same as the background of the Open Graph image, 1200 by 630. */
  openGraphSvg(colours: Colours): string
}

type Name = NonNullable<NonNullable<SiteConfig['look']>['illustration']>

const illustrations: Record<Name, Illustration> = {
  river: { view: riverView, openGraphSvg: riverOpenGraphSvg },
  hills: { view: hillsView, openGraphSvg: hillsOpenGraphSvg },
  tiles: { view: tilesView, openGraphSvg: tilesOpenGraphSvg },
  paper: { view: paperView, openGraphSvg: paperOpenGraphSvg },
  none: { view: () => '', openGraphSvg: sky },
}

export const illustrationName = ({ look }: SiteConfig): Name => look?.illustration ?? defaultLook.illustration
export const illustrationOf = (site: SiteConfig): Illustration => illustrations[illustrationName(site)]

/** What is behind every illustration. */
function sky({ sky, skyLow }: Colours): string {
  return `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="${skyLow}"/></linearGradient><path fill="url(#sky)" d="M0 0h1200v630H0z"/>`
}

/** Ridges from far to near, 1440 by 400. */
const ridges = [
  'M0 238C200 196 400 182 600 190S900 190 1100 90 1340 60 1440 100V400H0Z',
  'M0 262C220 214 420 214 640 236S1040 270 1240 190 1380 160 1440 175V400H0Z',
  'M0 300C260 240 480 250 700 290S1120 330 1440 230V400H0Z',
  'M0 350C300 270 620 330 860 350S1240 340 1440 310V400H0Z',
]
/** The furrows of the field: its ridge, lower and flatter each time. */
const furrows = [1, 2, 3, 4, 5, 6]
  .map((row) => {
    const y = (height: number) => Math.round(height + row * 17 + (290 - height) * row * 0.05)
    return `M0 ${y(300)}C260 ${y(240)} 480 ${y(250)} 700 ${y(290)}S1120 ${y(330)} 1440 ${y(230)}`
  })
  .join('')
/** A farm under poplars, 420 by 180, its ground at 150. */
const farm = `${[30, 62, 96, 330, 372].map((x, index) => `<ellipse class="leaf" cx="${x}" cy="${98 - (index % 3) * 9}" rx="${13 + (index % 2) * 3}" ry="${52 + (index % 3) * 9}"/>`).join('')}<path class="barn" d="M140 180V104l56-40 56 40v12h60v64Z"/><path class="pane" d="M182 120h28v34h-28zM268 134h20v18h-20z"/>`
const cloud = 'M30 60a26 26 0 0 1 6-51 40 40 0 0 1 74-6 30 30 0 0 1 44 21 19 19 0 0 1 4 36Z'

function hillsView(): string {
  const ridge = (index: number, more = '') =>
    `<svg class="ridge r${index + 1}" viewBox="0 0 1440 400" preserveAspectRatio="none"><path d="${ridges[index]}"/>${more}</svg>`
  const clouds = [1, 2, 3].map((one) => `<svg class="cloud c${one}" viewBox="0 -22 190 84"><path d="${cloud}"/></svg>`)
  return `<i class="sun"></i>${clouds.join('')}${ridge(0)}${ridge(1)}<svg class="farm" viewBox="0 0 420 180">${farm}</svg>${ridge(2, `<path class="furrow" d="${furrows}"/>`)}${ridge(3)}`
}

function hillsOpenGraphSvg(c: Colours): string {
  const fills = [c.far, c.water2, c.water3, c.water5]
  const layers = ridges.map((path, index) => `<path fill="${fills[index]}" d="${path}"/>`)
  layers.splice(2, 0, `<g transform="translate(860 120) scale(1.1)">${farm}</g>`)
  return `<style>.leaf,.barn{fill:${c.bridge}}.pane{fill:${c.glow}}</style>${sky(c)}<circle cx="940" cy="330" r="90" fill="${c.sun}"/><g transform="translate(0 250) scale(.84 .95)">${layers.join('')}</g>`
}

const tile = 120
const across = 6
/** Shapes in a tile, whose corner is the origin; each is turned by quarters. */
const tileShapes = [
  `M0 0h${tile}A${tile} ${tile} 0 0 1 0 ${tile}Z`,
  `M0 ${tile / 2}a${tile / 2} ${tile / 2} 0 0 1 ${tile} 0Z`,
  `M0 0H${tile}L0 ${tile}Z`,
  `M0 0A${tile} ${tile} 0 0 1 ${tile} ${tile}A${tile} ${tile} 0 0 1 0 0Z`,
  `M${tile * 0.2} ${tile / 2}a${tile * 0.3} ${tile * 0.3} 0 1 0 ${tile * 0.6} 0a${tile * 0.3} ${tile * 0.3} 0 1 0 ${-tile * 0.6} 0Z`,
]

/** Pseudo-random but deterministic, so that each render is the same. */
const chance = (seed: number) => Math.abs(Math.sin(seed * 78.233) * 43758.5453) % 1

/** A square of six by six tiles; `k0` to `k4` are its colours. */
const tiles = Array.from({ length: across * across }, (_, index) => {
  const [x, y] = [index % across, Math.floor(index / across)]
  const ground = (x * 2 + y * 3 + Math.floor(chance(index + 1) * 2)) % 5
  const colour = (ground + 1 + Math.floor(chance(index + 7) * 4)) % 5
  const turn = Math.floor(chance(index + 3) * 4) * 90
  const shape = tileShapes[Math.floor(chance(index + 11) * tileShapes.length)]
  return `<g transform="translate(${x * tile} ${y * tile})"><path class="k${ground}" d="M0 0h${tile + 0.5}v${tile + 0.5}H0z"/><path class="k${colour}" transform="rotate(${turn} ${tile / 2} ${tile / 2})" d="${shape}"/></g>`
}).join('')

function tilesView(): string {
  const side = tile * across
  return `<svg class="tiles" viewBox="0 0 ${side} ${side}" preserveAspectRatio="xMinYMin slice"><g class="moving-tiles"><g id="tiles">${tiles}</g><use href="#tiles" y="${side}"/></g></svg>`
}

function tilesOpenGraphSvg(c: Colours): string {
  const colours = [c.skyLow, c.water2, c.water3, c.water5, c.glow]
  const style = colours.map((colour, index) => `.k${index}{fill:${colour}}`).join('')
  return `<style>${style}</style>${sky(c)}<svg x="780" width="420" height="630" viewBox="0 0 480 720" preserveAspectRatio="xMinYMin slice">${tiles}</svg>`
}

/** Sheets of cut paper around a corner: closed curves of eight points, 1000 by 1000 with the corner at the lower end. */
const sheets = [960, 800, 640, 480, 320].map((radius, sheet) => {
  const points = Array.from({ length: 9 }, (_, index) => {
    const angle = Math.PI + (index / 8) * (Math.PI / 2)
    const reach = radius * (1 + 0.055 * Math.sin(index * 1.7 + sheet * 2.1))
    return [1000 + Math.cos(angle) * reach, 1000 + Math.sin(angle) * reach].map(Math.round) as [number, number]
  })
  const [first = [0, 0], ...rest] = points
  const curve = rest.map(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] ?? [x, y]
    return `Q${x} ${y} ${Math.round((x + nextX) / 2)} ${Math.round((y + nextY) / 2)}`
  })
  return `M1100 1100H${first[0]}V${first[1]}${curve.join('')}H1100Z`
})

function paperView(): string {
  return `<svg class="paper" viewBox="0 0 1000 1000" preserveAspectRatio="none">${sheets.map((path, index) => `<path class="p${index + 1}" d="${path}"/>`).join('')}</svg>`
}

function paperOpenGraphSvg(c: Colours): string {
  const fills = [c.skyLow, c.water1, c.water2, c.water3, c.water5]
  return `${sky(c)}<g transform="translate(550 -20) scale(.65)">${sheets.map((path, index) => `<path fill="${fills[index]}" d="${path}"/>`).join('')}</g>`
}
