import { defaultAppearance } from '../contract/config-choices.ts'
import type { Colours } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'

/** A decorative SVG without text, behind the text of a hero. */
interface Illustration {
  /** The content of the element with the class `view`, coloured by `styles/illustrations/`. */
  renderHtml(): string
  /** The elements of the SVG for the background of the Open Graph image, 1200 by 630. */
  renderOpenGraphSvg(colours: Colours): string
}

type Name = NonNullable<NonNullable<SiteConfig['look']>['illustration']>

const illustrations: Record<Name, Illustration> = {
  river: { renderHtml: renderRiver, renderOpenGraphSvg: renderRiverOpenGraph },
  hills: { renderHtml: renderHills, renderOpenGraphSvg: renderHillsOpenGraph },
  tiles: { renderHtml: renderTiles, renderOpenGraphSvg: renderTilesOpenGraph },
  paper: { renderHtml: renderPaper, renderOpenGraphSvg: renderPaperOpenGraph },
  none: { renderHtml: () => '', renderOpenGraphSvg: renderSky },
}

export const illustrationName = ({ look }: SiteConfig): Name => look?.illustration ?? defaultAppearance.illustration
export const illustrationOf = (site: SiteConfig): Illustration => illustrations[illustrationName(site)]

/** The sky in the Open Graph image of every illustration but the river. */
function renderSky({ sky, skyLow }: Colours): string {
  return `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="${skyLow}"/></linearGradient><path fill="url(#sky)" d="M0 0h1200v630H0z"/>`
}

/** Ridges from far to near, 1440 by 400. */
const ridges = [
  'M0 238C200 196 400 182 600 190S900 190 1100 90 1340 60 1440 100V400H0Z',
  'M0 262C220 214 420 214 640 236S1040 270 1240 190 1380 160 1440 175V400H0Z',
  'M0 300C260 240 480 250 700 290S1120 330 1440 230V400H0Z',
  'M0 350C300 270 620 330 860 350S1240 340 1440 310V400H0Z',
]
/** The furrows of a field: the third ridge six more times, each lower and flatter. */
const furrows = [1, 2, 3, 4, 5, 6]
  .map((row) => {
    const y = (height: number) => Math.round(height + row * 17 + (290 - height) * row * 0.05)
    return `M0 ${y(300)}C260 ${y(240)} 480 ${y(250)} 700 ${y(290)}S1120 ${y(330)} 1440 ${y(230)}`
  })
  .join('')
/** A farm under poplars, 420 by 180, its ground at 150. */
const farm = `${[30, 62, 96, 330, 372].map((x, index) => `<ellipse class="leaf" cx="${x}" cy="${98 - (index % 3) * 9}" rx="${13 + (index % 2) * 3}" ry="${52 + (index % 3) * 9}"/>`).join('')}<path class="barn" d="M140 180V104l56-40 56 40v12h60v64Z"/><path class="pane" d="M182 120h28v34h-28zM268 134h20v18h-20z"/>`
const cloud = 'M30 60a26 26 0 0 1 6-51 40 40 0 0 1 74-6 30 30 0 0 1 44 21 19 19 0 0 1 4 36Z'

function renderHills(): string {
  const ridge = (index: number, content = '') =>
    `<svg class="ridge r${index + 1}" viewBox="0 0 1440 400" preserveAspectRatio="none"><path d="${ridges[index]}"/>${content}</svg>`
  const clouds = [1, 2, 3].map(
    (number) => `<svg class="cloud c${number}" viewBox="0 -22 190 84"><path d="${cloud}"/></svg>`,
  )
  return `<i class="sun"></i>${clouds.join('')}${ridge(0)}${ridge(1)}<svg class="farm" viewBox="0 0 420 180">${farm}</svg>${ridge(2, `<path class="furrow" d="${furrows}"/>`)}${ridge(3)}`
}

function renderHillsOpenGraph(c: Colours): string {
  const fills = [c.far, c.water2, c.water3, c.water5]
  const layers = ridges.map((path, index) => `<path fill="${fills[index]}" d="${path}"/>`)
  layers.splice(2, 0, `<g transform="translate(860 120) scale(1.1)">${farm}</g>`)
  return `<style>.leaf,.barn{fill:${c.bridge}}.pane{fill:${c.glow}}</style>${renderSky(c)}<circle cx="940" cy="330" r="90" fill="${c.sun}"/><g transform="translate(0 250) scale(.84 .95)">${layers.join('')}</g>`
}

const tile = 120
const tilesPerSide = 6
/** Shapes in a tile, whose corner is the origin. Each is rotated by a multiple of 90 degrees. */
const tileShapes = [
  `M0 0h${tile}A${tile} ${tile} 0 0 1 0 ${tile}Z`,
  `M0 ${tile / 2}a${tile / 2} ${tile / 2} 0 0 1 ${tile} 0Z`,
  `M0 0H${tile}L0 ${tile}Z`,
  `M0 0A${tile} ${tile} 0 0 1 ${tile} ${tile}A${tile} ${tile} 0 0 1 0 0Z`,
  `M${tile * 0.2} ${tile / 2}a${tile * 0.3} ${tile * 0.3} 0 1 0 ${tile * 0.6} 0a${tile * 0.3} ${tile * 0.3} 0 1 0 ${-tile * 0.6} 0Z`,
]

/** Pseudo-random from 0 to 1, but deterministic, so that each render is the same. */
const random = (seed: number) => Math.abs(Math.sin(seed * 78.233) * 43758.5453) % 1

/** A square of tiles. `k0` to `k4` are the classes of their colours. */
const tiles = Array.from({ length: tilesPerSide * tilesPerSide }, (_, index) => {
  const [x, y] = [index % tilesPerSide, Math.floor(index / tilesPerSide)]
  const background = (x * 2 + y * 3 + Math.floor(random(index + 1) * 2)) % 5
  const colour = (background + 1 + Math.floor(random(index + 7) * 4)) % 5
  const rotation = Math.floor(random(index + 3) * 4) * 90
  const shape = tileShapes[Math.floor(random(index + 11) * tileShapes.length)]
  return `<g transform="translate(${x * tile} ${y * tile})"><path class="k${background}" d="M0 0h${tile + 0.5}v${tile + 0.5}H0z"/><path class="k${colour}" transform="rotate(${rotation} ${tile / 2} ${tile / 2})" d="${shape}"/></g>`
}).join('')

function renderTiles(): string {
  const side = tile * tilesPerSide
  return `<svg class="tiles" viewBox="0 0 ${side} ${side}" preserveAspectRatio="xMinYMin slice"><g class="moving-tiles"><g id="tiles">${tiles}</g><use href="#tiles" y="${side}"/></g></svg>`
}

function renderTilesOpenGraph(c: Colours): string {
  const colours = [c.skyLow, c.water2, c.water3, c.water5, c.glow]
  const style = colours.map((colour, index) => `.k${index}{fill:${colour}}`).join('')
  return `<style>${style}</style>${renderSky(c)}<svg x="780" width="420" height="630" viewBox="0 0 480 720" preserveAspectRatio="xMinYMin slice">${tiles}</svg>`
}

/** Sheets of cut paper around the lower right corner of a square of 1000: curves along points on a wavy circle. */
const sheets = [960, 800, 640, 480, 320].map((radius, sheet) => {
  const points = Array.from({ length: 9 }, (_, index) => {
    const angle = Math.PI + (index / 8) * (Math.PI / 2)
    const distance = radius * (1 + 0.055 * Math.sin(index * 1.7 + sheet * 2.1))
    return [1000 + Math.cos(angle) * distance, 1000 + Math.sin(angle) * distance].map(Math.round) as [number, number]
  })
  const [first = [0, 0], ...rest] = points
  const curve = rest.map(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] ?? [x, y]
    return `Q${x} ${y} ${Math.round((x + nextX) / 2)} ${Math.round((y + nextY) / 2)}`
  })
  return `M1100 1100H${first[0]}V${first[1]}${curve.join('')}H1100Z`
})

function renderPaper(): string {
  return `<svg class="paper" viewBox="0 0 1000 1000" preserveAspectRatio="none">${sheets.map((path, index) => `<path class="p${index + 1}" d="${path}"/>`).join('')}</svg>`
}

function renderPaperOpenGraph(c: Colours): string {
  const fills = [c.skyLow, c.water1, c.water2, c.water3, c.water5]
  return `${renderSky(c)}<g transform="translate(550 -20) scale(.65)">${sheets.map((path, index) => `<path fill="${fills[index]}" d="${path}"/>`).join('')}</g>`
}

/** A bridge over the Maas at sunset, with layered waves; rendered once. */
function renderRiver(): string {
  riverHtml ??= renderRiverHtml()
  return riverHtml
}
let riverHtml: string | undefined

/** The path of a layer of waves, two periods of 1440, smooth at the joins. @param lengths of the waves in a period */
function waves(y: number, height: number, lengths: number[]): string {
  const crests = [...lengths, ...lengths].map((length, index) => {
    const rise = (index % 2 ? 1 : -1) * height * length
    return `${Math.round(length * 0.64)} ${roundToTenth(rise)} ${length} 0`
  })
  const first = lengths[0] ?? 0
  return `M-9 102V${y}h9c${[`${Math.round(first * 0.36)} ${roundToTenth(-height * first)}`, crests[0]].join(' ')}s${crests.slice(1).join(' ')}V102`.replaceAll(
    ' -',
    '-',
  )
}

const layers = [
  waves(7, 0.012, [160, 110, 130, 180, 120, 90, 150, 140, 110, 90, 70, 90]),
  waves(20, 0.014, [260, 190, 150, 220, 240, 130, 110, 140]),
  waves(41, 0.018, [340, 260, 300, 180, 220, 140]),
  waves(66, 0.022, [420, 300, 400, 320]),
]

/** The path of the light on the water: short strokes, closer and smaller in the distance. */
function glintsPath(): string {
  const strokes: string[] = []
  for (let row = 0; row < 27; row += 3) {
    const y = 3 + row ** 1.6 * 0.98
    const spacing = 20 + row * 3.4
    for (let column = 0; column < 3; column++) {
      if (column === Math.floor(row / 3) % 3) continue
      // Pseudo-random but deterministic, so that each render is the same.
      const offset = (Math.abs(Math.sin((row * 3 + column + 1) * 78.233)) * 437.5) % 1
      const width = (5 + row * 1.5) * (0.4 + ((offset * 17) % 1))
      const middle = 200 + (column - 1 + (offset - 0.5) * 1.3) * spacing
      strokes.push(`M${Math.round(middle - width / 2)} ${Math.round(y)}h${Math.round(width)}`)
    }
  }
  return strokes.join('')
}

/** The groups that twinkle: the path, and two moved copies of it, which take few bytes of the page. */
const glintGroups = () => [
  `<path id="glints" d="${glintsPath()}"/>`,
  '<use href="#glints" transform="matrix(-1 0 0 .83 400 5)"/>',
  '<use href="#glints" transform="matrix(-.86 0 0 .92 366 3)"/>',
]

function renderBridge(): string {
  const arches = Array.from({ length: 9 }, (_, index) => {
    const [start, crown] = [392 + index * 104, roadHeight(435 + index * 104) + 14]
    return `M${start} 152V${Math.round(crown + 38)}a43 38 0 0 1 86 0V152Z`
  })
  const posts = Array.from(
    { length: 9 },
    (_, index) => `M${383 + index * 104} ${Math.round(roadHeight(383 + index * 104))}v-17`,
  ).join('')
  const stone = `<path class="stone" fill-rule="evenodd" d="M330 152L348 92Q820 58 1340 76V152Z${arches.join('')}"/>`
  // A lamp is the end of its post: the same line with a dash pattern that leaves one dot near its upper end.
  return `${stone}<path class="posts" d="${posts}"/><path class="lamps" d="${posts}"/>`
}

/** The y coordinate of the road on the bridge, which is the curve of its upper edge. */
function roadHeight(x: number): number {
  const t = (x - 348) / 992
  return (1 - t) ** 2 * 92 + 2 * t * (1 - t) * 58 + t ** 2 * 76
}

const town =
  'M0 152C90 146 190 128 330 132q60-10 130-4 70-24 150-6 60-14 130 2h250v-14h14v-40l9-16 9 16v40h8v-40l9-16 9 16v40h44l26-14 26 14h40v-58h4l7-22 7 22h4v58h60q40-10 80-4V152Z'

function renderRiverHtml(): string {
  return `<i class="sun"></i><svg class="town" viewBox="0 0 1340 152"><path class="far" d="${town}"/><g id="bridge">${renderBridge()}</g></svg><div class="water"><svg class="mirror" viewBox="0 0 1340 152"><use href="#bridge" transform="matrix(1 0 0 -1 0 152)"/></svg>${layers.map((path, index) => `<svg class="wave w${index + 1}" viewBox="0 0 2880 100" preserveAspectRatio="none"><path d="${path}"/></svg>`).join('')}<i class="shine"></i>${glintGroups()
    .map(
      (strokes, group) =>
        `<svg class="glint g${group}" viewBox="0 0 400 200" preserveAspectRatio="none">${strokes}</svg>`,
    )
    .join('')}</div>`
}

/** The background of the Open Graph image, 1200 by 630; the waterline is at 450. */
function renderRiverOpenGraph(c: Colours): string {
  const style = `.far{fill:${c.far}}.stone{fill:${c.bridge}}.posts,.lamps,.glint{fill:none;stroke:${c.bridge};stroke-width:1.6}.lamps{stroke:${c.lamp};stroke-width:5;stroke-linecap:round;stroke-dasharray:0 99;stroke-dashoffset:-16}.water{fill:${c.water1}}.w1{fill:${c.water2};opacity:.5}.w2{fill:${c.water3};opacity:.8}.w3{fill:${c.water4}}.w4{fill:${c.water5}}.glint{stroke:${c.glow};stroke-width:2.5;stroke-linecap:round}`
  return `<defs><style>${style}</style><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${c.sky}"/><stop offset=".8" stop-color="${c.skyLow}"/></linearGradient><radialGradient id="glow"><stop offset=".2" stop-color="${c.glow}"/><stop offset="1" stop-color="${c.glow}" stop-opacity="0"/></radialGradient></defs><path fill="url(#sky)" d="M0 0h1200v630H0z"/><circle cx="920" cy="410" r="290" fill="url(#glow)"/><circle cx="920" cy="410" r="84" fill="${c.sun}"/><g transform="translate(0 330)"><g transform="translate(140 14) scale(.79 .7)"><path class="far" d="${town}"/>${renderBridge()}</g><rect class="water" y="120" width="1200" height="180"/><g transform="translate(140 226) scale(.79 -.7)" opacity=".3">${renderBridge()}</g><g transform="translate(0 120) scale(.8 1.8)">${layers.map((path, index) => `<path class="w${index + 1}" d="${path}"/>`).join('')}</g><g class="glint" transform="translate(740 122) scale(.9)">${glintGroups().join('')}</g></g>`
}

function roundToTenth(number: number): number {
  return Math.round(number * 10) / 10
}
